import {
  choiceSetting,
  listSetting,
  multiPickSetting,
  type NodeSetting,
  numberSetting,
  pickSetting,
  plainSettings,
  ROLLING_DAY,
} from './settings.ts'

const nameSetting = plainSettings('text', 'name')

/** Events that start runs. */
export const WORKFLOW_LISTENERS_SETTING = listSetting(
  'listeners',
  { event: { type: 'target.created' }, enabled: true },
  [
    ...nameSetting,
    ...plainSettings('switch', 'enabled'),
    ...plainSettings('event', 'event'),
    pickSetting('handler', 'node'),
    choiceSetting('onOpen', 'start', 'skip', 'move', 'moveOrStart'),
    choiceSetting('correlation', 'contact', 'thread'),
  ],
  true,
)

const cronSettings = plainSettings('text', 'minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek')
const schedulersSetting = listSetting(
  'schedulers',
  { type: 'cron', minute: '0', hour: '9' },
  [
    choiceSetting('type', 'cron', 'once'),
    ...cronSettings,
    ...plainSettings('zone', 'timeZone'),
    ...plainSettings('moment', 'at'),
  ],
  true,
)

/** Times that start runs, and whom for. */
export const WORKFLOW_TASKS_SETTING = listSetting(
  'tasks',
  { enabled: true, schedulers: [{ type: 'cron', minute: '0', hour: '9' }], provider: { type: 'none' } },
  [
    ...nameSetting,
    ...plainSettings('switch', 'enabled'),
    schedulersSetting,
    choiceSetting('provider/type', 'none', 'segment', 'search', 'compilable'),
    pickSetting('provider/value/id', 'segment'),
    ...plainSettings('criteria', 'provider/value/criteria'),
    ...plainSettings('values', 'provider/projection'),
    pickSetting('handler', 'node'),
    choiceSetting('missed', 'once', 'none'),
    choiceSetting('overlap', 'skip', 'queue'),
  ],
  true,
)

/** Rate limit of node executions. */
export const WORKFLOW_CAPPING_SETTING = listSetting(
  'capping',
  { threshold: 1, period: ROLLING_DAY, nodes: [] },
  [
    numberSetting('threshold'),
    ...plainSettings('period', 'period'),
    multiPickSetting('nodes', 'node'),
    choiceSetting('action', 'continue', 'end'),
    ...plainSettings('expression', 'key'),
    numberSetting('increment'),
  ],
  true,
)

/** The mode of re-entry in which a contact may enter again after a period. */
export const PERIOD_REENTRY_MODE = 'afterPeriod'

export const WORKFLOW_REENTRY_SETTING: NodeSetting = {
  ...choiceSetting('reentry/mode', 'always', 'never', 'afterExit', PERIOD_REENTRY_MODE),
  label: 'set-reentry',
}

export const WORKFLOW_REENTRY_PERIOD_SETTING: NodeSetting = {
  at: '/reentry/period',
  as: 'period',
  label: 'set-afterPeriod',
}

/** Rules of runs that few workflows change: their number and duration, and what happens to open ones. */
export const WORKFLOW_ADVANCED_SETTINGS: readonly NodeSetting[] = [
  numberSetting('concurrency'),
  ...plainSettings('expression', 'entryKey'),
  ...plainSettings('zone', 'timeZone'),
  pickSetting('timeZoneField', 'field'),
  ...plainSettings('period', 'maxDuration'),
  numberSetting('maxNodes'),
  choiceSetting('onDeactivate', 'pause', 'kill'),
  choiceSetting('migration', 'none', 'atWaits'),
  choiceSetting('trace', 'all', 'errors', 'none'),
]

/** True if a setting of a task or scheduler applies, given its other members; other settings are hidden. */
export function isSettingRelevant({ at }: NodeSetting, values: unknown): boolean {
  const { type, provider } = (values ?? {}) as { type?: string; provider?: { type?: string } }
  if (provider && at.startsWith('/provider/value'))
    return (
      provider.type === (at.endsWith('/id') ? 'segment' : 'search') ||
      (provider.type === 'compilable' && at.endsWith('/id'))
    )
  if (type === 'once') return ['/type', '/at'].includes(at)
  return type === 'cron' ? at !== '/at' : true
}
