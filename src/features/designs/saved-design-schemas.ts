import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { nullableSchema } from '../accounts/sending-settings-schemas.ts'
import { DesignJson } from './design-schemas.ts'

const NameSchema = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Name of the design, 1 to 255 characters.',
})
const DescriptionSchema = nullableSchema(
  Type.String({ maxLength: 1_000, description: 'Description of the design, for users.' }),
)
const CategorySchema = nullableSchema(
  Type.String({ minLength: 1, maxLength: 100, description: 'Category of the design: any word. Null: none.' }),
)
const DesignKindSchema = Type.Enum(['design', 'rows'], {
  description: '`design`: a whole message. `rows`: rows to insert into a message. Default: `design`.',
})
const InstantSchema = Type.String({ format: 'date-time' })

const summaryMembers = {
  id: Type.Integer({ description: 'ID of the design.' }),
  name: NameSchema,
  description: DescriptionSchema,
  category: CategorySchema,
  type: DesignKindSchema,
  creationDate: { ...InstantSchema, description: 'Time of creation, in UTC.' },
  updateDate: { ...InstantSchema, description: 'Time of the last change, in UTC.' },
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
    id: Type.String({ description: 'ID of the design, such as `newsletter`. The same in every language.' }),
    name: Type.String({ description: 'Name of the design.' }),
    description: Type.String({ description: 'Description of the design, for users.' }),
    category: Type.String({ description: 'Category of the design.' }),
    language: Type.Enum(['en', 'fr'], { description: 'Language of the texts.' }),
    design: DesignJson,
  },
  { title: 'LibraryDesign' },
)
export type LibraryDesign = Static<typeof LibraryDesign>
