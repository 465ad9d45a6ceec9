/** Lanes of the outbox: bulk never delays the others. */
export const lanes = { urgent: 0, transactional: 1, bulk: 2 } as const

export type Lane = (typeof lanes)[keyof typeof lanes]
