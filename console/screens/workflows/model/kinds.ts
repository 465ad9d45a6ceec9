import type en from '../en.ts'
import type { Step } from './graph.ts'

/** How a member of a node's settings is written. */
export interface Setting {
  /** Where in the node it stands. */
  at: string
  label: keyof typeof en
  as: 'text' | 'number' | 'expression' | 'condition' | 'json' | 'code' | 'choice'
  choices?: readonly string[]
}
export type Group = 'send' | 'wait' | 'choose' | 'act'

export interface NodeKind {
  group: Group
  settings: readonly Setting[]
  /** Settings of a new one. */
  blank: Record<string, unknown>
}

const setting = (name: string, as: Setting['as'], choices?: readonly string[]): Setting => ({
  at: `/settings/${name}`,
  label: `set-${name.replace(/\W/g, '-')}` as keyof typeof en,
  as,
  ...(choices && { choices }),
})
const kind = (group: Group, settings: readonly Setting[], blank: Record<string, unknown> = {}): NodeKind => ({
  ...{ group, settings, blank },
})

const FAILURE = [setting('failure', 'json')]
const SEND = [
  setting('action', 'text'),
  setting('receiver', 'expression'),
  setting('data', 'json'),
  setting('into', 'text'),
]
const WAIT = [
  setting('correlation', 'choice', ['thread', 'send', 'contact', 'none']),
  setting('sendNode', 'text'),
  setting('since', 'text'),
  setting('into', 'text'),
]
const PUSH = [
  setting('title', 'expression'),
  setting('body', 'expression'),
  setting('data', 'json'),
  setting('into', 'text'),
]
const DAY = { type: 'rolling', unit: 'DAY', value: 1 }
const ALWAYS = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '18:00' }]

/** Every type of node of the interface: where it stands in the palette, and its settings. */
export const KINDS: Readonly<Record<string, NodeKind>> = {
  sendMail: kind('send', [...SEND, ...FAILURE]),
  sendSms: kind('send', [...SEND, ...FAILURE]),
  sms: kind('send', [setting('text', 'expression'), ...SEND, ...FAILURE]),
  sendpushapp: kind('send', [setting('notification', 'text'), ...PUSH, ...FAILURE]),
  'np6.notification/execution': kind('send', [
    ...[setting('notification', 'text'), setting('version', 'text'), ...PUSH, ...FAILURE],
  ]),
  'rcs/execution': kind('send', [...SEND, ...FAILURE]),
  sleep: kind(
    'wait',
    [
      ...[
        setting('period', 'json'),
        setting('until', 'expression'),
        setting('slot', 'json'),
        setting('spread', 'json'),
      ],
    ],
    { period: DAY },
  ),
  wait: kind('wait', [setting('event', 'json'), setting('timeout', 'json'), ...WAIT], {
    ...{ event: { type: 'action.hit', kinds: ['open'] }, timeout: DAY },
  }),
  'wait.race': kind('wait', [setting('waits', 'json'), setting('into', 'text')], {
    waits: [
      { id: 'opened', event: { type: 'action.hit', kinds: ['open'] } },
      { id: 'late', period: DAY },
    ],
  }),
  'wait.all': kind('wait', [setting('waits', 'json'), setting('timeout', 'json'), setting('into', 'text')], {
    waits: [
      { id: 'opened', event: { type: 'action.hit', kinds: ['open'] } },
      { id: 'clicked', event: { type: 'action.hit', kinds: ['redirection'] } },
    ],
    timeout: DAY,
  }),
  'wait.kill': kind(
    'wait',
    [
      setting('nodes', 'json'),
      setting('scope', 'choice', ['contact', 'thread']),
      setting('action', 'choice', ['kill', 'release']),
    ],
    { nodes: [] },
  ),
  multipleslots: kind('wait', [setting('slots', 'json'), setting('timeZone', 'json')], { slots: ALWAYS }),
  conditionaltimeslots: kind('wait', [setting('cases', 'json'), setting('timeZone', 'json')], {
    cases: [{ condition: true, slots: ALWAYS }],
  }),
  if: kind('choose', [setting('condition', 'condition')], { condition: { type: 'script', value: 'true' } }),
  match: kind('choose', [setting('segment', 'number'), setting('criteria', 'json')]),
  'data-explorer-v2.match': kind(
    'choose',
    [
      ...[setting('event', 'json'), setting('period', 'json'), setting('count', 'json')],
      setting('correlation', 'choice', ['thread', 'contact']),
    ],
    { event: { type: 'action.hit', kinds: ['open'] } },
  ),
  switch: kind('choose', [setting('value', 'expression'), setting('cases', 'json')], {
    ...{ value: { type: 'path', value: 'data.value' }, cases: [{ value: 1 }, { value: 2 }] },
  }),
  split: kind('choose', [setting('branches', 'json'), setting('by', 'choice', ['contact', 'run'])], {
    branches: [
      { id: 'a', weight: 50 },
      { id: 'b', weight: 50 },
    ],
  }),
  experiment: kind(
    'choose',
    [
      ...[
        setting('branches', 'json'),
        setting('holdout', 'number'),
        setting('metric', 'json'),
        setting('period', 'json'),
      ],
      ...[
        setting('method', 'choice', ['fixed', 'bandit']),
        setting('minimum', 'number'),
        setting('confidence', 'number'),
      ],
    ],
    { branches: [{ id: 'a' }, { id: 'b' }], metric: { type: 'action.hit', kinds: ['redirection'] } },
  ),
  sample: kind('choose', [setting('percent', 'number'), setting('count', 'number')], { percent: 50 }),
  updateTarget: kind('act', [setting('fields', 'json'), setting('segments', 'json'), ...FAILURE]),
  publish: kind('act', [
    { at: '/event', label: 'set-event-name', as: 'expression' },
    { at: '/data', label: 'set-data', as: 'json' },
  ]),
  request: kind(
    'act',
    [
      ...[setting('method', 'choice', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']), setting('url', 'expression')],
      ...[setting('headers', 'json'), setting('body', 'expression'), setting('timeoutMs', 'number')],
      ...[setting('into', 'text'), ...FAILURE],
    ],
    { url: 'https://' },
  ),
  script: kind(
    'act',
    [
      ...[setting('value', 'code'), setting('webtask', 'text'), setting('arguments', 'json')],
      ...[setting('outputs', 'json'), setting('into', 'text'), ...FAILURE],
    ],
    { value: 'export default function run() {\n}\n' },
  ),
  'data-manager/pipeline': kind('act', [
    ...[setting('compilable', 'text'), setting('arguments', 'json'), setting('into', 'text'), ...FAILURE],
  ]),
  'data-table/pipeline': kind('act', [
    ...[setting('compilable', 'text'), setting('arguments', 'json'), setting('into', 'text'), ...FAILURE],
  ]),
  goal: kind('act', [setting('event', 'json')], { event: { type: 'custom', names: ['goal'] } }),
  terminal: kind('act', [setting('outcome', 'text')], { outcome: 'done' }),
}

export const GROUPS: readonly Group[] = ['send', 'wait', 'choose', 'act']

const MOST_WORDS = 48

const short = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? 'value' in value && 'unit' in value
      ? `${value.value} ${String(value.unit).toLowerCase()}`
      : 'value' in value
        ? String(value.value)
        : 'type' in value
          ? String(value.type)
          : Array.isArray(value)
            ? String(value.length)
            : Object.keys(value).join(', ')
    : String(value)

/** One line of what is set, for the node as it is drawn. */
export function settingsLine(step: Step): string {
  const { settings = {} } = step
  const known = (KINDS[step.type]?.settings ?? []).map(({ at }) => settings[at.replace('/settings/', '')])
  const said = known.filter((value) => value !== undefined && value !== null && value !== '')
  return said.slice(0, 2).map(short).join(' · ').slice(0, MOST_WORDS)
}
