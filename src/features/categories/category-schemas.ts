import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of the category, 1 to 100 characters, unique within the account in any letter case.',
})
const Description = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()], {
  description: 'Description of the category, for users.',
})

export const ActionCategory = Type.Object({
  id: Type.Integer({ description: 'ID of the category.' }),
  name: Name,
  description: Description,
  creationDate: Type.String({ format: 'date-time', description: 'Time of creation, in UTC.' }),
  default: Type.Boolean({
    description: 'True for the default category, which exactly one category is. It is created with the account.',
  }),
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
