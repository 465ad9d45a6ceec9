import { type Static, Type } from 'typebox'
import { int32Limits } from '../../../lib/int32.ts'
import { bounceNames } from './bounce-codes.ts'

/** A flag as a caller sets it; without a type it is `hardUser`. */
export const BounceBody = Type.Union([
  Type.Object({
    type: Type.Optional(
      Type.Union([Type.String(), Type.Integer(int32Limits), Type.Null()], {
        description: `${bounceNames.join(', ')}, or a code`,
      }),
    ),
    detail: Type.Optional(
      Type.Union(
        [
          Type.String({ maxLength: 10_000 }),
          Type.Object({
            message: Type.Optional(
              Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()], { description: 'what is wrong, in words' }),
            ),
          }),
          Type.Null(),
        ],
        { description: 'more about it, in words' },
      ),
    ),
    timestamp: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Null()], { description: 'when it happened, in UTC' }),
    ),
  }),
  Type.Null(),
])
export type BounceBody = Static<typeof BounceBody>

/** A contact with those of its flags that were looked for. */
export const BouncedContact = Type.Object({
  id: Type.String({ description: 'what names it in this account' }),
  bounces: Type.Array(
    Type.Object({
      type: Type.Enum([...bounceNames], { description: 'which of the possible kinds it is' }),
      fieldId: Type.Integer({ description: 'id of the field' }),
      detail: Type.Object(
        { message: Type.String({ description: 'what is wrong, in words' }) },
        { description: 'more about it, in words' },
      ),
      timestamp: Type.String({ format: 'date-time', description: 'when it happened, in UTC' }),
    }),
    { description: 'flags of its addresses' },
  ),
})
export type BouncedContact = Static<typeof BouncedContact>
