import { pushChannelTraits } from '../../../channels/push/traits.ts'
import { rcsChannelTraits } from '../../../channels/rcs/traits.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import {
  type LeavePlan,
  type NodeSteps,
  type NodeVisit,
  type SendEffect,
  StepFailure,
  type StepPlan,
} from '../nodes/node-contract.ts'

/** Settings of all send types. Those that a type does not have are absent. */
interface SendNodeSettings
  extends Partial<Record<(typeof ITEM_MEMBERS)[number] | 'text' | 'receiver', DefinitionExpression | null>> {
  action?: string | number | null
  notification?: number | null
  version?: string | null
  data: Readonly<Record<string, DefinitionExpression>> | null
  variables: readonly { key: string; value: DefinitionExpression }[] | null
  redirection?: { type: string; value: DefinitionExpression } | null
  channel?: { type: string; value: DefinitionExpression } | null
  into: string | null
}

/** Answer of the send handler. */
export interface SendEffectAnswer {
  /** As an execution answers. */
  result: Readonly<Record<string, unknown>>
  stamp: string
}

const MAX_SMS_LENGTH = 1600

/** Members that are given to the execution as they are. */
const ITEM_MEMBERS = [
  ...['related', 'blocks', 'subject', 'headers', 'content', 'attachments', 'copies', 'urgent', 'important'],
  ...['fallback', 'expiration', 'title', 'body', 'icon', 'thumbnail', 'image'],
] as const

/** Resolves the receiver. If the expression names no contact, the contact of the run is not used instead. */
function resolveReceiver({ settings, contact, value }: NodeVisit<SendNodeSettings>): unknown {
  const receiverValue = settings.receiver ? (value(settings.receiver) ?? null) : undefined
  if (receiverValue === null || (receiverValue === undefined && contact === null))
    throw new StepFailure('no receiver', 'There is no contact that it could be sent to.')
  return receiverValue ?? { type: 'id', value: formatContactId(contact!) }
}

/** A text of its own, in place of the content. */
function buildTextContent(text: unknown): object {
  if (typeof text !== 'string') throw new StepFailure('text', 'The text of the message must be a text.')
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
      value: value(memberExpression) ?? null,
    }))
  if (redirection) item['redirection'] = { type: redirection.type, value: value(redirection.value) }
  if (channel) item['channel'] = { type: channel.type, value: value(channel.value) }
  if (version) item['version'] = version
  if (text) item['content'] = buildTextContent(value(text))
  return item
}

function planSendLeave({ settings, next }: NodeVisit<SendNodeSettings>, answer: unknown): LeavePlan {
  const { result, stamp } = answer as SendEffectAnswer
  return { type: 'leave', next, outcome: 'accepted', value: result, into: settings.into, detail: { stamp } }
}

function createSendSteps(source: SendEffect['source']): NodeSteps<SendNodeSettings> {
  return {
    enter(visit): StepPlan {
      const { action, notification } = visit.settings
      return {
        type: 'ask',
        ask: { kind: 'send', source, id: (notification ?? action)!, item: buildExecutionItem(visit) },
      }
    },
    answered: planSendLeave,
  }
}

/** Sends by an action: `sendMail`, `sendSms`, `sms`. */
export const actionSendSteps = createSendSteps('action')

/** `rcs/execution`. */
export const rcsSendSteps = createSendSteps(rcsChannelTraits.sourceKind)

/** `sendpushapp`, `np6.notification/execution`. */
export const notificationSendSteps = createSendSteps(pushChannelTraits.sourceKind)
