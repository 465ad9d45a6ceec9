import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { DueWorkWatch } from '../../jobs/due-watch.ts'
import { type OutboxLane, outboxLanes } from '../../lib/lanes.ts'
import { getLaneGraceMs, type SenderRole } from './sender-roles.ts'
import type { SenderThreadOrder } from './sender-thread.ts'

/** A thread looks for itself so often, whatever is found in a lane; and after a pause while the database is away. */
const REST_MS = 30_000
const AWAY_MS = 500

const nameOf = (lane: OutboxLane): string => `lane ${lane}`

/**
 * Condition: something is in a lane, though it may not be due or be paused. In the order of the index of what is due: an empty lane
 * costs one look at it, and no reading of the others.
 */
export function hasMessagesInLane(lane: OutboxLane): RawBuilder<unknown> {
  return sql`
    (select m.lane from messages m where m.state = 'queued' and m.lane = ${lane}
      order by m.account, m.sending, m.not_before, m.id limit 1) is not null
    or (select s.lane from message_slices s where s.claimed_by is null and s.lane = ${lane}
      order by s.account, s.sending, s.id limit 1) is not null`
}

/** A sender thread that waits for work. */
export interface WaitingSenderThread {
  worker: { postMessage(order: SenderThreadOrder): void }
  role: SenderRole
}

/**
 * Gives how a thread is told that there may be something in a lane: at once, or where it only helps with the lane, when others have
 * left something there for a while.
 */
export function createLaneWatch(
  watch: DueWorkWatch,
  signal: AbortSignal,
): (thread: WaitingSenderThread, lane: OutboxLane) => Promise<void> {
  setMaxListeners(0, signal)
  for (const lane of Object.values(outboxLanes)) watch.add(nameOf(lane), () => hasMessagesInLane(lane))
  const untilFilled = (lane: OutboxLane) => watch.until(nameOf(lane), { signal, mostMs: REST_MS })
  async function untilWanted(lane: OutboxLane, graceMs: number): Promise<void> {
    if (!(await untilFilled(lane)) || graceMs === 0) return
    await delay(graceMs, undefined, { signal })
    await untilFilled(lane)
  }
  return async ({ worker, role }, lane) => {
    // While the database is away the thread is told so as well: it finds out itself.
    await untilWanted(lane, getLaneGraceMs(role, lane)).catch(() =>
      delay(AWAY_MS, undefined, { signal }).catch(() => undefined),
    )
    worker.postMessage({ filled: lane })
  }
}
