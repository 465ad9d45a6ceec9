import { expressionShape } from '../../../scripting/expressions/expression.ts'
import { type ObjectMember, objectShape, optionalMember, requiredMember } from '../../../scripting/schemas/objects.ts'
import type { ReferenceKind } from '../../../scripting/schemas/shape.ts'
import { enumShape, referenceShape, uuidShape, variableNameShape } from '../../../scripting/schemas/values.ts'
import { expressionMapShape, messageVariablesShape, optionalExpression, requiredExpression } from './members.ts'
import { defineNodeType } from './node-type.ts'

const MAX_SMS_LENGTH = 1600
const sendNodeOptions = { family: 'sends', hasFailure: true }

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

export const sendMailNode = defineNodeType(
  'sendMail',
  objectShape({ action: createActionMember<string>('mailMessage'), ...recipientMembers, ...mailItemMembers }),
  sendNodeOptions,
)

export const sendSmsNode = defineNodeType(
  'sendSms',
  objectShape({ action: createActionMember<string>('smsMessage'), ...recipientMembers, ...smsItemMembers }),
  sendNodeOptions,
)

/** An SMS of a text of its own: the action gives field, sender and rules. */
export const smsTextNode = defineNodeType(
  'sms',
  objectShape({
    action: createActionMember<string>('smsWithText'),
    text: requiredMember(expressionShape('string', { most: MAX_SMS_LENGTH })),
    ...recipientMembers,
    ...smsItemMembers,
  }),
  sendNodeOptions,
)

export const sendRcsNode = defineNodeType(
  'rcs/execution',
  objectShape({ action: createActionMember<number>('rcsMessage'), ...recipientMembers, ...rcsItemMembers }),
  sendNodeOptions,
)

/** A push of texts of its own. */
export const sendPushNode = defineNodeType(
  'sendpushapp',
  objectShape({
    notification: createActionMember<number>('sentNotification'),
    title: requiredExpression('string'),
    body: requiredExpression('string'),
    ...pushOverrides,
  }),
  sendNodeOptions,
)

/** A push of a version of the notification. */
export const notificationNode = defineNodeType(
  'np6.notification/execution',
  objectShape({
    notification: createActionMember<number>('sentNotification'),
    version: optionalMember(uuidShape),
    title: optionalExpression('string'),
    body: optionalExpression('string'),
    ...pushOverrides,
  }),
  sendNodeOptions,
)
