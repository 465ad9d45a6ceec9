import { pushChannelTraits } from '../../../channels/push/facts.ts'
import { rcsChannelTraits } from '../../../channels/rcs/facts.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import {
  type LeavePlan,
  type NodeSteps,
  type NodeVisit,
  type SendEffect,
  StepFailure,
  type StepPlan,
} from '../stepping/step.ts'

/** What the types of sends have in their settings: those that one has not are absent. */
interface SendSettings
  extends Partial<Record<(typeof members)[number] | 'text' | 'receiver', DefinitionExpression | null>> {
  action?: string | number | null
  notification?: number | null
  version?: string | null
  data: Readonly<Record<string, DefinitionExpression>> | null
  variables: readonly { key: string; value: DefinitionExpression }[] | null
  redirection?: { type: string; value: DefinitionExpression } | null
  channel?: { type: string; value: DefinitionExpression } | null
  into: string | null
}

/** What the performer of sends answers. */
export interface SendEffectAnswer {
  /** As an execution answers. */
  result: Readonly<Record<string, unknown>>
  stamp: string
}

const SMS_LENGTH = 1600

/** Members that are given to the execution as they are. */
const members = [
  ...['related', 'blocks', 'subject', 'headers', 'content', 'attachments', 'copies', 'urgent', 'important'],
  ...['fallback', 'expiration', 'title', 'body', 'icon', 'thumbnail', 'image'],
] as const

/** Who it is for: an expression that names nobody does not stand for the contact of the run. */
function receiverOf({ settings, contact, value }: NodeVisit<SendSettings>): unknown {
  const given = settings.receiver ? (value(settings.receiver) ?? null) : undefined
  if (given === null || (given === undefined && contact === null))
    throw new StepFailure('no receiver', 'There is no contact that it could be sent to.')
  return given ?? { type: 'id', value: formatContactId(contact!) }
}

/** A text of its own, in place of the content. */
function textOf(text: unknown): object {
  if (typeof text !== 'string') throw new StepFailure('text', 'The text of the message must be a text.')
  if (text.length > SMS_LENGTH) throw new StepFailure('text', `The text has more than ${SMS_LENGTH} characters.`)
  return { type: 'inline', text }
}

/** The item of an execution that the settings of a visit make; its stamp is added where it is performed. */
function itemOf(visit: NodeVisit<SendSettings>): Record<string, unknown> {
  const { settings, value } = visit
  const item: Record<string, unknown> = { receiver: receiverOf(visit) }
  for (const name of members) {
    const expression = settings[name]
    if (expression) item[name] = value(expression) ?? null
  }
  const { data, variables, redirection, channel, version, text } = settings
  if (data) item['data'] = Object.fromEntries(Object.entries(data).map(([name, one]) => [name, value(one) ?? null]))
  if (variables) item['variables'] = variables.map(({ key, value: one }) => ({ key, value: value(one) ?? null }))
  if (redirection) item['redirection'] = { type: redirection.type, value: value(redirection.value) }
  if (channel) item['channel'] = { type: channel.type, value: value(channel.value) }
  if (version) item['version'] = version
  if (text) item['content'] = textOf(value(text))
  return item
}

function sent({ settings, next }: NodeVisit<SendSettings>, answer: unknown): LeavePlan {
  const { result, stamp } = answer as SendEffectAnswer
  return { type: 'leave', next, outcome: 'accepted', value: result, into: settings.into, detail: { stamp } }
}

function sends(source: SendEffect['source']): NodeSteps<SendSettings> {
  return {
    enter(visit): StepPlan {
      const { action, notification } = visit.settings
      return { type: 'ask', ask: { kind: 'send', source, id: (notification ?? action)!, item: itemOf(visit) } }
    },
    answered: sent,
  }
}

/** Sends by an action: `sendMail`, `sendSms`, `sms`. */
export const actionSendSteps = sends('action')

/** `rcs/execution`. */
export const rcsSendSteps = sends(rcsChannelTraits.sourceKind)

/** `sendpushapp`, `np6.notification/execution`. */
export const notificationSendSteps = sends(pushChannelTraits.sourceKind)
