import { notification } from '../../../channels/push/facts.ts'
import { rcs } from '../../../channels/rcs/facts.ts'
import { contactId } from '../../../lib/ids.ts'
import type { Expression } from '../../../scripting/expressions/expression.ts'
import { type Leave, type NodeSteps, type Plan, type SendAsk, StepFailure, type Visit } from '../stepping/step.ts'

/** What the types of sends have in their settings: those that one has not are absent. */
interface SendSettings extends Partial<Record<(typeof members)[number] | 'text' | 'receiver', Expression | null>> {
  action?: string | number | null
  notification?: number | null
  version?: string | null
  data: Readonly<Record<string, Expression>> | null
  variables: readonly { key: string; value: Expression }[] | null
  redirection?: { type: string; value: Expression } | null
  channel?: { type: string; value: Expression } | null
  into: string | null
}

/** What the performer of sends answers. */
export interface Sent {
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
function receiverOf({ settings, contact, value }: Visit<SendSettings>): unknown {
  const given = settings.receiver ? (value(settings.receiver) ?? null) : undefined
  if (given === null || (given === undefined && contact === null))
    throw new StepFailure('no receiver', 'There is no contact that it could be sent to.')
  return given ?? { type: 'id', value: contactId(contact!) }
}

/** A text of its own, in place of the content. */
function textOf(text: unknown): object {
  if (typeof text !== 'string') throw new StepFailure('text', 'The text of the message must be a text.')
  if (text.length > SMS_LENGTH) throw new StepFailure('text', `The text has more than ${SMS_LENGTH} characters.`)
  return { type: 'inline', text }
}

/** The item of an execution that the settings of a visit make; its stamp is added where it is performed. */
function itemOf(visit: Visit<SendSettings>): Record<string, unknown> {
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

function sent({ settings, next }: Visit<SendSettings>, answer: unknown): Leave {
  const { result, stamp } = answer as Sent
  return { type: 'leave', next, outcome: 'accepted', value: result, into: settings.into, detail: { stamp } }
}

function sends(source: SendAsk['source']): NodeSteps<SendSettings> {
  return {
    enter(visit): Plan {
      const { action, notification } = visit.settings
      return { type: 'ask', ask: { kind: 'send', source, id: (notification ?? action)!, item: itemOf(visit) } }
    },
    answered: sent,
  }
}

/** Sends by an action: `sendMail`, `sendSms`, `sms`. */
export const actionSends = sends('action')

/** `rcs/execution`. */
export const rcsSends = sends(rcs.sourceKind)

/** `sendpushapp`, `np6.notification/execution`. */
export const notificationSends = sends(notification.sourceKind)
