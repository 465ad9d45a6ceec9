import { setMaxListeners } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { DueWorkWatch } from '../../jobs/due-watch.ts'
import { type OutboxLane, outboxLanes } from '../../lib/lanes.ts'
import { getLaneGraceMs, type SenderRole } from './sender-roles.ts'
import type { SenderThreadOrder } from './sender-thread.ts'

/** A thread looks for itself so often, whatever is found in a lane; and after a pause while the database is away. */
const SELF_CHECK_INTERVAL_MS = 30_000
const UNAVAILABLE_PAUSE_MS = 500

const buildWatchName = (lane: OutboxLane): string => `lane ${lane}`

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
 * Returns a function that notifies a thread that a lane may have work: at once, or, if it only helps with the lane, once others have left
 * work there for a while.
 */
export function createLaneWatch(
  watch: DueWorkWatch,
  signal: AbortSignal,
): (thread: WaitingSenderThread, lane: OutboxLane) => Promise<void> {
  setMaxListeners(0, signal)
  for (const lane of Object.values(outboxLanes)) watch.add(buildWatchName(lane), () => hasMessagesInLane(lane))
  const untilFilled = (lane: OutboxLane) =>
    watch.until(buildWatchName(lane), { signal, mostMs: SELF_CHECK_INTERVAL_MS })
  async function untilWanted(lane: OutboxLane, graceMs: number): Promise<void> {
    if (!(await untilFilled(lane)) || graceMs === 0) return
    await delay(graceMs, undefined, { signal })
    await untilFilled(lane)
  }
  return async ({ worker, role }, lane) => {
    // While the database is unavailable the thread is notified as well: it finds out itself.
    await untilWanted(lane, getLaneGraceMs(role, lane)).catch(() =>
      delay(UNAVAILABLE_PAUSE_MS, undefined, { signal }).catch(() => undefined),
    )
    worker.postMessage({ filled: lane })
  }
}
