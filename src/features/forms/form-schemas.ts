import { type Static, type TSchema, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32IdLimits } from '../../lib/int32.ts'

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'the name that people give it' })
const LocalizedFormText = Type.Record(Type.String(), Type.String(), {
  description: 'plain text by language: {"fr": "...", "en": "..."}, at least one',
})
export type LocalizedFormText = Static<typeof LocalizedFormText>

const RedListChannels = Type.Array(Type.Enum(['mail', 'sms']), {
  maxItems: 10,
  description: 'lists the contact goes on',
})
const SegmentId = Type.Union([Type.Integer(int32IdLimits), Type.Null()], {
  description: 'static segment the contact joins',
})

export const FormField = Type.Object({
  field: Type.Integer({ ...int32IdLimits, description: 'id of the field' }),
  label: LocalizedFormText,
  required: Type.Boolean({ description: 'whether it must be given' }),
  prefill: Type.Boolean({ description: 'the page shows what the contact has' }),
})
export type FormField = Static<typeof FormField>

const textProperties = {
  title: LocalizedFormText,
  introduction: LocalizedFormText,
  submitLabel: LocalizedFormText,
  successMessage: LocalizedFormText,
}

/** A form as it is answered. */
export const FormResource = Type.Object({
  id: Type.String({ description: 'the href of a link of type Form' }),
  name: Name,
  ...textProperties,
  fields: Type.Array(FormField, { description: 'values by the ids of fields' }),
  segment: SegmentId,
  redList: RedListChannels,
  creationDate: Type.String({ format: 'date-time', description: 'when it was made, in UTC' }),
  updateDate: Type.String({ format: 'date-time', description: 'when it was changed last, in UTC' }),
})
export type FormResource = Static<typeof FormResource>

function optionalNullable<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

/** A form as a client sends it: a new one needs name and fields; of another what is absent stays. */
export const FormBody = Type.Object({
  id: ignoredMemberSchema,
  name: Type.Optional(Name),
  title: optionalNullable(LocalizedFormText),
  introduction: optionalNullable(LocalizedFormText),
  submitLabel: optionalNullable(LocalizedFormText),
  successMessage: optionalNullable(LocalizedFormText),
  fields: Type.Optional(
    Type.Array(
      Type.Object({
        field: FormField.properties.field,
        label: optionalNullable(LocalizedFormText),
        required: optionalNullable(Type.Boolean({ description: 'whether it must be given' })),
        prefill: optionalNullable(Type.Boolean({ description: 'the page shows what the contact has' })),
      }),
      { minItems: 1, maxItems: 50, description: 'values by the ids of fields' },
    ),
  ),
  segment: Type.Optional(SegmentId),
  redList: optionalNullable(RedListChannels),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
})
export type FormBody = Static<typeof FormBody>
