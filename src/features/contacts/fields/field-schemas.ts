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
  operator: Type.Integer({
    minimum: 0,
    maximum: 5,
    description: 'Comparison: 0 none, 1 `>`, 2 `<`, 3 `>=`, 4 `<=`, 5 `==`.',
  }),
  value: Type.String({
    maxLength: 100,
    pattern: '^[ -~]*$',
    description: 'Value to compare with: a number, a date, or a number of characters for text fields.',
  }),
}
export const FieldConstraint = Type.Object(constraintMembers)

const fieldMembers = {
  type: Type.Enum(fieldTypes, {
    description:
      'Type of the field. `textField`: one line of text. `textArea`: text of several lines. ' +
      '`singleSelectList` and `multipleSelectList`: one or several values of a value list.',
  }),
  name: Type.String({
    description:
      'Name of the field: 1 to 100 characters, not digits only, unique in the account regardless of ' + 'case.',
  }),
}

const fieldFlags = {
  isUnicity: Type.Boolean({
    description:
      'True if the field is part of the unicity, the key that identifies a contact. Not for text areas ' +
      'and lists. Default: false.',
  }),
  isMandatory: Type.Boolean({
    description: 'True if the value cannot be emptied; always true for unicity fields. Default: false.',
  }),
  isCriterion: Type.Boolean({
    description: 'True if the field can be used in criteria. Default: true, except for text areas.',
  }),
}

function buildNullableSchema<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

/** A field as it is answered. */
export const ContactFieldDefinition = Type.Object({
  type: fieldMembers.type,
  id: Type.Integer({ description: 'ID of the field.' }),
  name: fieldMembers.name,
  ...fieldFlags,
  constraint: Type.Optional({
    ...FieldConstraint,
    description:
      'Condition on new values; stored values are not checked again. Numeric and date fields compare the ' +
      'value, text fields its number of characters; other types take no condition. Absent: none.',
  }),
  valueListId: Type.Optional(
    Type.Integer({
      description: 'ID of the value list that holds the possible values. Absent for other types than lists.',
    }),
  ),
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
      {
        description:
          'Condition on new values; stored values are not checked again. Numeric and date fields compare the ' +
          'value, text fields its number of characters; other types take no condition. Null: none.',
      },
    ),
  ),
  valueListId: buildNullableSchema(
    Type.Integer({
      minimum: 0,
      maximum: MAX_INT32,
      description:
        'ID of the value list that holds the possible values; required for the two list types. 0 means not ' + 'given.',
    }),
  ),
})

export type FieldConstraint = Static<typeof FieldConstraint>
export type ContactFieldDefinition = Static<typeof ContactFieldDefinition>
export type FieldBody = Static<typeof FieldBody>
