import { type Static, Type } from 'typebox'
import { passedOver } from '../../lib/errors/passed-over.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Description = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])

export const Category = Type.Object({
  id: Type.Integer(),
  name: Name,
  description: Description,
  creationDate: Type.String({ format: 'date-time' }),
  default: Type.Boolean({ description: 'true on exactly one, made with the account' }),
})
export type Category = Static<typeof Category>

/** A request: the members the service sets may come back and are passed over. */
export const CategoryBody = Type.Object({
  id: passedOver,
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  creationDate: passedOver,
  default: passedOver,
})
export type CategoryBody = Static<typeof CategoryBody>
