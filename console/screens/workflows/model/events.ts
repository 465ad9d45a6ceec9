import { multiChoiceSetting, multiPickSetting, type NodeSetting, plainSettings } from './settings.ts'

const actionSettings = [multiPickSetting('ids', 'action')]
const causeSettings = [...actionSettings, ...plainSettings('texts', 'causes')]
const answerSettings = [
  ...actionSettings,
  multiChoiceSetting('verdicts', 'hard', 'soft'),
  multiChoiceSetting('kinds', 'stop', 'other'),
]
const pushSettings = [multiPickSetting('ids', 'notification'), ...plainSettings('texts', 'versions')]
const displaySettings = plainSettings('texts', 'campaigns', 'placements', 'contents')
const nameSettings = plainSettings('texts', 'names')
const rcsSettings = [multiPickSetting('ids', 'rcsAction')]

const pairTypes = (settings: readonly NodeSetting[], ...types: string[]): [string, readonly NodeSetting[]][] =>
  types.map((type) => [type, settings])

/** Every type of event that workflows listen to and wait for, with the members that filter it. */
export const WORKFLOW_EVENT_SETTINGS: Readonly<Record<string, readonly NodeSetting[]>> = Object.fromEntries([
  ...pairTypes(
    [
      ...actionSettings,
      multiChoiceSetting('kinds', 'open', 'redirection', 'unsubscribe', 'mirror', 'form'),
      ...plainSettings('texts', 'links'),
    ],
    'action.hit',
  ),
  ...pairTypes(causeSettings, 'action.execution', 'action.activation', 'action.delivery', 'action.cancellation'),
  ...pairTypes(answerSettings, 'action.bounce', 'action.reply'),
  ...pairTypes(causeSettings, 'action.complaint', 'action.stop'),
  ...pairTypes(
    [
      ...rcsSettings,
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
  ...pairTypes(
    rcsSettings,
    'rcs.execution',
    'rcs.activation',
    'rcs.delivery',
    'rcs.cancellation',
    'rcs.bounce',
    'rcs.reply',
  ),
  ...pairTypes([...pushSettings, multiChoiceSetting('kinds', 'redirection', 'dismiss')], 'notification.hit'),
  ...pairTypes(pushSettings, 'notification.execution', 'notification.activation', 'notification.impression'),
  ...pairTypes(pushSettings, 'notification.cancellation', 'notification.bounce', 'notification.optout'),
  ...pairTypes(displaySettings, 'display.activation', 'display.hit'),
  ...pairTypes([], 'target.created', 'target.deleted'),
  ...pairTypes([multiPickSetting('fields', 'field')], 'target.updated', 'target.bounced'),
  ...pairTypes([multiChoiceSetting('channels', 'mail', 'sms')], 'target.redlisted'),
  ...pairTypes([multiPickSetting('segments', 'segment')], 'segment.entered', 'segment.left'),
  ...pairTypes([multiPickSetting('applications', 'application')], 'subscription.created', 'subscription.deleted'),
  ...pairTypes([multiPickSetting('imports', 'import')], 'import.completed'),
  ...pairTypes(nameSettings, 'custom'),
])
