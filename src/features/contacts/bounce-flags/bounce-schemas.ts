import { type Static, Type } from 'typebox'
import { int32Limits } from '../../../lib/int32.ts'
import { bounceNames } from './bounce-codes.ts'

/** A flag as a caller sets it; without a type it is `hardUser`. */
export const BounceBody = Type.Union([
  Type.Object({
    type: Type.Optional(
      Type.Union([Type.String(), Type.Integer(int32Limits), Type.Null()], {
        description: `Type of the flag, by name (${bounceNames.join(', ')}) or by code. Default: \`hardUser\`.`,
      }),
    ),
    detail: Type.Optional(
      Type.Union(
        [
          Type.String({ maxLength: 10_000 }),
          Type.Object({
            message: Type.Optional(
              Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], {
                description: 'Reason for the flag. Default: an empty string.',
              }),
            ),
          }),
          Type.Null(),
        ],
        { description: 'Reason for the flag, as a text or in `message`.' },
      ),
    ),
    timestamp: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Null()], {
        description: 'Time of the bounce, in UTC. Default: now.',
      }),
    ),
  }),
  Type.Null(),
])
export type BounceBody = Static<typeof BounceBody>

/** A contact with those of its flags that were looked for. */
export const BouncedContact = Type.Object({
  id: Type.String({ description: 'ID of the contact.' }),
  bounces: Type.Array(
    Type.Object({
      type: Type.Enum([...bounceNames], {
        description:
          'Type of the flag. `validated` and `soft` do not stop messages to the address; all other types do. ' +
          '`hardDomain`: domain unknown. `hardUser`: mailbox or subscriber unknown. `hardOther`: another ' +
          'permanent refusal, or too many soft ones. `hardRules`: refused by policy. `reportAsSpam`: ' +
          'complaint.',
      }),
      fieldId: Type.Integer({ description: 'ID of the email or phone field.' }),
      detail: Type.Object(
        { message: Type.String({ description: 'Reason for the flag; an empty string if unknown.' }) },
        { description: 'Reason for the flag.' },
      ),
      timestamp: Type.String({ format: 'date-time', description: 'Time of the bounce, in UTC.' }),
    }),
    { description: 'Flags of the contact that match the search.' },
  ),
})
export type BouncedContact = Static<typeof BouncedContact>
