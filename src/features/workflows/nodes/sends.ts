import { expressionShape } from '../../../scripting/expressions/expression.ts'
import { type ObjectMember, objectShape, optionalMember, requiredMember } from '../../../scripting/schemas/objects.ts'
import type { ReferenceKind } from '../../../scripting/schemas/shape.ts'
import { enumShape, referenceShape, uuidShape, variableNameShape } from '../../../scripting/schemas/values.ts'
import { expressionMapShape, messageVariablesShape, optionalExpression, requiredExpression } from './members.ts'
import { defineNodeType } from './node-type.ts'

const SMS_LENGTH = 1600
const options = { family: 'sends', hasFailure: true }

/** Whom a message is for and what it gives to its templates. */
const given = {
  receiver: optionalExpression('identification'),
  related: optionalExpression('identification'),
  data: expressionMapShape,
  variables: messageVariablesShape,
  blocks: optionalExpression('list'),
  into: optionalMember(variableNameShape),
}

const action = <Id extends string | number>(kind: ReferenceKind): ObjectMember<Id | null> =>
  requiredMember(referenceShape<Id>(kind))

/** The members of an email execution item that are not in `given`. */
const mailItem = {
  subject: optionalExpression('string', { most: 998 }),
  headers: optionalExpression('object'),
  content: optionalExpression('object'),
  attachments: optionalExpression('list'),
  copies: optionalExpression('list'),
  urgent: optionalExpression('boolean'),
  important: optionalExpression('boolean'),
}

const smsItem = {
  subject: optionalExpression('string', { most: 998 }),
  headers: optionalExpression('object'),
  content: optionalExpression('object'),
  urgent: optionalExpression('boolean'),
  important: optionalExpression('boolean'),
}

const rcsItem = {
  content: optionalExpression('object'),
  fallback: optionalExpression('object'),
  expiration: optionalExpression('object'),
  urgent: optionalExpression('boolean'),
}

const target = (named: 'route' | 'channel') =>
  optionalMember(
    objectShape({
      type: requiredMember(enumShape('literal', named)),
      value: requiredExpression('string', { most: 2048 }),
    }),
  )

const overrides = {
  icon: optionalExpression('string'),
  thumbnail: optionalExpression('string'),
  image: optionalExpression('string'),
  redirection: target('route'),
  channel: target('channel'),
  data: expressionMapShape,
  variables: messageVariablesShape,
  urgent: optionalExpression('boolean'),
  receiver: optionalExpression('identification'),
  into: optionalMember(variableNameShape),
}

export const sendMailNode = defineNodeType(
  'sendMail',
  objectShape({ action: action<string>('mailMessage'), ...given, ...mailItem }),
  options,
)

export const sendSmsNode = defineNodeType(
  'sendSms',
  objectShape({ action: action<string>('smsMessage'), ...given, ...smsItem }),
  options,
)

/** An SMS of a text of its own: the action gives field, sender and rules. */
export const smsTextNode = defineNodeType(
  'sms',
  objectShape({
    action: action<string>('smsWithText'),
    text: requiredMember(expressionShape('string', { most: SMS_LENGTH })),
    ...given,
    ...smsItem,
  }),
  options,
)

export const sendRcsNode = defineNodeType(
  'rcs/execution',
  objectShape({ action: action<number>('rcsMessage'), ...given, ...rcsItem }),
  options,
)

/** A push of texts of its own. */
export const sendPushNode = defineNodeType(
  'sendpushapp',
  objectShape({
    notification: action<number>('sentNotification'),
    title: requiredExpression('string'),
    body: requiredExpression('string'),
    ...overrides,
  }),
  options,
)

/** A push of a version of the notification. */
export const notificationNode = defineNodeType(
  'np6.notification/execution',
  objectShape({
    notification: action<number>('sentNotification'),
    version: optionalMember(uuidShape),
    title: optionalExpression('string'),
    body: optionalExpression('string'),
    ...overrides,
  }),
  options,
)
