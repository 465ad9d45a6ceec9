import { setTimeout as delay } from 'node:timers/promises'
import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import { type OutboxLane, outboxLanes } from '../../lib/lanes.ts'
import { claimMessageSlices, MESSAGE_SLICE_SIZE } from '../plan/message-slices.ts'
import type { SenderContext } from '../senders/sender-context.ts'
import { claimMessages, releaseAllMessages } from './claim-messages.ts'
import type { ClaimedMessage } from './queue-messages.ts'
import { MESSAGE_LEASE_MS } from './renew-message-leases.ts'

/** As long as the database may go on with a statement whose connection is gone: its time limit, and some more. */
const LOST_STATEMENT_MS = 120_000
const RELEASE_RETRY_MS = 10_000

async function releaseLateClaims(batch: SenderContext): Promise<void> {
  for (let waitedMs = 0; waitedMs < LOST_STATEMENT_MS; waitedMs += RELEASE_RETRY_MS) {
    await delay(RELEASE_RETRY_MS, undefined, { signal: batch.signal, ref: false })
    await retryWhileUnavailable(batch, () => releaseAllMessages(batch.db, batch.id))
  }
}

/**
 * Claims up to `limit` due messages of a lane for a batch, which carries its own name as id, and as many that wait in
 * slices. When the answer is lost with the connection, the claim may have been made, or be made late: whatever it took is
 * given back, as no process knows of it.
 */
export async function claimMessageBatch(
  batch: SenderContext,
  lane: OutboxLane,
  limit: number,
): Promise<ClaimedMessage[]> {
  const { db, id, clock, log } = batch
  try {
    const claimOptions = { now: clock.now(), leaseMs: MESSAGE_LEASE_MS }
    const rows = await claimMessages(db, id, lane, { limit, ...claimOptions })
    // Campaigns are never transactional.
    if (lane === outboxLanes.transactional) return rows
    return [
      ...rows,
      ...(await claimMessageSlices(db, id, lane, { limit: Math.ceil(limit / MESSAGE_SLICE_SIZE), ...claimOptions })),
    ]
  } catch (error) {
    await retryWhileUnavailable(batch, () => releaseAllMessages(db, id))
    releaseLateClaims(batch).catch((reason) => log.debug({ err: reason }, 'lost claim left to recovery'))
    throw error
  }
}
