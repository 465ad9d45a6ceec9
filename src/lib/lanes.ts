/** Lanes of the outbox: bulk never delays the others. */
export const outboxLanes = { urgent: 0, transactional: 1, bulk: 2 } as const

export type OutboxLane = (typeof outboxLanes)[keyof typeof outboxLanes]
