import { type Static, Type } from 'typebox'

export const NormalizationBody = Type.Union([
  Type.Object({
    fields: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String(), { maxItems: 250 }), {
        description:
          'Countries to try in order, as ISO 3166 codes, by ID or name of the phone field. Absent: every ' +
          'phone field with the default country of the account.',
      }),
    ),
  }),
  Type.Null(),
])
export type NormalizationBody = Static<typeof NormalizationBody>

/** The number of values that were converted to international form, that were in this form already, and that remain unchanged. */
export const NormalizationCounts = Type.Object({
  normalized: Type.Integer({ description: 'Number of values converted to E.164.' }),
  unchanged: Type.Integer({ description: 'Number of values that were in E.164 already.' }),
  invalid: Type.Integer({
    description:
      'Number of values that stay as they are because they are not valid numbers or would duplicate a ' + 'unicity.',
  }),
})
export type NormalizationCounts = Static<typeof NormalizationCounts>
