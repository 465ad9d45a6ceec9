import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Claimed } from './outbox.ts'
import type { Sender } from './sender-context.ts'

/** How often a sender looks whether what it is sending was stopped: a pause is to be felt within a second. */
const LOOK_MS = 300

/** What is known of the actions of a batch while it is sent. */
export interface Halts {
  /** Whether the action was paused or deleted: its messages are given back. */
  has(action: number): boolean
  close(): void
}

/** Looks again and again, as long as a batch is under way, whether one of its actions was paused or deleted. */
export function watchHalts({ db, log }: Pick<Sender, 'db' | 'log'>, claimed: readonly Claimed[]): Halts {
  const actions = [...new Set(claimed.map(({ action }) => action))]
  const closing = new AbortController()
  let halted: ReadonlySet<number> = new Set()
  async function look(): Promise<void> {
    const { rows } = await sql<{ id: number }>`
      select id from actions
      where id = any(${actions}::integer[]) and (paused or deleted_at is not null)`.execute(db)
    halted = new Set(rows.map(({ id }) => id))
  }
  async function keepLooking(): Promise<void> {
    for (;;) {
      await delay(LOOK_MS, undefined, { signal: closing.signal })
      await look().catch((error) => log.debug({ err: error }, 'a sender does not see whether it is to stop'))
    }
  }
  keepLooking().catch(() => undefined)
  return { has: (action) => halted.has(action), close: () => closing.abort() }
}
