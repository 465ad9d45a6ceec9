import { choice, DAY, list, number, pick, picks, plain, type Setting } from './settings.ts'

const named = plain('text', 'name')

/** Events that start runs. */
export const LISTENERS = list(
  'listeners',
  { event: { type: 'target.created' }, enabled: true },
  [
    ...named,
    ...plain('switch', 'enabled'),
    ...plain('event', 'event'),
    pick('handler', 'node'),
    choice('onOpen', 'start', 'skip', 'move', 'moveOrStart'),
    choice('correlation', 'contact', 'thread'),
  ],
  true,
)

const cron = plain('text', 'minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek')
const schedulers = list(
  'schedulers',
  { type: 'cron', minute: '0', hour: '9' },
  [choice('type', 'cron', 'once'), ...cron, ...plain('zone', 'timeZone'), ...plain('moment', 'at')],
  true,
)

/** Times that start runs, and whom for. */
export const TASKS = list(
  'tasks',
  { enabled: true, schedulers: [{ type: 'cron', minute: '0', hour: '9' }], provider: { type: 'none' } },
  [
    ...named,
    ...plain('switch', 'enabled'),
    schedulers,
    choice('provider/type', 'none', 'segment', 'search', 'compilable'),
    pick('provider/value/id', 'segment'),
    ...plain('criteria', 'provider/value/criteria'),
    ...plain('values', 'provider/projection'),
    pick('handler', 'node'),
    choice('missed', 'once', 'none'),
    choice('overlap', 'skip', 'queue'),
  ],
  true,
)

/** How often nodes act at most. */
export const CAPPING = list(
  'capping',
  { threshold: 1, period: DAY, nodes: [] },
  [
    ...[number('threshold'), ...plain('period', 'period'), picks('nodes', 'node')],
    ...[choice('action', 'continue', 'end'), ...plain('expression', 'key'), number('increment')],
  ],
  true,
)

/** How runs begin again, how long they may take, and what becomes of them. */
export const RULES: readonly Setting[] = [
  { ...choice('reentry/mode', 'always', 'never', 'afterExit', 'afterPeriod'), label: 'set-reentry' },
  ...plain('period', 'reentry/period').map((setting) => ({ ...setting, label: 'set-afterPeriod' as const })),
  number('concurrency'),
  ...plain('expression', 'entryKey'),
  ...plain('zone', 'timeZone'),
  pick('timeZoneField', 'field'),
  ...plain('period', 'maxDuration'),
  number('maxNodes'),
  choice('onDeactivate', 'pause', 'kill'),
  choice('migration', 'none', 'atWaits'),
  choice('trace', 'all', 'errors', 'none'),
]

/** Which settings of a task or scheduler are of use, by what else it holds; others are not shown. */
export function isOfUse({ at }: Setting, values: unknown): boolean {
  const { type, provider } = (values ?? {}) as { type?: string; provider?: { type?: string } }
  if (provider && at.startsWith('/provider/value'))
    return (
      provider.type === (at.endsWith('/id') ? 'segment' : 'search') ||
      (provider.type === 'compilable' && at.endsWith('/id'))
    )
  if (type === 'once') return ['/type', '/at'].includes(at)
  return type === 'cron' ? at !== '/at' : true
}
