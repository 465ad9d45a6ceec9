import { setTimeout as delay } from 'node:timers/promises'
import { retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import { type Lane, lanes } from '../../lib/lanes.ts'
import { claimSlices, SLICE_SIZE } from '../plan/message-slices.ts'
import type { Sender } from '../senders/sender-context.ts'
import { claimMessages, LEASE_MS, releaseAll } from './claim-messages.ts'
import type { ClaimedMessage } from './queue-messages.ts'

/** As long as the database may go on with a statement whose connection is gone: its time limit, and some more. */
const LOST_MS = 120_000
const RETRY_MS = 10_000

async function releaseLateClaims(batch: Sender): Promise<void> {
  for (let waited = 0; waited < LOST_MS; waited += RETRY_MS) {
    await delay(RETRY_MS, undefined, { signal: batch.signal, ref: false })
    await retryWhileUnavailable(batch, () => releaseAll(batch.db, batch.id))
  }
}

/**
 * Claims up to `limit` due messages of a lane for a batch, which carries its own name as id, and as many that wait in
 * slices. When the answer is lost with the connection, the claim may have been made, or be made late: whatever it took is
 * given back, as no process knows of it.
 */
export async function claimBatch(batch: Sender, lane: Lane, limit: number): Promise<ClaimedMessage[]> {
  const { db, id, clock, log } = batch
  try {
    const turn = { now: clock.now(), leaseMs: LEASE_MS }
    const rows = await claimMessages(db, id, lane, { limit, ...turn })
    // Campaigns are never transactional.
    if (lane === lanes.transactional) return rows
    return [...rows, ...(await claimSlices(db, id, lane, { limit: Math.ceil(limit / SLICE_SIZE), ...turn }))]
  } catch (error) {
    await retryWhileUnavailable(batch, () => releaseAll(db, id))
    releaseLateClaims(batch).catch((reason) => log.debug({ err: reason }, 'a lost claim is left to recovery'))
    throw error
  }
}
