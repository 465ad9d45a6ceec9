import { type Static, type TSchema, Type } from 'typebox'
import { ignoredMemberSchema } from '../../lib/errors/passed-over.ts'
import { int32IdLimits } from '../../lib/int32.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Name of the form: 1 to 100 characters, unique in the account regardless of case.',
})
const LocalizedFormText = Type.Record(Type.String(), Type.String(), {
  description: 'Plain text by language, such as `{"fr": "…", "en": "…"}`; at least one language.',
})
export type LocalizedFormText = Static<typeof LocalizedFormText>

const RedListChannels = Type.Array(Type.Enum(['mail', 'sms']), {
  maxItems: 10,
  description:
    'Suppression lists that the contact is added to when the form is sent. `mail`: email. `sms`: SMS and RCS.',
})
const SegmentId = Type.Union([Type.Integer(int32IdLimits), Type.Null()], {
  description: 'ID of the static segment that the contact joins when the form is sent. Null: none.',
})

export const FormField = Type.Object({
  field: Type.Integer({ ...int32IdLimits, description: 'ID of the field.' }),
  label: LocalizedFormText,
  required: Type.Boolean({ description: 'True if the field must be filled in. Default: false.' }),
  prefill: Type.Boolean({ description: 'True if the page shows the current value of the contact. Default: false.' }),
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
  id: Type.String({ description: 'ID of the form, used as `href` of a link to it.' }),
  name: Name,
  ...textProperties,
  fields: Type.Array(FormField, { description: 'Fields of the form, in order. Unicity fields are not allowed.' }),
  segment: SegmentId,
  redList: RedListChannels,
  creationDate: Type.String({ format: 'date-time', description: 'Time of creation, in UTC.' }),
  updateDate: Type.String({ format: 'date-time', description: 'Time of the last change, in UTC.' }),
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
        required: optionalNullable(
          Type.Boolean({ description: 'True if the field must be filled in. Default: false.' }),
        ),
        prefill: optionalNullable(
          Type.Boolean({ description: 'True if the page shows the current value of the contact. Default: false.' }),
        ),
      }),
      {
        minItems: 1,
        maxItems: 50,
        description:
          'Fields of the form, in order. Unicity fields are refused with 409. In an update they replace all ' +
          'fields.',
      },
    ),
  ),
  segment: Type.Optional(SegmentId),
  redList: optionalNullable(RedListChannels),
  creationDate: ignoredMemberSchema,
  updateDate: ignoredMemberSchema,
})
export type FormBody = Static<typeof FormBody>
