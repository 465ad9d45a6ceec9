import { valueAt } from '../../../components/form/pointers.ts'
import type { Step } from './graph.ts'
import {
  choice,
  DAY,
  group,
  type Label,
  list,
  number,
  oneOf,
  type Pick,
  pick,
  picks,
  plain,
  type Setting,
  shaped,
  slots,
  slotTimes,
  WORKDAYS,
} from './settings.ts'

export type Group = 'send' | 'wait' | 'choose' | 'act'

export interface NodeKind {
  group: Group
  /** Below its settings; of `own`: at the node itself. */
  settings: readonly Setting[]
  own?: readonly Setting[]
  /** Settings of a new one. */
  blank: Record<string, unknown>
}

const kind = (group: Group, settings: readonly Setting[], blank: Record<string, unknown> = {}): NodeKind => ({
  ...{ group, settings, blank },
})

const FAILURE = [
  choice('failure/mode', 'fail', 'continue', 'goto'),
  group('retry', [
    ...[number('failure/retry/attempts'), ...plain('period', 'failure/retry/delay')],
    ...[number('failure/retry/factor'), ...plain('period', 'failure/retry/max')],
  ]),
]
const into = plain('text', 'into')
const variables = list(
  'variables',
  { key: '', value: '' },
  [{ at: '/key', label: 'set-variable', as: 'text' } as Setting, ...plain('expression', 'value')],
  true,
)
const receiver = shaped('contact', 'receiver')
const templates = group('templates', [
  ...[...plain('values', 'data'), variables, ...shaped('json', 'blocks'), ...shaped('contact', 'related')],
])
/** `instead`: what takes the place of what the message has, or goes with it; `urgency`: how it is sent. */
const send = (of: Pick, instead: readonly Setting[], ...urgency: string[]): NodeKind =>
  kind('send', [
    ...[pick('action', of), ...receiver, group('instead', instead), templates],
    ...[group('sending', [...shaped('truth', ...urgency), ...into]), ...FAILURE],
  ])
const target = (name: string, word: string): Setting[] => [
  { ...choice(`${name}/type`, 'literal', word), label: `set-${name}` as Label },
  { at: `/${name}/value`, label: `set-${name}-value` as Label, as: 'expression' },
]
const push = (...own: Setting[]): NodeKind =>
  kind('send', [
    ...[pick('notification', 'notification'), ...own, ...plain('expression', 'title', 'body'), ...receiver],
    ...shaped('picture', 'image'),
    group('pushed', [
      ...[
        ...shaped('picture', 'icon', 'thumbnail'),
        ...target('redirection', 'route'),
        ...target('channel', 'channel'),
      ],
    ]),
    group('templates', [...plain('values', 'data'), variables]),
    group('sending', [...shaped('truth', 'urgent'), ...into]),
    ...FAILURE,
  ])
const OPENED = { type: 'action.hit', kinds: ['open'] }
const CLICKED = { type: 'action.hit', kinds: ['redirection'] }
const correlated = [
  choice('correlation', 'thread', 'send', 'contact', 'none'),
  ...[pick('sendNode', 'node'), ...plain('since', 'since')],
]
const event = [...plain('event', 'event'), ...correlated]
const id = plain('text', 'id')
const waits = (options: Parameters<typeof oneOf>[1]): Setting =>
  list('waits', { id: 'event', event: OPENED }, [...id, oneOf('waits', options)], true)
const zone = plain('zone', 'timeZone')
const compilable = [pick('compilable', 'compilable'), ...plain('values', 'arguments'), ...into]

/** Every type of node of the interface: where it stands in the palette, and its settings. */
export const KINDS: Readonly<Record<string, NodeKind>> = {
  sendMail: send(
    'mailMessage',
    [
      ...[...plain('expression', 'subject'), ...shaped('headers', 'headers'), ...shaped('mailContent', 'content')],
      ...[...shaped('attachments', 'attachments'), ...shaped('copies', 'copies')],
    ],
    ...['urgent', 'important'],
  ),
  sendSms: send('smsMessage', shaped('smsContent', 'content'), 'urgent'),
  sms: kind('send', [
    ...[pick('action', 'smsMessage'), ...plain('expression', 'text'), ...receiver, templates],
    ...[group('sending', [...shaped('truth', 'urgent'), ...into]), ...FAILURE],
  ]),
  sendpushapp: push(),
  'np6.notification/execution': push(...plain('text', 'version')),
  'rcs/execution': send(
    'rcsMessage',
    [...shaped('json', 'content'), ...shaped('fallback', 'fallback'), ...shaped('expiration', 'expiration')],
    'urgent',
  ),
  sleep: kind(
    'wait',
    [
      oneOf('sleep', {
        period: [plain('period', 'period'), DAY],
        until: [plain('expression', 'until'), { type: 'path', value: 'data.date' }],
        slot: [slotTimes, { hour: 9, minute: 0 }],
      }),
      ...plain('period', 'spread'),
    ],
    { period: DAY },
  ),
  wait: kind('wait', [...plain('event', 'event'), ...plain('timeout', 'timeout'), ...correlated, ...into], {
    ...{ event: OPENED, timeout: DAY },
  }),
  'wait.race': kind(
    'wait',
    [
      waits({
        event: [event, OPENED],
        period: [plain('period', 'period'), DAY],
        until: [plain('expression', 'until'), { type: 'path', value: 'data.date' }],
      }),
      ...into,
    ],
    {
      waits: [
        { id: 'opened', event: OPENED },
        { id: 'late', period: DAY },
      ],
    },
  ),
  'wait.all': kind('wait', [waits({ event: [event, OPENED] }), ...plain('timeout', 'timeout'), ...into], {
    waits: [
      { id: 'opened', event: OPENED },
      { id: 'clicked', event: CLICKED },
    ],
    timeout: DAY,
  }),
  'wait.kill': kind(
    'wait',
    [picks('nodes', 'node'), choice('scope', 'contact', 'thread'), choice('action', 'kill', 'release')],
    {
      nodes: [],
    },
  ),
  multipleslots: kind('wait', [slots, ...zone], { slots: [WORKDAYS] }),
  conditionaltimeslots: kind(
    'wait',
    [list('cases', { condition: true, slots: [WORKDAYS] }, [...plain('condition', 'condition'), slots], true), ...zone],
    { cases: [{ condition: true, slots: [WORKDAYS] }] },
  ),
  if: kind('choose', plain('condition', 'condition'), { condition: { type: 'script', value: 'true' } }),
  match: kind('choose', [
    oneOf('match', {
      segment: [[pick('segment', 'segment')], null],
      criteria: [plain('criteria', 'criteria'), { all: [] }],
    }),
  ]),
  'data-explorer-v2.match': kind(
    'choose',
    [
      ...[...plain('event', 'event'), ...plain('period', 'period')],
      choice('count/operator', 'greaterOrEqual', 'greater', 'equals', 'notEquals', 'lessOrEqual', 'less'),
      ...[number('count/value'), choice('correlation', 'thread', 'contact')],
    ],
    { event: OPENED },
  ),
  switch: kind('choose', [...plain('expression', 'value'), list('cases', { value: '' }, plain('scalar', 'value'))], {
    ...{ value: { type: 'path', value: 'data.value' }, cases: [{ value: 1 }, { value: 2 }] },
  }),
  split: kind(
    'choose',
    [list('branches', { id: 'c', weight: 0 }, [...id, number('weight')]), choice('by', 'contact', 'run')],
    {
      branches: [
        { id: 'a', weight: 50 },
        { id: 'b', weight: 50 },
      ],
    },
  ),
  experiment: kind(
    'choose',
    [
      ...[list('branches', { id: 'c' }, id), number('holdout', '%'), ...plain('event', 'metric')],
      ...[
        ...plain('period', 'period'),
        choice('method', 'fixed', 'bandit'),
        number('minimum'),
        number('confidence', '%'),
      ],
    ],
    { branches: [{ id: 'a' }, { id: 'b' }], metric: CLICKED },
  ),
  sample: kind(
    'choose',
    [oneOf('sample', { percent: [[number('percent', '%')], 50], count: [[number('count')], 100] })],
    {
      percent: 50,
    },
  ),
  updateTarget: kind('act', [
    ...plain('fields', 'fields'),
    ...[picks('segments/add', 'staticSegment'), picks('segments/remove', 'staticSegment'), ...FAILURE],
  ]),
  publish: {
    ...kind('act', FAILURE),
    own: [
      { at: '/event', label: 'set-event-name', as: 'expression' },
      { at: '/data', label: 'set-data', as: 'expression' },
    ],
  },
  request: kind('act', [
    ...[choice('method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'), ...plain('expression', 'url')],
    ...[...plain('values', 'headers'), ...plain('expression', 'body'), number('timeoutMs', 'ms')],
    ...[...plain('switch', 'repeat'), ...into, ...FAILURE],
  ]),
  script: kind(
    'act',
    [
      oneOf('script', {
        value: [[{ at: '/value', label: 'set-code', as: 'code' }], 'export default function run() {\n}\n'],
        webtask: [[pick('webtask', 'webtask')], null],
      }),
      ...[...plain('values', 'arguments'), ...plain('ways', 'outputs'), ...into, ...FAILURE],
    ],
    { value: 'export default function run() {\n}\n' },
  ),
  'data-manager/pipeline': kind('act', [...compilable, ...FAILURE]),
  'data-table/pipeline': kind('act', [...compilable, ...FAILURE]),
  goal: kind('act', plain('event', 'event'), { event: { type: 'custom', names: ['goal'] } }),
  terminal: kind('act', plain('text', 'outcome'), { outcome: 'done' }),
}

export const GROUPS: readonly Group[] = ['send', 'wait', 'choose', 'act']

const MOST_WORDS = 48

/** How values of the interface are said. */
export interface Words {
  event(type: string): string
  period(value: number, unit: string): string
}

function short(value: unknown, words: Words): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('value' in value && 'unit' in value) return words.period(Number(value.value), String(value.unit))
  if ('value' in value) return String(value.value)
  return 'type' in value ? words.event(String(value.type)) : ''
}

const SAID = ['text', 'expression', 'condition', 'period', 'event', 'choice']
/** One of several says what the node is about, whatever it is. */
const SAID_OF_SEVERAL = [...SAID, 'number']

/** One line of what is set, for the node as it is drawn. */
export function settingsLine(step: Step, words: Words): string {
  const own = (KINDS[step.type]?.settings ?? []).flatMap((one) =>
    one.as === 'oneOf'
      ? one.options.flatMap(({ settings }) => settings.filter(({ as }) => SAID_OF_SEVERAL.includes(as)))
      : [one].filter(({ as }) => SAID.includes(as)),
  )
  const values = own.filter(({ at }) => !at.startsWith('/failure')).map(({ at }) => valueAt(step.settings, at))
  const said = [step.type === 'publish' ? step['event'] : undefined, ...values].filter(
    (value) => value !== undefined && value !== null && value !== '',
  )
  return said
    .slice(0, 2)
    .map((value) => short(value, words))
    .filter(Boolean)
    .join(' · ')
    .slice(0, MOST_WORDS)
}
