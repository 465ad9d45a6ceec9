import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'the name that people give it' })
const Description = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
  description: 'words that say what it is for',
})

export const ActionCategory = Type.Object({
  id: Type.Integer({ description: 'what names it in this account' }),
  name: Name,
  description: Description,
  creationDate: Type.String({ format: 'date-time', description: 'when it was made, in UTC' }),
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
