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
      Type.Union([
        Type.String({ maxLength: 10_000 }),
        Type.Object({ message: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])) }),
        Type.Null(),
      ]),
    ),
    timestamp: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
  }),
  Type.Null(),
])
export type BounceBody = Static<typeof BounceBody>

/** A contact with those of its flags that were looked for. */
export const BouncedContact = Type.Object({
  id: Type.String(),
  bounces: Type.Array(
    Type.Object({
      type: Type.Enum([...bounceNames]),
      fieldId: Type.Integer(),
      detail: Type.Object({ message: Type.String() }),
      timestamp: Type.String({ format: 'date-time' }),
    }),
    { description: 'flags of its addresses' },
  ),
})
export type BouncedContact = Static<typeof BouncedContact>
