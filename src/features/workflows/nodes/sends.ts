import { expression } from '../../../scripting/expressions/expression.ts'
import { type Member, object, optional, required } from '../../../scripting/schemas/objects.ts'
import type { ReferenceKind } from '../../../scripting/schemas/shape.ts'
import { reference, uuid, variableName, word } from '../../../scripting/schemas/values.ts'
import { optionalValue, requiredValue, valuesByName, variables } from './members.ts'
import { nodeType } from './node-type.ts'

const SMS_LENGTH = 1600
const options = { family: 'sends', hasFailure: true }

/** Whom a message is for and what it gives to its templates. */
const given = {
  receiver: optionalValue('identification'),
  related: optionalValue('identification'),
  data: valuesByName,
  variables,
  blocks: optionalValue('list'),
  into: optional(variableName),
}

const action = <Id extends string | number>(kind: ReferenceKind): Member<Id | null> => required(reference<Id>(kind))

/** The members of an email execution item that are not in `given`. */
const mailItem = {
  subject: optionalValue('string', { most: 998 }),
  headers: optionalValue('object'),
  content: optionalValue('object'),
  attachments: optionalValue('list'),
  copies: optionalValue('list'),
  urgent: optionalValue('boolean'),
  important: optionalValue('boolean'),
}

const smsItem = {
  subject: optionalValue('string', { most: 998 }),
  headers: optionalValue('object'),
  content: optionalValue('object'),
  urgent: optionalValue('boolean'),
  important: optionalValue('boolean'),
}

const rcsItem = {
  content: optionalValue('object'),
  fallback: optionalValue('object'),
  expiration: optionalValue('object'),
  urgent: optionalValue('boolean'),
}

const target = (named: 'route' | 'channel') =>
  optional(object({ type: required(word('literal', named)), value: requiredValue('string', { most: 2048 }) }))

const overrides = {
  icon: optionalValue('string'),
  thumbnail: optionalValue('string'),
  image: optionalValue('string'),
  redirection: target('route'),
  channel: target('channel'),
  data: valuesByName,
  variables,
  urgent: optionalValue('boolean'),
  receiver: optionalValue('identification'),
  into: optional(variableName),
}

export const sendMail = nodeType(
  'sendMail',
  object({ action: action<string>('mailMessage'), ...given, ...mailItem }),
  options,
)

export const sendSms = nodeType(
  'sendSms',
  object({ action: action<string>('smsMessage'), ...given, ...smsItem }),
  options,
)

/** An SMS of a text of its own: the action gives field, sender and rules. */
export const sms = nodeType(
  'sms',
  object({
    action: action<string>('smsWithText'),
    text: required(expression('string', { most: SMS_LENGTH })),
    ...given,
    ...smsItem,
  }),
  options,
)

export const sendRcs = nodeType(
  'rcs/execution',
  object({ action: action<number>('rcsMessage'), ...given, ...rcsItem }),
  options,
)

/** A push of texts of its own. */
export const sendPush = nodeType(
  'sendpushapp',
  object({
    notification: action<number>('sentNotification'),
    title: requiredValue('string'),
    body: requiredValue('string'),
    ...overrides,
  }),
  options,
)

/** A push of a version of the notification. */
export const executeNotification = nodeType(
  'np6.notification/execution',
  object({
    notification: action<number>('sentNotification'),
    version: optional(uuid),
    title: optionalValue('string'),
    body: optionalValue('string'),
    ...overrides,
  }),
  options,
)
