import { type Static, Type } from 'typebox'

export const NormalizationBody = Type.Union([
  Type.Object({
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String(), { maxItems: 250 }), {
        description:
          'by phone field, the countries (ISO 3166) tried in order; without it every one with defaultCountry',
      }),
    ),
  }),
  Type.Null(),
])
export type NormalizationBody = Static<typeof NormalizationBody>

/** The number of values that were converted to international form, that were in this form already, and that remain unchanged. */
export const NormalizationCounts = Type.Object({
  normalized: Type.Integer({ description: 'values that became numbers in international form' }),
  unchanged: Type.Integer({ description: 'values that were such already' }),
  invalid: Type.Integer({ description: 'values that stay as they are, as they are no numbers' }),
})
export type NormalizationCounts = Static<typeof NormalizationCounts>
