import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import type { SenderContext } from '../senders/sender-context.ts'

/** Interval at which a sender checks if its sendings were stopped: a pause must take effect within a second. */
const CHECK_INTERVAL_MS = 300

/** State of the sendings of a batch while it is sent. */
export interface PausedSendings {
  /** Returns true if the sending was paused or cancelled: its messages return to the outbox. */
  has(sending: number): boolean
  close(): void
}

/** Looks again and again, as long as a batch is under way, whether one of its sendings was paused or cancelled. */
export function watchPausedSendings(
  { db, log }: Pick<SenderContext, 'db' | 'log'>,
  claimed: readonly ClaimedMessage[],
): PausedSendings {
  const sendings = [...new Set(claimed.map(({ sending }) => sending))]
  const closeController = new AbortController()
  let haltedSendings: ReadonlySet<number> = new Set()
  async function checkSendings(): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      select id from sendings
      where id = any(${sendings}::bigint[]) and (paused or state = 'cancelled')`.execute(db)
    haltedSendings = new Set(rows.map(({ id }) => id))
  }
  async function keepLooking(): Promise<void> {
    for (;;) {
      await delay(CHECK_INTERVAL_MS, undefined, { signal: closeController.signal })
      await checkSendings().catch((error) => log.debug({ err: error }, 'stopped sendings could not be read'))
    }
  }
  keepLooking().catch(() => undefined)
  return { has: (sending) => haltedSendings.has(sending), close: () => closeController.abort() }
}
