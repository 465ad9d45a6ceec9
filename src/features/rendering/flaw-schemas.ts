import { type Static, Type } from 'typebox'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

/** One error or finding of a test or a validation. */
export const ReportedFlaw = Type.Object({
  type: Type.String({ description: 'Type of the error or finding.' }),
  message: Type.String({ description: 'Explanation of the error or finding.' }),
  part: nullableSchema(
    Type.String({
      description: 'Part of the content, such as `subject`, `html`, `text` or `textContent`. Null: none in particular.',
    }),
  ),
  position: nullableSchema(
    Type.Object(
      {
        line: Type.Integer({ description: 'Line, from 1.' }),
        column: Type.Integer({ description: 'Column, from 1.' }),
      },
      { description: 'Position in the part. Null: unknown.' },
    ),
  ),
})
export type ReportedFlaw = Static<typeof ReportedFlaw>
