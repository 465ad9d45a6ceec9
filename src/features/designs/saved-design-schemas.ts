import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { DesignJson } from './design-schemas.ts'

const NameSchema = Type.String({ minLength: 1, maxLength: 255, description: 'the name that people give it' })
const DescriptionSchema = nullableSchema(
  Type.String({ maxLength: 1_000, description: 'words that say what it is for' }),
)
const CategorySchema = nullableSchema(Type.String({ minLength: 1, maxLength: 100, description: 'a word of your own' }))
const DesignKindSchema = Type.Enum(['design', 'rows'], { description: 'a whole message, or rows to be put into one' })
const InstantSchema = Type.String({ format: 'date-time' })

const summaryMembers = {
  id: Type.Integer({ description: 'what names it in this account' }),
  name: NameSchema,
  description: DescriptionSchema,
  category: CategorySchema,
  type: DesignKindSchema,
  creationDate: { ...InstantSchema, description: 'when it was made, in UTC' },
  updateDate: { ...InstantSchema, description: 'when it was changed last, in UTC' },
}

/** A saved design in a list, where its rows are left out. */
export const SavedDesignSummary = Type.Object(summaryMembers, { title: 'ListedDesign' })
export type SavedDesignSummary = Static<typeof SavedDesignSummary>

/** A design that the account has saved. */
export const SavedDesign = Type.Object({ ...summaryMembers, design: DesignJson }, { title: 'SavedDesign' })
export type SavedDesign = Static<typeof SavedDesign>

/** A request: what is absent keeps its value; `design` is replaced whole. */
export const SavedDesignBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(NameSchema),
  description: Type.Optional(DescriptionSchema),
  category: Type.Optional(CategorySchema),
  type: Type.Optional(DesignKindSchema),
  design: Type.Optional(DesignJson),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
})
export type SavedDesignBody = Static<typeof SavedDesignBody>

/** A design that comes with the program. */
export const LibraryDesign = Type.Object(
  {
    id: Type.String({ description: 'newsletter' }),
    name: Type.String({ description: 'the name that people give it' }),
    description: Type.String({ description: 'words that say what it is for' }),
    category: Type.String({ description: 'what it is for, in a word' }),
    language: Type.Enum(['en', 'fr'], { description: 'a language, as in `fr`' }),
    design: DesignJson,
  },
  { title: 'LibraryDesign' },
)
export type LibraryDesign = Static<typeof LibraryDesign>
