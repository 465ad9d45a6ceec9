import {
  type EventChannel,
  type EventKind,
  eventChannels,
  isReactionKind,
  listKindsBelow,
} from '../kinds/event-kinds.ts'

/** Raw events, or reactions joined to their activation. */
export type EventListView = 'events' | 'reactivities'

/** What the events of a list have in common, and where the request names it. */
export type EventListSubject =
  | 'none'
  | 'action'
  | 'rcsAction'
  | 'notification'
  | 'contact'
  | 'contactQuery'
  | 'stamp'
  | 'phone'
  | 'displayCampaign'
  | 'displayPlacement'
  | 'displayContent'

export interface EventListScope {
  path: string
  view: EventListView
  subject: EventListSubject
  channels: readonly EventChannel[]
  /** Paths of kinds below `path`; `''` is the list of all of them. */
  suffixes: readonly string[]
  /** Query parameters that are operations of their own. */
  queries?: readonly string[]
}

const message = ['email', 'sms'] as const
const rcs = ['rcs'] as const
const notification = ['notification'] as const
const display = ['display'] as const

const hits = ['hits', 'hits/open', 'hits/redirection', 'hits/unsubscribe', 'hits/mirror', 'hits/form'] as const
const actionEvents = ['', 'activations', 'cancellations', 'bounces', 'complaints', 'responses/stop', ...hits] as const
const actionReactions = ['', 'bounces', ...hits, 'complaints', 'responses/stop'] as const
const interactions = ['interactions', 'interactions/read'] as const
const rcsEvents = ['', 'executions', 'activations', 'cancellations', 'bounces', 'deliveries', ...interactions] as const
const rcsReactions = ['', 'bounces', 'deliveries', ...interactions] as const
const pushEvents = ['hits', 'activations', 'executions', 'cancellations', 'bounces', 'optouts'] as const
const pushReactions = ['', 'impressions', 'hits', 'optouts', 'bounces'] as const
const displayEvents = ['activations', 'hits/redirection'] as const

/** Every list of events there is: twenty rows, 125 operations. Routes are made from this table and nowhere else. */
export const eventListScopes: readonly EventListScope[] = [
  { path: '/actions/events', view: 'events', subject: 'none', channels: message, suffixes: actionEvents },
  { path: '/actions/:id/events', view: 'events', subject: 'action', channels: message, suffixes: actionEvents },
  {
    path: '/actions/reactivities',
    view: 'reactivities',
    subject: 'none',
    channels: message,
    suffixes: actionReactions,
  },
  {
    path: '/actions/:id/reactivities',
    view: 'reactivities',
    subject: 'action',
    channels: message,
    suffixes: actionReactions,
  },
  { path: '/channel/rcs/actions/events', view: 'events', subject: 'none', channels: rcs, suffixes: rcsEvents },
  { path: '/channel/rcs/actions/:id/events', view: 'events', subject: 'rcsAction', channels: rcs, suffixes: rcsEvents },
  {
    path: '/channel/rcs/actions/events/stamp',
    view: 'events',
    subject: 'stamp',
    channels: rcs,
    suffixes: [''],
    queries: ['id', 'thread'],
  },
  { path: '/channel/rcs/actions/events/lookup', view: 'events', subject: 'phone', channels: rcs, suffixes: [''] },
  {
    path: '/channel/rcs/actions/reactivities',
    view: 'reactivities',
    subject: 'none',
    channels: rcs,
    suffixes: rcsReactions,
  },
  {
    path: '/channel/rcs/actions/:id/reactivities',
    view: 'reactivities',
    subject: 'rcsAction',
    channels: rcs,
    suffixes: rcsReactions,
  },
  { path: '/notifications/events', view: 'events', subject: 'none', channels: notification, suffixes: pushEvents },
  {
    path: '/notifications/:id/events',
    view: 'events',
    subject: 'notification',
    channels: notification,
    suffixes: ['', 'impressions', ...pushEvents],
  },
  {
    path: '/notifications/reactivities',
    view: 'reactivities',
    subject: 'none',
    channels: notification,
    suffixes: pushReactions,
  },
  {
    path: '/notifications/:id/reactivities',
    view: 'reactivities',
    subject: 'notification',
    channels: notification,
    suffixes: pushReactions,
  },
  {
    path: '/targets/events',
    view: 'events',
    subject: 'contactQuery',
    channels: eventChannels,
    suffixes: ['', 'activations', 'bounces', 'complaints', 'responses/stop', ...hits],
  },
  {
    path: '/targets/:id/events',
    view: 'events',
    subject: 'contact',
    channels: eventChannels,
    suffixes: ['', 'activations', 'bounces', ...hits],
  },
  { path: '/display/events', view: 'events', subject: 'none', channels: display, suffixes: displayEvents },
  {
    path: '/display/campaign/:id/events',
    view: 'events',
    subject: 'displayCampaign',
    channels: display,
    suffixes: displayEvents,
  },
  {
    path: '/display/placement/:id/events',
    view: 'events',
    subject: 'displayPlacement',
    channels: display,
    suffixes: displayEvents,
  },
  {
    path: '/display/content/:id/events',
    view: 'events',
    subject: 'displayContent',
    channels: display,
    suffixes: displayEvents,
  },
]

/** One list of events as a route registers it. */
export interface EventList {
  scope: EventListScope
  suffix: string
  path: string
  /** The stored kinds the list holds. */
  kinds: EventKind[]
}

/** The lists of a row of the table, one per suffix. */
export function expandEventLists(scope: EventListScope): EventList[] {
  return scope.suffixes.map((suffix) => ({
    scope,
    suffix,
    path: suffix === '' ? scope.path : `${scope.path}/${suffix}`,
    kinds: listKindsBelow(suffix, scope.channels).filter((kind) => scope.view === 'events' || isReactionKind(kind)),
  }))
}
