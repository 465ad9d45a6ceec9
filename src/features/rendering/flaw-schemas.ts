import { type Static, Type } from 'typebox'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'

/** One error or finding of a test or a validation. */
export const ReportedFlaw = Type.Object({
  type: Type.String(),
  message: Type.String(),
  part: nullableSchema(Type.String()),
  position: nullableSchema(Type.Object({ line: Type.Integer(), column: Type.Integer() })),
})
export type ReportedFlaw = Static<typeof ReportedFlaw>
