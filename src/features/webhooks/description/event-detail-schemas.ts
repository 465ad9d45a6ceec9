import { type OpenApiObject, openApiSchemaRef } from '../../../http/openapi/document.ts'
import type { EventType } from '../../events/kinds/event-kinds.ts'

/** An object that may have more members than those described. */
const openObject = (description: string, properties: Record<string, OpenApiObject> = {}): OpenApiObject => ({
  type: 'object',
  description,
  properties,
  additionalProperties: true,
})

const text = (description: string): OpenApiObject => ({ type: 'string', description })
const optionalText = (description: string): OpenApiObject => ({ type: ['string', 'null'], description })
const words = (description: string, ...values: string[]): OpenApiObject => ({
  type: 'string',
  enum: values,
  description,
})
const timeMember: OpenApiObject = { type: 'integer', description: 'Time of what happened, in milliseconds since 1970.' }
const deviceSchema = openObject('Device, as far as its user agent shows.', {
  type: words('Type of the device.', 'desktop', 'phone', 'tablet', 'server', 'unknown'),
  os: optionalText('Operating system. Null: unknown.'),
  client: optionalText('Program. Null: unknown.'),
})
const classificationMember: OpenApiObject = {
  type: ['string', 'null'],
  enum: ['mpp', 'gsr', 'genericrobot', null],
  description: 'Class of a robot: `mpp`, `gsr` or `genericrobot`. Null: human.',
}
const gatewayMember = openObject('Gateway, or the IDs of the provider.')
const stampSchema = openObject('Stamp of the message.', {
  id: text('ID of the message, the same in all its events.'),
  thread: text('ID of the conversation.'),
  set: text('ID of the request or of the campaign run.'),
  time: { type: 'integer', description: 'Time of the message, in milliseconds since 1970.' },
})
const sourceMembers = {
  id: {
    anyOf: [{ type: 'string' }, { type: 'integer' }],
    description:
      'ID of the action or display campaign (a text), or number of the RCS action or notification (an integer).',
  },
  kind: words('Kind of the message.', 'message', 'campaign', 'test', 'application', 'impression'),
  stamp: openApiSchemaRef('StampDetail'),
}

/** The objects within the detail of an event, as components by their names. */
export const eventDetailSchemas: Readonly<Record<string, OpenApiObject>> = {
  StampDetail: stampSchema,
  DeviceDetail: deviceSchema,
  ExecutionDetail: openObject('Request of a message. Its other members depend on the channel.', {
    ...sourceMembers,
    data: openObject('Data for templates.'),
    origin: openObject('Origin of the request.', {
      type: words('Type of the origin.', 'api', 'workflow', 'webtask', 'compilable', 'campaign', 'task'),
    }),
  }),
  ActivationDetail: openObject('Hand-over of a message. Its other members depend on the channel.', {
    ...sourceMembers,
    gateway: openObject('Gateway that the message was handed over to.'),
  }),
  CancellationDetail: openObject('Reason why the message is not handed over.', {
    type: text('Type of the reason, such as `redlist` or `marketing pressure`.'),
    value: openObject('Explanation of the reason; its members depend on `type`.'),
  }),
  BounceDetail: openObject('Refusal of the message.', {
    time: timeMember,
    status: openObject('Refusal as it was received.', {
      type: words('`sync`: a refusal at hand-over. `async`: a later report.', 'sync', 'async'),
    }),
    analysis: openObject('Classification of the refusal.', {
      verdict: words('`hard`: the address does not exist. `soft`: any other refusal.', 'hard', 'soft'),
    }),
  }),
  LinkDetail: openObject('Link that was followed; its members depend on `type`.', {
    type: words('Type of the link.', 'open', 'redirection', 'unsubscribe', 'mirror', 'form', 'dismiss'),
  }),
  HitDetail: openObject('Request of the contact or of a robot.', {
    time: timeMember,
    ip: optionalText('IP address, truncated, full or null according to the setting `ip` of the account.'),
    userAgent: optionalText('First 512 characters of the user agent. Null: none.'),
    device: openApiSchemaRef('DeviceDetail'),
    classification: classificationMember,
  }),
  ComplaintDetail: openObject('Complaint of a mailbox provider.', {
    time: timeMember,
    feedback: openObject('Report of the provider.'),
  }),
  ReplyDetail: openObject('Answer by SMS.', {
    time: timeMember,
    type: words('`stop`: the first word is a stop word. `other`: any other answer.', 'stop', 'other'),
    text: optionalText('Text of the answer.'),
    keyword: optionalText('Stop word. Null: none.'),
  }),
  DeliveryDetail: openObject('Delivery report.', { time: timeMember, gateway: gatewayMember }),
  InteractionDetail: openObject('Interaction with an RCS message or its agent; its members depend on `type`.', {
    time: timeMember,
    type: words(
      'Type of the interaction.',
      'read',
      'text',
      'file',
      'location',
      'suggestion',
      'redirection',
      'subscribe',
      'unsubscribe',
    ),
    classification: classificationMember,
    gateway: gatewayMember,
  }),
  ImpressionDetail: openObject('Display of a push on a device.', {
    time: timeMember,
    userAgent: optionalText('User agent of the device. Null: none.'),
    device: openApiSchemaRef('DeviceDetail'),
  }),
  OptoutDetail: openObject('Muting of the app or of a channel.', {
    time: timeMember,
    type: words('`global`: the app. `channel`: the channel in `value`.', 'global', 'channel'),
    value: text('Name of the channel.'),
  }),
}

const executionMember = openApiSchemaRef('ExecutionDetail')
const activationMember = openApiSchemaRef('ActivationDetail')
const reactionMember: OpenApiObject = {
  anyOf: [activationMember, { type: 'null' }],
  description: 'Activation that the event is a reaction to. Null: unknown.',
}

/** The members of the detail of an event, by its type. */
export const eventDetailMembers: Readonly<Record<EventType, Record<string, OpenApiObject>>> = {
  execution: { execution: executionMember },
  activation: { activation: activationMember },
  cancellation: { execution: executionMember, cancellation: openApiSchemaRef('CancellationDetail') },
  bounce: { activation: reactionMember, bounce: openApiSchemaRef('BounceDetail') },
  hit: { activation: reactionMember, link: openApiSchemaRef('LinkDetail'), hit: openApiSchemaRef('HitDetail') },
  complaint: { activation: reactionMember, complaint: openApiSchemaRef('ComplaintDetail') },
  reply: { activation: reactionMember, reply: openApiSchemaRef('ReplyDetail') },
  delivery: { activation: reactionMember, delivery: openApiSchemaRef('DeliveryDetail') },
  interaction: { activation: reactionMember, interaction: openApiSchemaRef('InteractionDetail') },
  impression: { activation: reactionMember, impression: openApiSchemaRef('ImpressionDetail') },
  optout: { activation: reactionMember, optout: openApiSchemaRef('OptoutDetail') },
}

/** The detail of an event of any type, as histories have it. */
export const eventDetailSchema: OpenApiObject = openObject(
  'Execution or activation, and one object named after the kind of the event.',
  {
    ...(Object.assign({}, ...Object.values(eventDetailMembers)) as Record<string, OpenApiObject>),
    activation: {
      ...reactionMember,
      description: 'Activation, or that which the event is a reaction to. Null: unknown.',
    },
  },
)
