import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Db, inTransaction } from '../../database/connect.ts'
import type { Clock } from '../../lib/clock.ts'
import { retryDelay } from './backoff.ts'
import { type Claimed, claimedBy, releaseMessages } from './claim.ts'
import { dropJournals, type JournalEntry, journalsLeft, readJournals } from './journal.ts'
import type { Materials } from './materials.ts'
import { type Outcome, recordOutcomes } from './record.ts'

interface Recovery {
  db: Db
  clock: Clock
  log: Logger
  materials: Materials
  dataDir: string
}

/** What is said of a message whose body had begun when its sender died. */
const DOUBT = 'the sender died before the answer came'

async function doubtful({ materials, clock }: Recovery, message: Claimed): Promise<Outcome> {
  const { inDoubt } = await materials.account(message.account)
  const at = clock.now()
  const ending: Outcome['ending'] =
    inDoubt === 'send'
      ? { type: 'postponed', notBefore: at + retryDelay(message.attempts), reply: DOUBT }
      : { type: 'held', reason: DOUBT }
  return { id: message.id, footprint: null, field: null, at, ending }
}

async function outcomeOf(recovery: Recovery, message: Claimed, entry: JournalEntry): Promise<Outcome> {
  return entry.state === 'ended' ? (entry.ended as Outcome) : doubtful(recovery, message)
}

/** Takes up what one dead sender left; passed over while that sender still lives, in whatever process. */
async function recoverSender(recovery: Recovery, sender: string): Promise<void> {
  const { db, dataDir, clock, log } = recovery
  const isDead = await inTransaction(db, async (tx) => {
    const { rows } = await sql<{
      mine: boolean
    }>`select pg_try_advisory_xact_lock(hashtextextended(${sender}, 0)) as mine`.execute(tx)
    if (rows[0]?.mine !== true) return false
    const claimed = await claimedBy(tx, sender)
    const entries = readJournals(dataDir, sender)
    const begun = claimed.filter(({ id }) => entries.has(id))
    const untouched = claimed.filter(({ id }) => !entries.has(id)).map(({ id }) => id)
    const outcomes = await Promise.all(begun.map((message) => outcomeOf(recovery, message, entries.get(message.id)!)))
    await releaseMessages(tx, sender, untouched, { notBefore: clock.now(), reply: 'the sender died before it began' })
    await recordOutcomes(tx, sender, new Map(begun.map((message) => [message.id, message])), outcomes)
    const held = outcomes.filter(({ ending }) => ending.type === 'held').length
    log.info(
      { sender, released: untouched.length, recorded: outcomes.length - held, held },
      'took up what a sender left',
    )
    return true
  })
  if (isDead) dropJournals(dataDir, sender)
}

/**
 * Accounts for the messages of senders that died: never begun, they are queued again; answered, recorded as answered;
 * in doubt, held or sent again as the account says. Nothing is lost and nothing is sent twice.
 */
export async function recoverSenders(recovery: Recovery): Promise<void> {
  for (const sender of journalsLeft(recovery.dataDir)) await recoverSender(recovery, sender)
}
