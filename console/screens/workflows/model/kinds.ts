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

/** The settings of a node that hold its ways out, in addition to the failure block that any node may have. */
export interface NodeKindOutputs {
  /** A list whose entries have a `next` each. */
  list?: string
  /** Members that name a node. */
  targets?: readonly string[]
  /** An object of nodes by the labels of the ways. */
  map?: string
  /** `next` is no way of its own: it is shown only where it is set. */
  isNextHidden?: boolean
}

export interface WorkflowNodeKind {
  group: NodeGroup
  /** Below its settings; of `own`: at the node itself. The first of `own` is in the summary of the node. */
  settings: readonly NodeSetting[]
  own?: readonly NodeSetting[]
  /** Settings of a new one. */
  blank: Record<string, unknown>
  outputs: NodeKindOutputs
  /** In place of the icon of its group. */
  icon?: 'message' | 'bell' | 'flag' | 'stop'
  /** Its branches are compared, and the results shown. */
  isExperiment?: boolean
}

const createKind = (
  group: NodeGroup,
  settings: readonly NodeSetting[],
  blank: Record<string, unknown> = {},
  outputs: NodeKindOutputs = {},
): WorkflowNodeKind => ({ group, settings, blank, outputs })

const TIMEOUT_OUTPUTS: NodeKindOutputs = { targets: ['timeoutNext'] }
const CONDITION_OUTPUTS: NodeKindOutputs = { targets: ['then', 'else'], isNextHidden: true }
const CASE_OUTPUTS: NodeKindOutputs = { list: 'cases', targets: ['default'], isNextHidden: true }

const FAILURE_SETTINGS = [
  choiceSetting('failure/mode', 'fail', 'continue', 'goto'),
  groupSetting('retry', [
    numberSetting('failure/retry/attempts'),
    ...plainSettings('period', 'failure/retry/delay'),
    numberSetting('failure/retry/factor'),
    ...plainSettings('period', 'failure/retry/max'),
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
  ...plainSettings('values', 'data'),
  variablesSetting,
  ...shapedSettings('json', 'blocks'),
  ...shapedSettings('contact', 'related'),
])
/** `instead`: what takes the place of what the message has, or goes with it; `urgency`: how it is sent. */
const createSendKind = (of: ObjectPickKind, instead: readonly NodeSetting[], ...urgency: string[]): WorkflowNodeKind =>
  createKind('send', [
    pickSetting('action', of),
    ...receiverSettings,
    groupSetting('instead', instead),
    templatesSetting,
    groupSetting('sending', [...shapedSettings('truth', ...urgency), ...intoSettings]),
    ...FAILURE_SETTINGS,
  ])
const createTargetSettings = (name: string, word: string): NodeSetting[] => [
  { ...choiceSetting(`${name}/type`, 'literal', word), label: `set-${name}` as NodeSettingLabel },
  { at: `/${name}/value`, label: `set-${name}-value` as NodeSettingLabel, as: 'expression' },
]
const createPushKind = (...specificSettings: NodeSetting[]): WorkflowNodeKind => ({
  ...createKind('send', [
    pickSetting('notification', 'notification'),
    ...specificSettings,
    ...plainSettings('expression', 'title', 'body'),
    ...receiverSettings,
    ...shapedSettings('picture', 'image'),
    groupSetting('pushed', [
      ...shapedSettings('picture', 'icon', 'thumbnail'),
      ...createTargetSettings('redirection', 'route'),
      ...createTargetSettings('channel', 'channel'),
    ]),
    groupSetting('templates', [...plainSettings('values', 'data'), variablesSetting]),
    groupSetting('sending', [...shapedSettings('truth', 'urgent'), ...intoSettings]),
    ...FAILURE_SETTINGS,
  ]),
  icon: 'bell',
})
const OPEN_EVENT = { type: 'action.hit', kinds: ['open'] }
const CLICK_EVENT = { type: 'action.hit', kinds: ['redirection'] }
const correlationSettings = [
  choiceSetting('correlation', 'thread', 'send', 'contact', 'none'),
  pickSetting('sendNode', 'node'),
  ...plainSettings('since', 'since'),
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
      ...plainSettings('expression', 'subject'),
      ...shapedSettings('headers', 'headers'),
      ...shapedSettings('mailContent', 'content'),
      ...shapedSettings('attachments', 'attachments'),
      ...shapedSettings('copies', 'copies'),
    ],
    'urgent',
    'important',
  ),
  sendSms: { ...createSendKind('smsMessage', shapedSettings('smsContent', 'content'), 'urgent'), icon: 'message' },
  sms: {
    ...createKind('send', [
      pickSetting('action', 'smsMessage'),
      ...plainSettings('expression', 'text'),
      ...receiverSettings,
      templatesSetting,
      groupSetting('sending', [...shapedSettings('truth', 'urgent'), ...intoSettings]),
      ...FAILURE_SETTINGS,
    ]),
    icon: 'message',
  },
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
    { event: OPEN_EVENT, timeout: ROLLING_DAY },
    TIMEOUT_OUTPUTS,
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
    { list: 'waits', isNextHidden: true },
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
    TIMEOUT_OUTPUTS,
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
    CASE_OUTPUTS,
  ),
  if: createKind(
    'choose',
    plainSettings('condition', 'condition'),
    { condition: { type: 'script', value: 'true' } },
    CONDITION_OUTPUTS,
  ),
  match: createKind(
    'choose',
    [
      variantSetting('match', {
        segment: [[pickSetting('segment', 'segment')], null],
        criteria: [plainSettings('criteria', 'criteria'), { all: [] }],
      }),
    ],
    {},
    CONDITION_OUTPUTS,
  ),
  'data-explorer-v2.match': createKind(
    'choose',
    [
      ...plainSettings('event', 'event'),
      ...plainSettings('period', 'period'),
      choiceSetting('count/operator', 'greaterOrEqual', 'greater', 'equals', 'notEquals', 'lessOrEqual', 'less'),
      numberSetting('count/value'),
      choiceSetting('correlation', 'thread', 'contact'),
    ],
    { event: OPEN_EVENT },
    CONDITION_OUTPUTS,
  ),
  switch: createKind(
    'choose',
    [...plainSettings('expression', 'value'), listSetting('cases', { value: '' }, plainSettings('scalar', 'value'))],
    { value: { type: 'path', value: 'data.value' }, cases: [{ value: 1 }, { value: 2 }] },
    CASE_OUTPUTS,
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
    { list: 'branches', isNextHidden: true },
  ),
  experiment: {
    ...createKind(
      'choose',
      [
        listSetting('branches', { id: 'c' }, idSettings),
        numberSetting('holdout', '%'),
        ...plainSettings('event', 'metric'),
        ...plainSettings('period', 'period'),
        choiceSetting('method', 'fixed', 'bandit'),
        numberSetting('minimum'),
        numberSetting('confidence', '%'),
      ],
      { branches: [{ id: 'a' }, { id: 'b' }], metric: CLICK_EVENT },
      { list: 'branches', targets: ['holdoutNext'], isNextHidden: true },
    ),
    isExperiment: true,
  },
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
    CONDITION_OUTPUTS,
  ),
  updateTarget: createKind('act', [
    ...plainSettings('fields', 'fields'),
    multiPickSetting('segments/add', 'staticSegment'),
    multiPickSetting('segments/remove', 'staticSegment'),
    ...FAILURE_SETTINGS,
  ]),
  publish: {
    ...createKind('act', FAILURE_SETTINGS),
    own: [
      { at: '/event', label: 'set-event-name', as: 'expression' },
      { at: '/data', label: 'set-data', as: 'expression' },
    ],
  },
  request: createKind('act', [
    choiceSetting('method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    ...plainSettings('expression', 'url'),
    ...plainSettings('values', 'headers'),
    ...plainSettings('expression', 'body'),
    numberSetting('timeoutMs', 'ms'),
    ...plainSettings('switch', 'repeat'),
    ...intoSettings,
    ...FAILURE_SETTINGS,
  ]),
  script: createKind(
    'act',
    [
      variantSetting('script', {
        value: [[{ at: '/value', label: 'set-code', as: 'code' }], 'export default function run() {\n}\n'],
        webtask: [[pickSetting('webtask', 'webtask')], null],
      }),
      ...plainSettings('values', 'arguments'),
      ...plainSettings('ways', 'outputs'),
      ...intoSettings,
      ...FAILURE_SETTINGS,
    ],
    { value: 'export default function run() {\n}\n' },
    { map: 'outputs' },
  ),
  'data-manager/pipeline': createKind('act', [...compilableSettings, ...FAILURE_SETTINGS]),
  'data-table/pipeline': createKind('act', [...compilableSettings, ...FAILURE_SETTINGS], {}, { targets: ['empty'] }),
  goal: {
    ...createKind('act', plainSettings('event', 'event'), { event: { type: 'custom', names: ['goal'] } }),
    icon: 'flag',
  },
  terminal: {
    ...createKind('act', plainSettings('text', 'outcome'), { outcome: 'done' }, { isNextHidden: true }),
    icon: 'stop',
  },
}

export const NODE_GROUPS: readonly NodeGroup[] = ['send', 'wait', 'choose', 'act']
