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

const createKind = (
  group: NodeGroup,
  settings: readonly NodeSetting[],
  blank: Record<string, unknown> = {},
): WorkflowNodeKind => ({
  ...{ group, settings, blank },
})

const FAILURE_SETTINGS = [
  choiceSetting('failure/mode', 'fail', 'continue', 'goto'),
  groupSetting('retry', [
    ...[numberSetting('failure/retry/attempts'), ...plainSettings('period', 'failure/retry/delay')],
    ...[numberSetting('failure/retry/factor'), ...plainSettings('period', 'failure/retry/max')],
  ]),
]
const intoSettings = plainSettings('text', 'into')
const variablesSetting = listSetting(
  'variables',
  { key: '', value: '' },
  [{ at: '/key', label: 'set-variable', as: 'text' } as NodeSetting, ...plainSettings('expression', 'value')],
  true,
)
const receiverSettings = shapedSettings('contact', 'receiver')
const templatesSetting = groupSetting('templates', [
  ...[
    ...plainSettings('values', 'data'),
    variablesSetting,
    ...shapedSettings('json', 'blocks'),
    ...shapedSettings('contact', 'related'),
  ],
])
/** `instead`: what takes the place of what the message has, or goes with it; `urgency`: how it is sent. */
const createSendKind = (of: ObjectPickKind, instead: readonly NodeSetting[], ...urgency: string[]): WorkflowNodeKind =>
  createKind('send', [
    ...[pickSetting('action', of), ...receiverSettings, groupSetting('instead', instead), templatesSetting],
    ...[groupSetting('sending', [...shapedSettings('truth', ...urgency), ...intoSettings]), ...FAILURE_SETTINGS],
  ])
const createTargetSettings = (name: string, word: string): NodeSetting[] => [
  { ...choiceSetting(`${name}/type`, 'literal', word), label: `set-${name}` as NodeSettingLabel },
  { at: `/${name}/value`, label: `set-${name}-value` as NodeSettingLabel, as: 'expression' },
]
const createPushKind = (...specificSettings: NodeSetting[]): WorkflowNodeKind =>
  createKind('send', [
    ...[
      pickSetting('notification', 'notification'),
      ...specificSettings,
      ...plainSettings('expression', 'title', 'body'),
      ...receiverSettings,
    ],
    ...shapedSettings('picture', 'image'),
    groupSetting('pushed', [
      ...[
        ...shapedSettings('picture', 'icon', 'thumbnail'),
        ...createTargetSettings('redirection', 'route'),
        ...createTargetSettings('channel', 'channel'),
      ],
    ]),
    groupSetting('templates', [...plainSettings('values', 'data'), variablesSetting]),
    groupSetting('sending', [...shapedSettings('truth', 'urgent'), ...intoSettings]),
    ...FAILURE_SETTINGS,
  ])
const OPEN_EVENT = { type: 'action.hit', kinds: ['open'] }
const CLICK_EVENT = { type: 'action.hit', kinds: ['redirection'] }
const correlationSettings = [
  choiceSetting('correlation', 'thread', 'send', 'contact', 'none'),
  ...[pickSetting('sendNode', 'node'), ...plainSettings('since', 'since')],
]
const eventSettings = [...plainSettings('event', 'event'), ...correlationSettings]
const idSettings = plainSettings('text', 'id')
const createWaitsSetting = (options: Parameters<typeof variantSetting>[1]): NodeSetting =>
  listSetting('waits', { id: 'event', event: OPEN_EVENT }, [...idSettings, variantSetting('waits', options)], true)
const zoneSettings = plainSettings('zone', 'timeZone')
const compilableSettings = [
  pickSetting('compilable', 'compilable'),
  ...plainSettings('values', 'arguments'),
  ...intoSettings,
]

/** Every type of node of the interface: where it stands in the palette, and its settings. */
export const WORKFLOW_NODE_KINDS: Readonly<Record<string, WorkflowNodeKind>> = {
  sendMail: createSendKind(
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
  sendSms: createSendKind('smsMessage', shapedSettings('smsContent', 'content'), 'urgent'),
  sms: createKind('send', [
    ...[
      pickSetting('action', 'smsMessage'),
      ...plainSettings('expression', 'text'),
      ...receiverSettings,
      templatesSetting,
    ],
    ...[groupSetting('sending', [...shapedSettings('truth', 'urgent'), ...intoSettings]), ...FAILURE_SETTINGS],
  ]),
  sendpushapp: createPushKind(),
  'np6.notification/execution': createPushKind(...plainSettings('text', 'version')),
  'rcs/execution': createSendKind(
    'rcsMessage',
    [
      ...shapedSettings('json', 'content'),
      ...shapedSettings('fallback', 'fallback'),
      ...shapedSettings('expiration', 'expiration'),
    ],
    'urgent',
  ),
  sleep: createKind(
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
  wait: createKind(
    'wait',
    [
      ...plainSettings('event', 'event'),
      ...plainSettings('timeout', 'timeout'),
      ...correlationSettings,
      ...intoSettings,
    ],
    {
      ...{ event: OPEN_EVENT, timeout: ROLLING_DAY },
    },
  ),
  'wait.race': createKind(
    'wait',
    [
      createWaitsSetting({
        event: [eventSettings, OPEN_EVENT],
        period: [plainSettings('period', 'period'), ROLLING_DAY],
        until: [plainSettings('expression', 'until'), { type: 'path', value: 'data.date' }],
      }),
      ...intoSettings,
    ],
    {
      waits: [
        { id: 'opened', event: OPEN_EVENT },
        { id: 'late', period: ROLLING_DAY },
      ],
    },
  ),
  'wait.all': createKind(
    'wait',
    [
      createWaitsSetting({ event: [eventSettings, OPEN_EVENT] }),
      ...plainSettings('timeout', 'timeout'),
      ...intoSettings,
    ],
    {
      waits: [
        { id: 'opened', event: OPEN_EVENT },
        { id: 'clicked', event: CLICK_EVENT },
      ],
      timeout: ROLLING_DAY,
    },
  ),
  'wait.kill': createKind(
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
  multipleslots: createKind('wait', [timeSlotsSetting, ...zoneSettings], { slots: [WORKDAY_SLOT] }),
  conditionaltimeslots: createKind(
    'wait',
    [
      listSetting(
        'cases',
        { condition: true, slots: [WORKDAY_SLOT] },
        [...plainSettings('condition', 'condition'), timeSlotsSetting],
        true,
      ),
      ...zoneSettings,
    ],
    { cases: [{ condition: true, slots: [WORKDAY_SLOT] }] },
  ),
  if: createKind('choose', plainSettings('condition', 'condition'), { condition: { type: 'script', value: 'true' } }),
  match: createKind('choose', [
    variantSetting('match', {
      segment: [[pickSetting('segment', 'segment')], null],
      criteria: [plainSettings('criteria', 'criteria'), { all: [] }],
    }),
  ]),
  'data-explorer-v2.match': createKind(
    'choose',
    [
      ...[...plainSettings('event', 'event'), ...plainSettings('period', 'period')],
      choiceSetting('count/operator', 'greaterOrEqual', 'greater', 'equals', 'notEquals', 'lessOrEqual', 'less'),
      ...[numberSetting('count/value'), choiceSetting('correlation', 'thread', 'contact')],
    ],
    { event: OPEN_EVENT },
  ),
  switch: createKind(
    'choose',
    [...plainSettings('expression', 'value'), listSetting('cases', { value: '' }, plainSettings('scalar', 'value'))],
    {
      ...{ value: { type: 'path', value: 'data.value' }, cases: [{ value: 1 }, { value: 2 }] },
    },
  ),
  split: createKind(
    'choose',
    [
      listSetting('branches', { id: 'c', weight: 0 }, [...idSettings, numberSetting('weight')]),
      choiceSetting('by', 'contact', 'run'),
    ],
    {
      branches: [
        { id: 'a', weight: 50 },
        { id: 'b', weight: 50 },
      ],
    },
  ),
  experiment: createKind(
    'choose',
    [
      ...[
        listSetting('branches', { id: 'c' }, idSettings),
        numberSetting('holdout', '%'),
        ...plainSettings('event', 'metric'),
      ],
      ...[
        ...plainSettings('period', 'period'),
        choiceSetting('method', 'fixed', 'bandit'),
        numberSetting('minimum'),
        numberSetting('confidence', '%'),
      ],
    ],
    { branches: [{ id: 'a' }, { id: 'b' }], metric: CLICK_EVENT },
  ),
  sample: createKind(
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
  updateTarget: createKind('act', [
    ...plainSettings('fields', 'fields'),
    ...[
      multiPickSetting('segments/add', 'staticSegment'),
      multiPickSetting('segments/remove', 'staticSegment'),
      ...FAILURE_SETTINGS,
    ],
  ]),
  publish: {
    ...createKind('act', FAILURE_SETTINGS),
    own: [
      { at: '/event', label: 'set-event-name', as: 'expression' },
      { at: '/data', label: 'set-data', as: 'expression' },
    ],
  },
  request: createKind('act', [
    ...[choiceSetting('method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'), ...plainSettings('expression', 'url')],
    ...[
      ...plainSettings('values', 'headers'),
      ...plainSettings('expression', 'body'),
      numberSetting('timeoutMs', 'ms'),
    ],
    ...[...plainSettings('switch', 'repeat'), ...intoSettings, ...FAILURE_SETTINGS],
  ]),
  script: createKind(
    'act',
    [
      variantSetting('script', {
        value: [[{ at: '/value', label: 'set-code', as: 'code' }], 'export default function run() {\n}\n'],
        webtask: [[pickSetting('webtask', 'webtask')], null],
      }),
      ...[
        ...plainSettings('values', 'arguments'),
        ...plainSettings('ways', 'outputs'),
        ...intoSettings,
        ...FAILURE_SETTINGS,
      ],
    ],
    { value: 'export default function run() {\n}\n' },
  ),
  'data-manager/pipeline': createKind('act', [...compilableSettings, ...FAILURE_SETTINGS]),
  'data-table/pipeline': createKind('act', [...compilableSettings, ...FAILURE_SETTINGS]),
  goal: createKind('act', plainSettings('event', 'event'), { event: { type: 'custom', names: ['goal'] } }),
  terminal: createKind('act', plainSettings('text', 'outcome'), { outcome: 'done' }),
}

export const NODE_GROUPS: readonly NodeGroup[] = ['send', 'wait', 'choose', 'act']

const MAX_SUMMARY_LENGTH = 48

/** Labels for values of the API. */
export interface NodeSummaryLabels {
  event(type: string): string
  period(value: number, unit: string): string
}

function summarizeValue(value: unknown, words: NodeSummaryLabels): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if ('value' in value && 'unit' in value) return words.period(Number(value.value), String(value.unit))
  if ('value' in value) return String(value.value)
  return 'type' in value ? words.event(String(value.type)) : ''
}

const SUMMARY_TYPES = ['text', 'expression', 'condition', 'period', 'event', 'choice']
/** One of several says what the node is about, whatever it is. */
const VARIANT_SUMMARY_TYPES = [...SUMMARY_TYPES, 'number']

/** One line of what is set, for the node as it is drawn. */
export function summarizeNodeSettings(step: WorkflowFormNode, words: NodeSummaryLabels): string {
  const summarySettings = (WORKFLOW_NODE_KINDS[step.type]?.settings ?? []).flatMap((setting) =>
    setting.as === 'oneOf'
      ? setting.options.flatMap(({ settings }) => settings.filter(({ as }) => VARIANT_SUMMARY_TYPES.includes(as)))
      : [setting].filter(({ as }) => SUMMARY_TYPES.includes(as)),
  )
  const values = summarySettings
    .filter(({ at }) => !at.startsWith('/failure'))
    .map(({ at }) => readPointerValue(step.settings, at))
  const summaryValues = [step.type === 'publish' ? step['event'] : undefined, ...values].filter(
    (value) => value !== undefined && value !== null && value !== '',
  )
  return summaryValues
    .slice(0, 2)
    .map((value) => summarizeValue(value, words))
    .filter(Boolean)
    .join(' · ')
    .slice(0, MAX_SUMMARY_LENGTH)
}
