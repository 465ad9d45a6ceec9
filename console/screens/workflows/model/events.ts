import { multiChoiceSetting, multiPickSetting, type NodeSetting, plainSettings } from './settings.ts'

const actions = [multiPickSetting('ids', 'action')]
const caused = [...actions, ...plainSettings('texts', 'causes')]
const answered = [
  ...actions,
  multiChoiceSetting('verdicts', 'hard', 'soft'),
  multiChoiceSetting('kinds', 'stop', 'other'),
]
const pushes = [multiPickSetting('ids', 'notification'), ...plainSettings('texts', 'versions')]
const display = plainSettings('texts', 'campaigns', 'placements', 'contents')
const names = plainSettings('texts', 'names')
const rcs = [multiPickSetting('ids', 'rcsAction')]

const each = (settings: readonly NodeSetting[], ...types: string[]): [string, readonly NodeSetting[]][] =>
  types.map((type) => [type, settings])

/** Every type of event that workflows listen to and wait for, with the members that filter it. */
export const WORKFLOW_EVENT_SETTINGS: Readonly<Record<string, readonly NodeSetting[]>> = Object.fromEntries([
  ...each(
    [
      ...actions,
      multiChoiceSetting('kinds', 'open', 'redirection', 'unsubscribe', 'mirror', 'form'),
      ...plainSettings('texts', 'links'),
    ],
    'action.hit',
  ),
  ...each(caused, 'action.execution', 'action.activation', 'action.delivery', 'action.cancellation'),
  ...each(answered, 'action.bounce', 'action.reply'),
  ...each(caused, 'action.complaint', 'action.stop'),
  ...each(
    [
      ...rcs,
      multiChoiceSetting(
        'kinds',
        'read',
        'text',
        'file',
        'location',
        'suggestion',
        'redirection',
        'subscribe',
        'unsubscribe',
      ),
      ...plainSettings('texts', 'postbacks'),
    ],
    'rcs.interaction',
  ),
  ...each(rcs, 'rcs.execution', 'rcs.activation', 'rcs.delivery', 'rcs.cancellation', 'rcs.bounce', 'rcs.reply'),
  ...each([...pushes, multiChoiceSetting('kinds', 'redirection', 'dismiss')], 'notification.hit'),
  ...each(pushes, 'notification.execution', 'notification.activation', 'notification.impression'),
  ...each(pushes, 'notification.cancellation', 'notification.bounce', 'notification.optout'),
  ...each(display, 'display.activation', 'display.hit'),
  ...each([], 'target.created', 'target.deleted'),
  ...each([multiPickSetting('fields', 'field')], 'target.updated', 'target.bounced'),
  ...each([multiChoiceSetting('channels', 'mail', 'sms')], 'target.redlisted'),
  ...each([multiPickSetting('segments', 'segment')], 'segment.entered', 'segment.left'),
  ...each([multiPickSetting('applications', 'application')], 'subscription.created', 'subscription.deleted'),
  ...each([multiPickSetting('imports', 'import')], 'import.completed'),
  ...each(names, 'custom'),
])
