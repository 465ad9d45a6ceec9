import { type Static, type TSchema, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'

export const fieldTypes = [
  'email',
  'phone',
  'textField',
  'textArea',
  'numeric',
  'date',
  'singleSelectList',
  'multipleSelectList',
] as const

export type FieldType = (typeof fieldTypes)[number]

const constraintMembers = {
  operator: Type.Integer({ minimum: 0, maximum: 5, description: '0 none, 1 >, 2 <, 3 >=, 4 <=, 5 ==' }),
  value: Type.String({
    maxLength: 100,
    pattern: '^[ -~]*$',
    description: 'number, date, or for texts a number of characters',
  }),
}
export const FieldConstraint = Type.Object(constraintMembers)

const fieldMembers = {
  type: Type.Enum(fieldTypes, { description: 'which of the possible kinds it is' }),
  name: Type.String({
    description: '1 to 100 characters, not digits only, unique in the account without regard to case',
  }),
}

const fieldFlags = {
  isUnicity: Type.Boolean({ description: 'part of the key of contacts; not for textArea and lists' }),
  isMandatory: Type.Boolean({ description: 'cannot be emptied; true is forced by isUnicity' }),
  isCriterion: Type.Boolean({ description: 'indexed and usable in criteria' }),
}

function buildNullableSchema<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

/** A field as it is answered. */
export const ContactFieldDefinition = Type.Object({
  type: fieldMembers.type,
  id: Type.Integer({ description: 'what names it in this account' }),
  name: fieldMembers.name,
  ...fieldFlags,
  constraint: Type.Optional({ ...FieldConstraint, description: 'what its values must fulfil' }),
  valueListId: Type.Optional(Type.Integer({ description: 'id of the list that its values are of' })),
})

/** A field as a client sends it; a new one needs type and name, of another what is absent stays. */
export const FieldBody = Type.Object({
  id: ignoredMemberSchema,
  type: Type.Optional(fieldMembers.type),
  name: Type.Optional(fieldMembers.name),
  isUnicity: buildNullableSchema(fieldFlags.isUnicity),
  isMandatory: buildNullableSchema(fieldFlags.isMandatory),
  isCriterion: buildNullableSchema(fieldFlags.isCriterion),
  constraint: Type.Optional(
    Type.Union(
      [Type.Object({ ...constraintMembers, value: buildNullableSchema(constraintMembers.value) }), Type.Null()],
      { description: 'what its values must fulfil' },
    ),
  ),
  valueListId: buildNullableSchema(Type.Integer({ minimum: 0, maximum: MAX_INT32, description: '0: not given' })),
})

export type FieldConstraint = Static<typeof FieldConstraint>
export type ContactFieldDefinition = Static<typeof ContactFieldDefinition>
export type FieldBody = Static<typeof FieldBody>
