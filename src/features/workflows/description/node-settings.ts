import { type OpenApiObject, openApiSchemaRef } from '../../../http/openapi/document.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { settingMembers } from './value-schemas.ts'

const {
  text,
  boolean,
  number,
  id,
  uuid,
  words,
  clientId,
  way,
  variable,
  expression,
  expressions,
  period,
  deadline,
  timeZone,
  event,
  component,
  object,
  list,
  objects,
} = settingMembers

type Members = Record<string, OpenApiObject>

const NEXT = 'Absent or null: `next` of the node.'
const REQUIRED = 'Required for activation.'
const into = variable('Variable that receives the result. Absent or null: none.')
const wayNext = way(`ID of the next node. ${NEXT}`)
const integerItem = (minimum: number, maximum: number): OpenApiObject => ({ type: 'integer', minimum, maximum })
const nodeIdItem: OpenApiObject = { type: 'string', minLength: 1, maxLength: 128 }

const variables = objects(
  'Values for templates, by key.',
  { key: text('Key.', { minLength: 1, maxLength: 255 }), value: expression('Value.') },
  1000,
)
const data = expressions('Data for templates, by name; at most 1,000.')
const receiver = expression('Identification of the receiver. Absent or null: the contact of the run.')
const urgent = expression('True: urgent. Default: false.')
const recipientMembers: Members = {
  receiver,
  related: expression('Identification of the related contact. Absent or null: none.'),
  data,
  variables,
  blocks: expression('Array of blocks.'),
  into,
}
const actionText = text(`ID of an action. ${REQUIRED}`)
const smsMembers: Members = {
  subject: expression('Subject, at most 998 characters.'),
  headers: expression('Headers, an object.'),
  content: expression('Content, an object, in place of that of the action.'),
  urgent,
  important: expression('True: important.'),
}
const mailMembers: Members = {
  ...smsMembers,
  attachments: expression('Array of attachments.'),
  copies: expression('Array of copies.'),
}
/** A target of a push, which is a component: what stands in two types of nodes would be named by itself. */
const buildPushTarget = (kind: 'route' | 'channel', description: string): OpenApiObject => ({
  type: 'object',
  description,
  properties: { type: words('Type of the value.', 'literal', kind), value: expression('Value.') },
})

/** Values that several types of nodes have, as components of the description. */
export const nodeValueComponents: Readonly<Record<string, OpenApiObject>> = {
  WorkflowPushRedirection: buildPushTarget('route', 'Redirection of a push.'),
  WorkflowPushChannel: buildPushTarget('channel', 'Channel of a push.'),
}
const pushMembers: Members = {
  notification: id(`ID of a notification. ${REQUIRED}`),
  title: expression('Title, a text.'),
  body: expression('Text of the push.'),
  icon: expression('Icon. Absent or null: that of the notification.'),
  thumbnail: expression('Thumbnail. Absent or null: that of the notification.'),
  image: expression('Image. Absent or null: that of the notification.'),
  redirection: component('WorkflowPushRedirection', 'Redirection. Absent or null: that of the notification.'),
  channel: component('WorkflowPushChannel', 'Channel. Absent or null: that of the notification.'),
  data,
  variables,
  urgent,
  receiver,
  into,
}

const sendSettings: Record<string, Members> = {
  sendMail: { action: actionText, ...recipientMembers, ...mailMembers },
  sendSms: { action: actionText, ...recipientMembers, ...smsMembers },
  sms: {
    action: actionText,
    text: expression(`Text of the SMS, at most 1,600 characters. ${REQUIRED}`),
    ...recipientMembers,
    ...smsMembers,
  },
  sendpushapp: pushMembers,
  'np6.notification/execution': {
    ...pushMembers,
    version: uuid('ID of a version of the notification. Absent or null: the version whose condition holds.'),
  },
  'rcs/execution': {
    action: id(`Number of an RCS action. ${REQUIRED}`),
    ...recipientMembers,
    content: expression('Content, an object, in place of that of the action.'),
    fallback: expression('Fallback, an object.'),
    expiration: expression('Expiration, an object.'),
    urgent,
  },
}

const segmentIds = (description: string): OpenApiObject => list(description, integerItem(1, MAX_INT32), 100)

const writeAndCallSettings: Record<string, Members> = {
  updateTarget: {
    fields: expressions('Values by ID or name of the field; at most 500.'),
    segments: object('Memberships in static segments.', {
      add: segmentIds('IDs of segments to add the contact to.'),
      remove: segmentIds('IDs of segments to remove the contact from.'),
    }),
  },
  publish: {},
  request: {
    method: words('Method. Default: `GET`.', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
    url: expression(`Address. ${REQUIRED}`),
    headers: expressions('Headers by name, at most 100; null leaves a header out.'),
    body: expression('Body.'),
    timeoutMs: number('Timeout in milliseconds. Default: 10,000.', 100, 30_000),
    success: list('Statuses that are a success. Absent or null: 200 to 299.', integerItem(100, 599), 100),
    repeat: boolean('False: at most one attempt. Default: true.'),
    into,
  },
  script: {
    value: text('Source of a module. Exactly one of `value` and `webtask` is required for activation.', {
      maxLength: 262_144,
    }),
    webtask: id('ID of a webtask.'),
    arguments: expressions('Arguments by name.'),
    outputs: {
      type: ['object', 'null'],
      additionalProperties: nodeIdItem,
      description: 'IDs of nodes by the label that the script returns; at most 100.',
    },
    into,
  },
  'data-manager/pipeline': {
    compilable: uuid(`ID of a compilable. ${REQUIRED}`),
    arguments: expressions('Arguments by name.'),
    into: variable(`Variable that receives the result. ${REQUIRED}`),
  },
  'data-table/pipeline': {
    compilable: uuid(`ID of a compilable of type \`pipeline\`. ${REQUIRED}`),
    arguments: expressions('Arguments by name.'),
    into,
    empty: way(`ID of the next node if there is no row. ${NEXT}`),
  },
}

const daysOfWeek = (description: string): OpenApiObject => list(description, integerItem(1, 7), 7)
const slots = objects(
  `Times of the week. ${REQUIRED}`,
  {
    days: daysOfWeek('Days of the week, 1 (Monday) to 7.'),
    from: text('Start, `HH:MM`, inclusive.', { pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }),
    to: text('End, `HH:MM` up to `24:00`, exclusive; not after `from`: on the next day.', {
      pattern: '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    }),
  },
  50,
)
const slotZone = timeZone('Time zone. Absent or null: that of the workflow.')
const correlation = words(
  'How events are matched to the run. Absent or null: `thread` for events of messages, otherwise `contact`.',
  'thread',
  'send',
  'contact',
  'none',
)
const awaitedMembers: Members = {
  correlation,
  sendNode: clientId('ID of a send node, for `correlation` and `since` of `send`. Absent or null: the latest send.'),
  since: {
    anyOf: [{ type: 'string', enum: ['previous', 'now', 'send', 'run'] }, openApiSchemaRef('Period'), { type: 'null' }],
    description: 'Start of the search: a position in the run, or a period back. Default: `previous`.',
  },
}
const timeoutMembers: Members = {
  timeout: deadline('Deadline. Absent or null: none.'),
  timeoutNext: way(`ID of the next node at the deadline. ${NEXT}`),
}

const waitSettings: Record<string, Members> = {
  sleep: {
    period: period('Period. Exactly one of `period`, `until` and `slot` is required for activation.'),
    until: expression('Date.'),
    slot: object('Time of day.', {
      hour: number('Hour.', 0, 23),
      minute: number('Minute. Default: 0.', 0, 59),
      daysOfWeek: daysOfWeek('Days of the week, 1 (Monday) to 7. Default: every day.'),
      timeZone: slotZone,
    }),
    spread: period('Period of which a random part is added. Absent or null: none.'),
  },
  wait: { event: event(`Event to wait for. ${REQUIRED}`), ...timeoutMembers, ...awaitedMembers, into },
  'wait.race': {
    waits: objects(
      `Waits, at least 2. ${REQUIRED}`,
      {
        id: clientId('ID of the wait. Absent or null: generated.'),
        event: event('Event. Exactly one of `event`, `period` and `until` is required for activation.'),
        period: period('Period.'),
        until: expression('Date.'),
        ...awaitedMembers,
        next: wayNext,
      },
      20,
    ),
    into,
  },
  'wait.all': {
    waits: objects(
      `Waits, at least 2. ${REQUIRED}`,
      {
        id: clientId('ID of the wait. Absent or null: generated.'),
        event: event(`Event. ${REQUIRED}`),
        ...awaitedMembers,
      },
      20,
    ),
    ...timeoutMembers,
    into,
  },
  'wait.kill': {
    nodes: list(`IDs of the nodes at which other runs wait. ${REQUIRED}`, nodeIdItem, 1000),
    scope: words('Runs of the same contact or thread. Default: `contact`.', 'contact', 'thread'),
    action: words('`kill`: they end. `release`: they leave as at their deadline. Default: `kill`.', 'kill', 'release'),
    into,
  },
  multipleslots: { slots, timeZone: slotZone },
  conditionaltimeslots: {
    cases: objects(
      `Cases, of which the first that holds is taken. ${REQUIRED}`,
      { condition: expression(`Condition. ${REQUIRED}`), slots, next: wayNext },
      20,
    ),
    default: way(`ID of the next node if no case holds. ${NEXT}`),
    timeZone: slotZone,
  },
}

const conditionWays: Members = {
  // biome-ignore lint/suspicious/noThenProperty: the interface names it so; it is never a function.
  then: way(`ID of the next node if it holds. ${NEXT}`),
  else: way(`ID of the next node if it does not hold. ${NEXT}`),
}
const branchId = clientId('ID of the branch. Absent or null: generated.')

const branchSettings: Record<string, Members> = {
  if: { condition: expression(`Condition. ${REQUIRED}`), ...conditionWays },
  match: {
    segment: id('ID of a segment. Exactly one of `segment` and `criteria` is required for activation.'),
    criteria: settingMembers.criteria(),
    ...conditionWays,
  },
  'data-explorer-v2.match': {
    event: event(`Events to count. ${REQUIRED}`),
    period: period('Period to look back. Absent or null: all stored events.'),
    correlation,
    count: object('Number of events. Default: at least 1.', {
      operator: words(
        'Comparison. Default: `greaterOrEqual`.',
        'equals',
        'notEquals',
        'greater',
        'greaterOrEqual',
        'less',
        'lessOrEqual',
      ),
      value: number('Number to compare with. Default: 1.', 0, MAX_INT32),
    }),
    ...conditionWays,
  },
  switch: {
    value: expression(`Value. ${REQUIRED}`),
    cases: objects(
      `Cases; the first with exactly this value is taken. ${REQUIRED}`,
      { value: { type: ['string', 'number', 'boolean', 'null'], description: 'Value of the case.' }, next: wayNext },
      100,
    ),
    default: way(`ID of the next node if no case has the value. ${NEXT}`),
  },
  split: {
    branches: objects(
      `Branches, at least 2. ${REQUIRED}`,
      {
        id: branchId,
        weight: number('Weight; at most two decimals, with a sum of 100 over the branches.', 0, 100, 'number'),
        next: wayNext,
      },
      100,
    ),
    by: words('What takes the same branch each time. Default: `contact`.', 'contact', 'run'),
  },
  experiment: {
    branches: objects(`Branches, at least 2. ${REQUIRED}`, { id: branchId, next: wayNext }, 10),
    holdout: number('Percent of contacts that take `holdoutNext`. Default: 0.', 0, 50, 'number'),
    holdoutNext: way(`ID of the next node of those contacts. ${NEXT}`),
    metric: event(`Event of the conversion. ${REQUIRED}`),
    period: period('Period after the visit in which it counts. Default: 3 days.'),
    method: words(
      '`fixed`: equal shares until one branch is best. `bandit`: shares follow the results. Default: `fixed`.',
      'fixed',
      'bandit',
    ),
    minimum: number('Visits of each branch before a decision. Default: 100.', 10, 100_000),
    confidence: number('Probability in percent that a branch is best. Default: 95.', 50, 99.9, 'number'),
  },
  sample: {
    percent: number(
      'Percent of contacts that take `then`. Exactly one of `percent` and `count` is required for activation.',
      0,
      100,
      'number',
    ),
    count: number('Number of visits that take `then`.', 0, MAX_INT32),
    ...conditionWays,
  },
  goal: { event: event(`Event that ends runs wherever they are. ${REQUIRED}`) },
  terminal: { outcome: text('Outcome of the run. Absent or null: none.', { maxLength: 64 }) },
}

/** Members of the settings of each type of node, except `failure`. */
export const nodeSettingMembers: Readonly<Record<string, Members>> = {
  ...sendSettings,
  ...writeAndCallSettings,
  ...waitSettings,
  ...branchSettings,
}

/** Members at the node itself. */
export const ownNodeMembers: Readonly<Record<string, Members>> = {
  publish: {
    event: expression(`Name of the event: 1 to 128 letters, digits and \`_.:-\`; not a script. ${REQUIRED}`),
    data: expression('Data of the event, an object of at most 64 KB. Absent or null: empty.'),
  },
}

/** Handling of failures, of each type of node that can fail. */
export const failureSettings: OpenApiObject = {
  type: 'object',
  description: 'Handling of a node that fails.',
  properties: {
    mode: words(
      '`fail`: the run ends as `failed`. `continue`: it goes to `next` of the node. `goto`: to `next` of the failure. Default: `fail`.',
      'fail',
      'continue',
      'goto',
    ),
    next: way('ID of the next node; required with `goto` for activation.'),
    retry: object('Retries after a temporary failure.', {
      attempts: number('Number of retries. Default: 5.', 0, 20),
      delay: period('Period before the first retry. Default: 1 minute.'),
      factor: number('Factor by which each delay is longer than the one before. Default: 2.', 1, 10, 'number'),
      max: period('Longest delay. Default: 6 hours.'),
    }),
  },
}
export const failureMember: OpenApiObject = component('WorkflowNodeFailure', 'Handling of a failure.')
