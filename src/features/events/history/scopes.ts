import {
  type EventChannel,
  type EventKind,
  eventChannels,
  isReactionKind,
  listKindsBelow,
} from '../kinds/event-kinds.ts'

/** Raw events, or reactions joined to their activation. */
export type EventListView = 'events' | 'reactivities'

/** Subject shared by the events of a list, and its place in the request. */
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
  /** The stable name of its operation, if it is only one and its path would give a bad one. */
  operationId?: string
  /** Query parameters that are operations of their own. */
  queries?: readonly string[]
}

const messageChannels = ['email', 'sms'] as const
const rcsChannels = ['rcs'] as const
const notificationChannels = ['notification'] as const
const displayChannels = ['display'] as const

const hitKinds = ['hits', 'hits/open', 'hits/redirection', 'hits/unsubscribe', 'hits/mirror', 'hits/form'] as const
const actionEvents = [
  '',
  'activations',
  'cancellations',
  'bounces',
  'complaints',
  'responses/stop',
  ...hitKinds,
] as const
const actionReactions = ['', 'bounces', ...hitKinds, 'complaints', 'responses/stop'] as const
const interactionKinds = ['interactions', 'interactions/read'] as const
const rcsEvents = [
  '',
  'executions',
  'activations',
  'cancellations',
  'bounces',
  'deliveries',
  ...interactionKinds,
] as const
const rcsReactions = ['', 'bounces', 'deliveries', ...interactionKinds] as const
const pushEvents = ['hits', 'activations', 'executions', 'cancellations', 'bounces', 'optouts'] as const
const pushReactions = ['', 'impressions', 'hits', 'optouts', 'bounces'] as const
const displayEvents = ['activations', 'hits/redirection'] as const

/** Every list of events there is: twenty rows, 125 operations. Routes are made from this table and nowhere else. */
export const eventListScopes: readonly EventListScope[] = [
  { path: '/actions/events', view: 'events', subject: 'none', channels: messageChannels, suffixes: actionEvents },
  { path: '/actions/:id/events', view: 'events', subject: 'action', channels: messageChannels, suffixes: actionEvents },
  {
    path: '/actions/reactivities',
    view: 'reactivities',
    subject: 'none',
    channels: messageChannels,
    suffixes: actionReactions,
  },
  {
    path: '/actions/:id/reactivities',
    view: 'reactivities',
    subject: 'action',
    channels: messageChannels,
    suffixes: actionReactions,
  },
  { path: '/channel/rcs/actions/events', view: 'events', subject: 'none', channels: rcsChannels, suffixes: rcsEvents },
  {
    path: '/channel/rcs/actions/:id/events',
    view: 'events',
    subject: 'rcsAction',
    channels: rcsChannels,
    suffixes: rcsEvents,
  },
  {
    path: '/channel/rcs/actions/events/stamp',
    view: 'events',
    subject: 'stamp',
    operationId: 'listRcsStampEvents',
    channels: rcsChannels,
    suffixes: [''],
    queries: ['id', 'thread'],
  },
  {
    path: '/channel/rcs/actions/events/lookup',
    view: 'events',
    subject: 'phone',
    operationId: 'lookUpRcsEvents',
    channels: rcsChannels,
    suffixes: [''],
  },
  {
    path: '/channel/rcs/actions/reactivities',
    view: 'reactivities',
    subject: 'none',
    channels: rcsChannels,
    suffixes: rcsReactions,
  },
  {
    path: '/channel/rcs/actions/:id/reactivities',
    view: 'reactivities',
    subject: 'rcsAction',
    channels: rcsChannels,
    suffixes: rcsReactions,
  },
  {
    path: '/notifications/events',
    view: 'events',
    subject: 'none',
    channels: notificationChannels,
    suffixes: pushEvents,
  },
  {
    path: '/notifications/:id/events',
    view: 'events',
    subject: 'notification',
    channels: notificationChannels,
    suffixes: ['', 'impressions', ...pushEvents],
  },
  {
    path: '/notifications/reactivities',
    view: 'reactivities',
    subject: 'none',
    channels: notificationChannels,
    suffixes: pushReactions,
  },
  {
    path: '/notifications/:id/reactivities',
    view: 'reactivities',
    subject: 'notification',
    channels: notificationChannels,
    suffixes: pushReactions,
  },
  {
    path: '/targets/events',
    view: 'events',
    subject: 'contactQuery',
    channels: eventChannels,
    suffixes: ['', 'activations', 'bounces', 'complaints', 'responses/stop', ...hitKinds],
  },
  {
    path: '/targets/:id/events',
    view: 'events',
    subject: 'contact',
    channels: eventChannels,
    suffixes: ['', 'activations', 'bounces', ...hitKinds],
  },
  { path: '/display/events', view: 'events', subject: 'none', channels: displayChannels, suffixes: displayEvents },
  {
    path: '/display/campaign/:id/events',
    view: 'events',
    subject: 'displayCampaign',
    channels: displayChannels,
    suffixes: displayEvents,
  },
  {
    path: '/display/placement/:id/events',
    view: 'events',
    subject: 'displayPlacement',
    channels: displayChannels,
    suffixes: displayEvents,
  },
  {
    path: '/display/content/:id/events',
    view: 'events',
    subject: 'displayContent',
    channels: displayChannels,
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
