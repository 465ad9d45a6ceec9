import { type Static, type TSchema, Type } from 'typebox'
import { passedOver } from '../../lib/errors/passed-over.ts'
import { int32Id } from '../../lib/int32.ts'

const Name = Type.String({ minLength: 1, maxLength: 100 })
const Texts = Type.Record(Type.String(), Type.String(), {
  description: 'plain text by language: {"fr": "...", "en": "..."}, at least one',
})
export type Texts = Static<typeof Texts>

const RedLists = Type.Array(Type.Enum(['mail', 'sms']), { maxItems: 10, description: 'lists the contact goes on' })
const SegmentId = Type.Union([Type.Integer(int32Id), Type.Null()], {
  description: 'static segment the contact joins',
})

export const FormField = Type.Object({
  field: Type.Integer(int32Id),
  label: Texts,
  required: Type.Boolean(),
  prefill: Type.Boolean({ description: 'the page shows what the contact has' }),
})
export type FormField = Static<typeof FormField>

const texts = { title: Texts, introduction: Texts, submitLabel: Texts, successMessage: Texts }

/** A form as it is answered. */
export const Form = Type.Object({
  id: Type.String({ description: 'the href of a link of type Form' }),
  name: Name,
  ...texts,
  fields: Type.Array(FormField),
  segment: SegmentId,
  redList: RedLists,
  creationDate: Type.String({ format: 'date-time' }),
  updateDate: Type.String({ format: 'date-time' }),
})
export type Form = Static<typeof Form>

function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

/** A form as a client sends it: a new one needs name and fields; of another what is absent stays. */
export const FormBody = Type.Object({
  id: passedOver,
  name: Type.Optional(Name),
  title: nullable(Texts),
  introduction: nullable(Texts),
  submitLabel: nullable(Texts),
  successMessage: nullable(Texts),
  fields: Type.Optional(
    Type.Array(
      Type.Object({
        field: FormField.properties.field,
        label: nullable(Texts),
        required: nullable(Type.Boolean()),
        prefill: nullable(Type.Boolean({ description: 'the page shows what the contact has' })),
      }),
      { minItems: 1, maxItems: 50 },
    ),
  ),
  segment: Type.Optional(SegmentId),
  redList: nullable(RedLists),
  creationDate: passedOver,
  updateDate: passedOver,
})
export type FormBody = Static<typeof FormBody>
