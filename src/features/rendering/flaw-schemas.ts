import { type Static, Type } from 'typebox'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

/** One error or finding of a test or a validation. */
export const ReportedFlaw = Type.Object({
  type: Type.String({ description: 'which of the possible kinds it is' }),
  message: Type.String({ description: 'what is wrong, in words' }),
  part: nullableSchema(Type.String({ description: 'the part of the content that it is in' })),
  position: nullableSchema(
    Type.Object(
      {
        line: Type.Integer({ description: 'line of the text, from 1' }),
        column: Type.Integer({ description: 'column of the line, from 1' }),
      },
      { description: 'where it stands in the text' },
    ),
  ),
})
export type ReportedFlaw = Static<typeof ReportedFlaw>
