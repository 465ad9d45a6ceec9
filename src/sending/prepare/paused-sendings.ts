import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import type { SenderContext } from '../senders/sender-context.ts'

/** How often a sender looks whether what it is sending was stopped: a pause is to be felt within a second. */
const LOOK_MS = 300

/** What is known of the sendings of a batch while it is sent. */
export interface PausedSendings {
  /** Whether the sending was paused or cancelled: its messages are given back. */
  has(sending: number): boolean
  close(): void
}

/** Looks again and again, as long as a batch is under way, whether one of its sendings was paused or cancelled. */
export function watchPausedSendings(
  { db, log }: Pick<SenderContext, 'db' | 'log'>,
  claimed: readonly ClaimedMessage[],
): PausedSendings {
  const sendings = [...new Set(claimed.map(({ sending }) => sending))]
  const closing = new AbortController()
  let halted: ReadonlySet<number> = new Set()
  async function look(): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      select id from sendings
      where id = any(${sendings}::bigint[]) and (paused or state = 'cancelled')`.execute(db)
    halted = new Set(rows.map(({ id }) => id))
  }
  async function keepLooking(): Promise<void> {
    for (;;) {
      await delay(LOOK_MS, undefined, { signal: closing.signal })
      await look().catch((error) => log.debug({ err: error }, 'a sender does not see whether it is to stop'))
    }
  }
  keepLooking().catch(() => undefined)
  return { has: (sending) => halted.has(sending), close: () => closing.abort() }
}
