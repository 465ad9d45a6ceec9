import { type OutboxLane, outboxLanes } from '../../lib/lanes.ts'

/**
 * Role of a sender thread: `prompt` threads send messages that were requested one by one, without ever waiting for a batch of a campaign;
 * `bulk` threads send campaigns, and help with other messages that have to wait; `any` threads send everything.
 */
export type SenderRole = 'prompt' | 'bulk' | 'any'

const allLanes = Object.values(outboxLanes)

/** The lanes that a thread of a role takes messages from. */
export const lanesBySenderRole: Record<SenderRole, readonly OutboxLane[]> = {
  prompt: allLanes.filter((lane) => lane !== outboxLanes.bulk),
  bulk: allLanes,
  any: allLanes,
}

/** Milliseconds that what is in a lane is left to others first. */
export function getLaneGraceMs(role: SenderRole, lane: OutboxLane): number {
  return role === 'bulk' && lane !== outboxLanes.bulk ? 100 : 0
}

interface ThreadOptions {
  /** Number of threads; 0: as many as fit the machine. */
  threads: number
  cores: number
  /** Memory is small: no thread more than there are cores. */
  isSmall: boolean
}

/** The roles of the sender threads of a process. */
export function listSenderRoles({ threads, cores, isSmall }: ThreadOptions): SenderRole[] {
  if (threads === 1) return ['any']
  if (threads === 0 && isSmall) return Array<SenderRole>(cores).fill('any')
  const bulkCount = threads === 0 ? cores : threads - 1
  return ['prompt', ...Array<SenderRole>(bulkCount).fill('bulk')]
}
