import { choices, picks, plain, type Setting } from './settings.ts'

const actions = [picks('ids', 'action')]
const caused = [...actions, ...plain('texts', 'causes')]
const answered = [...actions, choices('verdicts', 'hard', 'soft'), choices('kinds', 'stop', 'other')]
const pushes = [picks('ids', 'notification'), ...plain('texts', 'versions')]
const display = plain('texts', 'campaigns', 'placements', 'contents')
const names = plain('texts', 'names')
const rcs = [picks('ids', 'rcsAction')]

const each = (settings: readonly Setting[], ...types: string[]): [string, readonly Setting[]][] =>
  types.map((type) => [type, settings])

/** Every type of event that workflows listen to and wait for, with the members that filter it. */
export const EVENTS: Readonly<Record<string, readonly Setting[]>> = Object.fromEntries([
  ...each(
    [...actions, choices('kinds', 'open', 'redirection', 'unsubscribe', 'mirror', 'form'), ...plain('texts', 'links')],
    'action.hit',
  ),
  ...each(caused, 'action.execution', 'action.activation', 'action.delivery', 'action.cancellation'),
  ...each(answered, 'action.bounce', 'action.reply'),
  ...each(caused, 'action.complaint', 'action.stop'),
  ...each(
    [
      ...rcs,
      choices('kinds', 'read', 'text', 'file', 'location', 'suggestion', 'redirection', 'subscribe', 'unsubscribe'),
      ...plain('texts', 'postbacks'),
    ],
    'rcs.interaction',
  ),
  ...each(rcs, 'rcs.execution', 'rcs.activation', 'rcs.delivery', 'rcs.cancellation', 'rcs.bounce', 'rcs.reply'),
  ...each([...pushes, choices('kinds', 'redirection', 'dismiss')], 'notification.hit'),
  ...each(pushes, 'notification.execution', 'notification.activation', 'notification.impression'),
  ...each(pushes, 'notification.cancellation', 'notification.bounce', 'notification.optout'),
  ...each(display, 'display.activation', 'display.hit'),
  ...each([], 'target.created', 'target.deleted'),
  ...each([picks('fields', 'field')], 'target.updated', 'target.bounced'),
  ...each([choices('channels', 'mail', 'sms')], 'target.redlisted'),
  ...each([picks('segments', 'segment')], 'segment.entered', 'segment.left'),
  ...each([picks('applications', 'application')], 'subscription.created', 'subscription.deleted'),
  ...each([picks('imports', 'import')], 'import.completed'),
  ...each(names, 'custom'),
])
