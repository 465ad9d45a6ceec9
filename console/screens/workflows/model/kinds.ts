import { readPointerValue } from '../../../components/form/pointers.ts'
import type { WorkflowFormNode } from './graph.ts'
import {
  choiceSetting,
  groupSetting,
  listSetting,
  multiPickSetting,
  type NodeSetting,
  type NodeSettingLabel,
  numberSetting,
  type ObjectPickKind,
  pickSetting,
  plainSettings,
  ROLLING_DAY,
  shapedSettings,
  slotTimeSettings,
  timeSlotsSetting,
  variantSetting,
  WORKDAY_SLOT,
} from './settings.ts'

export type NodeGroup = 'send' | 'wait' | 'choose' | 'act'

export interface WorkflowNodeKind {
  group: NodeGroup
  /** Below its settings; of `own`: at the node itself. */
  settings: readonly NodeSetting[]
  own?: readonly NodeSetting[]
  /** Settings of a new one. */
  blank: Record<string, unknown>
}

const kind = (
  group: NodeGroup,
  settings: readonly NodeSetting[],
  blank: Record<string, unknown> = {},
): WorkflowNodeKind => ({
  ...{ group, settings, blank },
})

const FAILURE = [
  choiceSetting('failure/mode', 'fail', 'continue', 'goto'),
  groupSetting('retry', [
    ...[numberSetting('failure/retry/attempts'), ...plainSettings('period', 'failure/retry/delay')],
    ...[numberSetting('failure/retry/factor'), ...plainSettings('period', 'failure/retry/max')],
  ]),
]
const into = plainSettings('text', 'into')
const variables = listSetting(
  'variables',
  { key: '', value: '' },
  [{ at: '/key', label: 'set-variable', as: 'text' } as NodeSetting, ...plainSettings('expression', 'value')],
  true,
)
const receiver = shapedSettings('contact', 'receiver')
const templates = groupSetting('templates', [
  ...[
    ...plainSettings('values', 'data'),
    variables,
    ...shapedSettings('json', 'blocks'),
    ...shapedSettings('contact', 'related'),
  ],
])
/** `instead`: what takes the place of what the message has, or goes with it; `urgency`: how it is sent. */
const send = (of: ObjectPickKind, instead: readonly NodeSetting[], ...urgency: string[]): WorkflowNodeKind =>
  kind('send', [
    ...[pickSetting('action', of), ...receiver, groupSetting('instead', instead), templates],
    ...[groupSetting('sending', [...shapedSettings('truth', ...urgency), ...into]), ...FAILURE],
  ])
const target = (name: string, word: string): NodeSetting[] => [
  { ...choiceSetting(`${name}/type`, 'literal', word), label: `set-${name}` as NodeSettingLabel },
  { at: `/${name}/value`, label: `set-${name}-value` as NodeSettingLabel, as: 'expression' },
]
const push = (...own: NodeSetting[]): WorkflowNodeKind =>
  kind('send', [
    ...[
      pickSetting('notification', 'notification'),
      ...own,
      ...plainSettings('expression', 'title', 'body'),
      ...receiver,
    ],
    ...shapedSettings('picture', 'image'),
    groupSetting('pushed', [
      ...[
        ...shapedSettings('picture', 'icon', 'thumbnail'),
        ...target('redirection', 'route'),
        ...target('channel', 'channel'),
      ],
    ]),
    groupSetting('templates', [...plainSettings('values', 'data'), variables]),
    groupSetting('sending', [...shapedSettings('truth', 'urgent'), ...into]),
    ...FAILURE,
  ])
const OPENED = { type: 'action.hit', kinds: ['open'] }
const CLICKED = { type: 'action.hit', kinds: ['redirection'] }
const correlated = [
  choiceSetting('correlation', 'thread', 'send', 'contact', 'none'),
  ...[pickSetting('sendNode', 'node'), ...plainSettings('since', 'since')],
]
const event = [...plainSettings('event', 'event'), ...correlated]
const id = plainSettings('text', 'id')
const waits = (options: Parameters<typeof variantSetting>[1]): NodeSetting =>
  listSetting('waits', { id: 'event', event: OPENED }, [...id, variantSetting('waits', options)], true)
const zone = plainSettings('zone', 'timeZone')
const compilable = [pickSetting('compilable', 'compilable'), ...plainSettings('values', 'arguments'), ...into]

/** Every type of node of the interface: where it stands in the palette, and its settings. */
export const WORKFLOW_NODE_KINDS: Readonly<Record<string, WorkflowNodeKind>> = {
  sendMail: send(
    'mailMessage',
    [
      ...[
        ...plainSettings('expression', 'subject'),
        ...shapedSettings('headers', 'headers'),
        ...shapedSettings('mailContent', 'content'),
      ],
      ...[...shapedSettings('attachments', 'attachments'), ...shapedSettings('copies', 'copies')],
    ],
    ...['urgent', 'important'],
  ),
  sendSms: send('smsMessage', shapedSettings('smsContent', 'content'), 'urgent'),
  sms: kind('send', [
    ...[pickSetting('action', 'smsMessage'), ...plainSettings('expression', 'text'), ...receiver, templates],
    ...[groupSetting('sending', [...shapedSettings('truth', 'urgent'), ...into]), ...FAILURE],
  ]),
  sendpushapp: push(),
  'np6.notification/execution': push(...plainSettings('text', 'version')),
  'rcs/execution': send(
    'rcsMessage',
    [
      ...shapedSettings('json', 'content'),
      ...shapedSettings('fallback', 'fallback'),
      ...shapedSettings('expiration', 'expiration'),
    ],
    'urgent',
  ),
  sleep: kind(
    'wait',
    [
      variantSetting('sleep', {
        period: [plainSettings('period', 'period'), ROLLING_DAY],
        until: [plainSettings('expression', 'until'), { type: 'path', value: 'data.date' }],
        slot: [slotTimeSettings, { hour: 9, minute: 0 }],
      }),
      ...plainSettings('period', 'spread'),
    ],
    { period: ROLLING_DAY },
  ),
  wait: kind(
    'wait',
    [...plainSettings('event', 'event'), ...plainSettings('timeout', 'timeout'), ...correlated, ...into],
    {
      ...{ event: OPENED, timeout: ROLLING_DAY },
    },
  ),
  'wait.race': kind(
    'wait',
    [
      waits({
        event: [event, OPENED],
        period: [plainSettings('period', 'period'), ROLLING_DAY],
        until: [plainSettings('expression', 'until'), { type: 'path', value: 'data.date' }],
      }),
      ...into,
    ],
    {
      waits: [
        { id: 'opened', event: OPENED },
        { id: 'late', period: ROLLING_DAY },
      ],
    },
  ),
  'wait.all': kind('wait', [waits({ event: [event, OPENED] }), ...plainSettings('timeout', 'timeout'), ...into], {
    waits: [
      { id: 'opened', event: OPENED },
      { id: 'clicked', event: CLICKED },
    ],
    timeout: ROLLING_DAY,
  }),
  'wait.kill': kind(
    'wait',
    [
      multiPickSetting('nodes', 'node'),
      choiceSetting('scope', 'contact', 'thread'),
      choiceSetting('action', 'kill', 'release'),
    ],
    {
      nodes: [],
    },
  ),
  multipleslots: kind('wait', [timeSlotsSetting, ...zone], { slots: [WORKDAY_SLOT] }),
  conditionaltimeslots: kind(
    'wait',
    [
      listSetting(
        'cases',
        { condition: true, slots: [WORKDAY_SLOT] },
        [...plainSettings('condition', 'condition'), timeSlotsSetting],
        true,
      ),
      ...zone,
    ],
    { cases: [{ condition: true, slots: [WORKDAY_SLOT] }] },
  ),
  if: kind('choose', plainSettings('condition', 'condition'), { condition: { type: 'script', value: 'true' } }),
  match: kind('choose', [
    variantSetting('match', {
      segment: [[pickSetting('segment', 'segment')], null],
      criteria: [plainSettings('criteria', 'criteria'), { all: [] }],
    }),
  ]),
  'data-explorer-v2.match': kind(
    'choose',
    [
      ...[...plainSettings('event', 'event'), ...plainSettings('period', 'period')],
      choiceSetting('count/operator', 'greaterOrEqual', 'greater', 'equals', 'notEquals', 'lessOrEqual', 'less'),
      ...[numberSetting('count/value'), choiceSetting('correlation', 'thread', 'contact')],
    ],
    { event: OPENED },
  ),
  switch: kind(
    'choose',
    [...plainSettings('expression', 'value'), listSetting('cases', { value: '' }, plainSettings('scalar', 'value'))],
    {
      ...{ value: { type: 'path', value: 'data.value' }, cases: [{ value: 1 }, { value: 2 }] },
    },
  ),
  split: kind(
    'choose',
    [
      listSetting('branches', { id: 'c', weight: 0 }, [...id, numberSetting('weight')]),
      choiceSetting('by', 'contact', 'run'),
    ],
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
      ...[listSetting('branches', { id: 'c' }, id), numberSetting('holdout', '%'), ...plainSettings('event', 'metric')],
      ...[
        ...plainSettings('period', 'period'),
        choiceSetting('method', 'fixed', 'bandit'),
        numberSetting('minimum'),
        numberSetting('confidence', '%'),
      ],
    ],
    { branches: [{ id: 'a' }, { id: 'b' }], metric: CLICKED },
  ),
  sample: kind(
    'choose',
    [
      variantSetting('sample', {
        percent: [[numberSetting('percent', '%')], 50],
        count: [[numberSetting('count')], 100],
      }),
    ],
    {
      percent: 50,
    },
  ),
  updateTarget: kind('act', [
    ...plainSettings('fields', 'fields'),
    ...[
      multiPickSetting('segments/add', 'staticSegment'),
      multiPickSetting('segments/remove', 'staticSegment'),
      ...FAILURE,
    ],
  ]),
  publish: {
    ...kind('act', FAILURE),
    own: [
      { at: '/event', label: 'set-event-name', as: 'expression' },
      { at: '/data', label: 'set-data', as: 'expression' },
    ],
  },
  request: kind('act', [
    ...[choiceSetting('method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'), ...plainSettings('expression', 'url')],
    ...[
      ...plainSettings('values', 'headers'),
      ...plainSettings('expression', 'body'),
      numberSetting('timeoutMs', 'ms'),
    ],
    ...[...plainSettings('switch', 'repeat'), ...into, ...FAILURE],
  ]),
  script: kind(
    'act',
    [
      variantSetting('script', {
        value: [[{ at: '/value', label: 'set-code', as: 'code' }], 'export default function run() {\n}\n'],
        webtask: [[pickSetting('webtask', 'webtask')], null],
      }),
      ...[...plainSettings('values', 'arguments'), ...plainSettings('ways', 'outputs'), ...into, ...FAILURE],
    ],
    { value: 'export default function run() {\n}\n' },
  ),
  'data-manager/pipeline': kind('act', [...compilable, ...FAILURE]),
  'data-table/pipeline': kind('act', [...compilable, ...FAILURE]),
  goal: kind('act', plainSettings('event', 'event'), { event: { type: 'custom', names: ['goal'] } }),
  terminal: kind('act', plainSettings('text', 'outcome'), { outcome: 'done' }),
}

export const NODE_GROUPS: readonly NodeGroup[] = ['send', 'wait', 'choose', 'act']

const MOST_WORDS = 48

/** How values of the interface are said. */
export interface NodeSummaryLabels {
  event(type: string): string
  period(value: number, unit: string): string
}

function short(value: unknown, words: NodeSummaryLabels): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('value' in value && 'unit' in value) return words.period(Number(value.value), String(value.unit))
  if ('value' in value) return String(value.value)
  return 'type' in value ? words.event(String(value.type)) : ''
}

const SAID = ['text', 'expression', 'condition', 'period', 'event', 'choice']
/** One of several says what the node is about, whatever it is. */
const SAID_OF_SEVERAL = [...SAID, 'number']

/** One line of what is set, for the node as it is drawn. */
export function summarizeNodeSettings(step: WorkflowFormNode, words: NodeSummaryLabels): string {
  const own = (WORKFLOW_NODE_KINDS[step.type]?.settings ?? []).flatMap((one) =>
    one.as === 'oneOf'
      ? one.options.flatMap(({ settings }) => settings.filter(({ as }) => SAID_OF_SEVERAL.includes(as)))
      : [one].filter(({ as }) => SAID.includes(as)),
  )
  const values = own.filter(({ at }) => !at.startsWith('/failure')).map(({ at }) => readPointerValue(step.settings, at))
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
