import { pushChannelTraits } from '../../../channels/push/traits.ts'
import { rcsChannelTraits } from '../../../channels/rcs/traits.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { type DefinitionExpression, expressionShape } from '../../../scripting/expressions/expression.ts'
import { type ObjectMember, objectShape, optionalMember, requiredMember } from '../../../scripting/schemas/objects.ts'
import type { ReferenceKind } from '../../../scripting/schemas/shape.ts'
import { enumShape, referenceShape, uuidShape, variableNameShape } from '../../../scripting/schemas/values.ts'
import {
  type LeavePlan,
  type NodeVisit,
  type SendEffect,
  type SendEffectAnswer,
  StepFailure,
  type StepPlan,
} from './node-contract.ts'
import { defineNodeType } from './node-type.ts'
import { expressionMapShape, messageVariablesShape, optionalExpression, requiredExpression } from './setting-members.ts'

const MAX_SMS_LENGTH = 1600

/** Receiver of a message, and the values for its templates. */
const recipientMembers = {
  receiver: optionalExpression('identification'),
  related: optionalExpression('identification'),
  data: expressionMapShape,
  variables: messageVariablesShape,
  blocks: optionalExpression('list'),
  into: optionalMember(variableNameShape),
}

const createActionMember = <Id extends string | number>(kind: ReferenceKind): ObjectMember<Id | null> =>
  requiredMember(referenceShape<Id>(kind))

/** The members of an email execution item that are not in `recipientMembers`. */
const mailItemMembers = {
  subject: optionalExpression('string', { most: 998 }),
  headers: optionalExpression('object'),
  content: optionalExpression('object'),
  attachments: optionalExpression('list'),
  copies: optionalExpression('list'),
  urgent: optionalExpression('boolean'),
  important: optionalExpression('boolean'),
}

const smsItemMembers = {
  subject: optionalExpression('string', { most: 998 }),
  headers: optionalExpression('object'),
  content: optionalExpression('object'),
  urgent: optionalExpression('boolean'),
  important: optionalExpression('boolean'),
}

const rcsItemMembers = {
  content: optionalExpression('object'),
  fallback: optionalExpression('object'),
  expiration: optionalExpression('object'),
  urgent: optionalExpression('boolean'),
}

const createTargetMember = (targetKind: 'route' | 'channel') =>
  optionalMember(
    objectShape({
      type: requiredMember(enumShape('literal', targetKind)),
      value: requiredExpression('string', { most: 2048 }),
    }),
  )

const pushOverrides = {
  icon: optionalExpression('string'),
  thumbnail: optionalExpression('string'),
  image: optionalExpression('string'),
  redirection: createTargetMember('route'),
  channel: createTargetMember('channel'),
  data: expressionMapShape,
  variables: messageVariablesShape,
  urgent: optionalExpression('boolean'),
  receiver: optionalExpression('identification'),
  into: optionalMember(variableNameShape),
}

/** Settings of all send types. Those that a type does not have are absent. */
interface SendNodeSettings
  extends Partial<Record<(typeof ITEM_MEMBERS)[number] | 'text' | 'receiver', DefinitionExpression | null>> {
  action?: string | number | null
  notification?: number | null
  version?: string | null
  data: Readonly<Record<string, DefinitionExpression>> | null
  variables: readonly { key: string | null; value: DefinitionExpression | null }[] | null
  redirection?: { type: string | null; value: DefinitionExpression | null } | null
  channel?: { type: string | null; value: DefinitionExpression | null } | null
  into: string | null
}

/** Members that are given to the execution as they are. */
const ITEM_MEMBERS = [
  'related',
  'blocks',
  'subject',
  'headers',
  'content',
  'attachments',
  'copies',
  'urgent',
  'important',
  'fallback',
  'expiration',
  'title',
  'body',
  'icon',
  'thumbnail',
  'image',
] as const

/** Resolves the receiver. If the expression names no contact, the contact of the run is not used instead. */
function resolveReceiver({ settings, contact, value }: NodeVisit<SendNodeSettings>): unknown {
  const receiverValue = settings.receiver ? (value(settings.receiver) ?? null) : undefined
  if (receiverValue === null || (receiverValue === undefined && contact === null))
    throw new StepFailure('no receiver', 'There is no contact to send the message to.')
  return receiverValue ?? { type: 'id', value: formatContactId(contact!) }
}

/** A text of its own, in place of the content. */
function buildTextContent(text: unknown): object {
  if (typeof text !== 'string') throw new StepFailure('text', 'The text of the message must be a string.')
  if (text.length > MAX_SMS_LENGTH)
    throw new StepFailure('text', `The text has more than ${MAX_SMS_LENGTH} characters.`)
  return { type: 'inline', text }
}

/** The item of an execution that the settings of a visit make; its stamp is added where it is performed. */
function buildExecutionItem(visit: NodeVisit<SendNodeSettings>): Record<string, unknown> {
  const { settings, value } = visit
  const item: Record<string, unknown> = { receiver: resolveReceiver(visit) }
  for (const name of ITEM_MEMBERS) {
    const expression = settings[name]
    if (expression) item[name] = value(expression) ?? null
  }
  const { data, variables, redirection, channel, version, text } = settings
  if (data)
    item['data'] = Object.fromEntries(
      Object.entries(data).map(([name, memberExpression]) => [name, value(memberExpression) ?? null]),
    )
  if (variables)
    item['variables'] = variables.map(({ key, value: memberExpression }) => ({
      key,
      value: value(memberExpression!) ?? null,
    }))
  if (redirection) item['redirection'] = { type: redirection.type, value: value(redirection.value!) }
  if (channel) item['channel'] = { type: channel.type, value: value(channel.value!) }
  if (version) item['version'] = version
  if (text) item['content'] = buildTextContent(value(text))
  return item
}

function planSendLeave({ settings, next }: NodeVisit<SendNodeSettings>, answer: unknown): LeavePlan {
  const { result, stamp } = answer as SendEffectAnswer
  return { type: 'leave', next, outcome: 'accepted', value: result, into: settings.into, detail: { stamp } }
}

/** Properties and behaviour of all nodes that send; `source` is the kind of their action or notification. */
function createSendTraits(source: SendEffect['source']) {
  return {
    hasFailure: true,
    isSend: true,
    enter(visit: NodeVisit<SendNodeSettings>): StepPlan {
      const { action, notification } = visit.settings
      return {
        type: 'ask',
        ask: { kind: 'send', source, id: (notification ?? action)!, item: buildExecutionItem(visit) },
      }
    },
    resumeWithAnswer: planSendLeave,
  }
}

const sendMailNode = defineNodeType({
  type: 'sendMail',
  settings: objectShape({ action: createActionMember<string>('mailMessage'), ...recipientMembers, ...mailItemMembers }),
  ...createSendTraits('action'),
})

const sendSmsNode = defineNodeType({
  type: 'sendSms',
  settings: objectShape({ action: createActionMember<string>('smsMessage'), ...recipientMembers, ...smsItemMembers }),
  ...createSendTraits('action'),
})

/** An SMS of a text of its own: the action gives field, sender and rules. */
const smsTextNode = defineNodeType({
  type: 'sms',
  settings: objectShape({
    action: createActionMember<string>('smsWithText'),
    text: requiredMember(expressionShape('string', { most: MAX_SMS_LENGTH })),
    ...recipientMembers,
    ...smsItemMembers,
  }),
  ...createSendTraits('action'),
})

/** A push of texts of its own. */
const sendPushNode = defineNodeType({
  type: 'sendpushapp',
  settings: objectShape({
    notification: createActionMember<number>('sentNotification'),
    title: requiredExpression('string'),
    body: requiredExpression('string'),
    ...pushOverrides,
  }),
  ...createSendTraits(pushChannelTraits.sourceKind),
})

/** A push of a version of the notification. */
const notificationNode = defineNodeType({
  type: 'np6.notification/execution',
  settings: objectShape({
    notification: createActionMember<number>('sentNotification'),
    version: optionalMember(uuidShape),
    title: optionalExpression('string'),
    body: optionalExpression('string'),
    ...pushOverrides,
  }),
  ...createSendTraits(pushChannelTraits.sourceKind),
})

const sendRcsNode = defineNodeType({
  type: 'rcs/execution',
  settings: objectShape({ action: createActionMember<number>('rcsMessage'), ...recipientMembers, ...rcsItemMembers }),
  ...createSendTraits(rcsChannelTraits.sourceKind),
})

export const sendNodeTypes = [sendMailNode, sendSmsNode, smsTextNode, sendPushNode, notificationNode, sendRcsNode]
