import { type OutboxLane, outboxLanes } from '../../lib/lanes.ts'

/**
 * What a sender thread is for: `prompt` ones send what was asked for one by one, without ever waiting for a batch of a campaign;
 * `bulk` ones send campaigns, and help with the rest where it has to wait; `any` ones send whatever there is.
 */
export type SenderRole = 'prompt' | 'bulk' | 'any'

const all = Object.values(outboxLanes)

/** The lanes that a thread of a role takes messages from. */
export const lanesBySenderRole: Record<SenderRole, readonly OutboxLane[]> = {
  prompt: all.filter((lane) => lane !== outboxLanes.bulk),
  bulk: all,
  any: all,
}

/** Milliseconds that what is in a lane is left to others first. */
export function getLaneGraceMs(role: SenderRole, lane: OutboxLane): number {
  return role === 'bulk' && lane !== outboxLanes.bulk ? 100 : 0
}

interface Threads {
  /** How many there are; 0: as many as fit the machine. */
  threads: number
  cores: number
  /** Memory is small: no thread more than there are cores. */
  isSmall: boolean
}

/** The roles of the sender threads of a process. */
export function listSenderRoles({ threads, cores, isSmall }: Threads): SenderRole[] {
  if (threads === 1) return ['any']
  if (threads === 0 && isSmall) return Array<SenderRole>(cores).fill('any')
  const bulk = threads === 0 ? cores : threads - 1
  return ['prompt', ...Array<SenderRole>(bulk).fill('bulk')]
}
