import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Description = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])

export const ActionCategory = Type.Object({
  id: Type.Integer(),
  name: Name,
  description: Description,
  creationDate: Type.String({ format: 'date-time' }),
  default: Type.Boolean({ description: 'true on exactly one, made with the account' }),
})
export type ActionCategory = Static<typeof ActionCategory>

/** A request: the members the service sets may come back and are passed over. */
export const ActionCategoryBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  creationDate: ignoredMemberSchema,
  default: ignoredMemberSchema,
})
export type ActionCategoryBody = Static<typeof ActionCategoryBody>
