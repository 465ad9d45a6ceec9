import { type Static, Type } from 'typebox'

export const AudienceGrowthQuery = Type.Object({
  start: Type.Optional(Type.String({ description: 'First day to return. Default: 90 days before the end.' })),
  end: Type.Optional(Type.String({ description: 'Day after the last one to return. Default: tomorrow.' })),
})
export type AudienceGrowthQuery = Static<typeof AudienceGrowthQuery>

const Count = Type.Integer({ minimum: 0 })

/** A day of the account's zone. Who came and went on the same day is in neither number. */
export const AudienceGrowthDay = Type.Object({
  date: Type.String({ format: 'date', description: "Day in the account's time zone." }),
  count: Type.Integer({ minimum: 0, description: 'Number at the end of the day; for today, the number now.' }),
  entered: {
    ...Count,
    description: 'Number of contacts added on that day; those that left on the same day are not counted.',
  },
  left: {
    ...Count,
    description: 'Number of contacts that left on that day; those added on the same day are not counted.',
  },
})
export type AudienceGrowthDay = Static<typeof AudienceGrowthDay>
