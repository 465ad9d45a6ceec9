import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { DesignJson } from './design-schemas.ts'

const Name = Type.String({ minLength: 1, maxLength: 255 })
const Description = nullableSchema(Type.String({ maxLength: 1_000 }))
const Category = nullableSchema(Type.String({ minLength: 1, maxLength: 100, description: 'a word of your own' }))
const Kind = Type.Enum(['design', 'rows'], { description: 'a whole message, or rows to be put into one' })
const Instant = Type.String({ format: 'date-time' })

const common = {
  id: Type.Integer(),
  name: Name,
  description: Description,
  category: Category,
  type: Kind,
  creationDate: Instant,
  updateDate: Instant,
}

/** A saved design in a list, where its rows are left out. */
export const SavedDesignSummary = Type.Object(common, { title: 'ListedDesign' })
export type SavedDesignSummary = Static<typeof SavedDesignSummary>

/** A design that the account has saved. */
export const SavedDesign = Type.Object({ ...common, design: DesignJson }, { title: 'SavedDesign' })
export type SavedDesign = Static<typeof SavedDesign>

/** A request: what is absent keeps its value; `design` is replaced whole. */
export const SavedDesignBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(Name),
  description: Type.Optional(Description),
  category: Type.Optional(Category),
  type: Type.Optional(Kind),
  design: Type.Optional(DesignJson),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
})
export type SavedDesignBody = Static<typeof SavedDesignBody>

/** A design that comes with the program. */
export const LibraryDesign = Type.Object(
  {
    id: Type.String({ description: 'newsletter' }),
    name: Type.String(),
    description: Type.String(),
    category: Type.String({ description: 'what it is for, in a word' }),
    language: Type.Enum(['en', 'fr']),
    design: DesignJson,
  },
  { title: 'LibraryDesign' },
)
export type LibraryDesign = Static<typeof LibraryDesign>
