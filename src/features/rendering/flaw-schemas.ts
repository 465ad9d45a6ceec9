import { type Static, Type } from 'typebox'
import { nullable } from '../accounts/sending-settings-schemas.ts'

/** One error or finding of a test or a validation. */
export const FlawShown = Type.Object({
  type: Type.String(),
  message: Type.String(),
  part: nullable(Type.String()),
  position: nullable(Type.Object({ line: Type.Integer(), column: Type.Integer() })),
})
export type FlawShown = Static<typeof FlawShown>
