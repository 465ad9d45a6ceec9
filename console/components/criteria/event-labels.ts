import type en from './en.ts'

type TextKey = keyof typeof en

/** Events that criteria ask for, by kind or type. */
export const EVENT_LABELS: Readonly<Record<string, TextKey>> = {
  activation: 'eventSent',
  'hits/open': 'eventOpen',
  'hits/redirection': 'eventClick',
  hit: 'eventHit',
  'hits/unsubscribe': 'eventUnsubscribe',
  'hits/form': 'eventForm',
  'hits/mirror': 'eventMirror',
  'hits/dismiss': 'eventDismiss',
  bounce: 'eventBounce',
  complaint: 'eventComplaint',
  delivery: 'eventDelivery',
  reply: 'eventReply',
  'responses/stop': 'eventStop',
  interaction: 'eventInteraction',
  'interactions/read': 'eventRead',
  impression: 'eventImpression',
  optout: 'eventOptout',
  cancellation: 'eventCancellation',
  execution: 'eventExecution',
}

/** How often an event occurs, by the operator of its count. */
export const EVENT_COUNT_LABELS = {
  greaterOrEqual: 'greaterOrEqualTimes',
  greater: 'greaterTimes',
  lessOrEqual: 'lessOrEqualTimes',
  less: 'lessTimes',
  equals: 'equalsTimes',
  notEquals: 'notEqualsTimes',
  between: 'betweenTimes',
} as const
