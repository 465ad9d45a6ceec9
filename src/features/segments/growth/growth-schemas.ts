import { type Static, Type } from 'typebox'

export const AudienceGrowthQuery = Type.Object({
  start: Type.Optional(Type.String({ description: 'first day; 90 days before the end by default' })),
  end: Type.Optional(Type.String({ description: 'day after the last one; tomorrow by default' })),
})
export type AudienceGrowthQuery = Static<typeof AudienceGrowthQuery>

const Count = Type.Integer({ minimum: 0 })

/** A day of the account's zone. Who came and went on the same day is in neither number. */
export const AudienceGrowthDay = Type.Object({
  date: Type.String({ format: 'date', description: 'when it happened, in UTC' }),
  count: Type.Integer({ minimum: 0, description: 'at its end; today: now' }),
  entered: { ...Count, description: 'contacts who came in' },
  left: { ...Count, description: 'contacts who went' },
})
export type AudienceGrowthDay = Static<typeof AudienceGrowthDay>
