import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Db, inTransaction } from '../database/connect.ts'
import type { Clock } from '../lib/clock.ts'
import { retryDelay } from './backoff.ts'
import { releaseMessages, takeOver } from './claim.ts'
import { type JournalEntry, journalsIn, type LeftJournals, takeJournals } from './journal.ts'
import type { ClaimedMessage } from './messages.ts'
import type { Outcome } from './outcome.ts'
import { recordOutcomes } from './record.ts'
import type { SenderCache } from './sender-cache.ts'
import { newSenderName } from './sender-names.ts'

export interface Recovery {
  db: Db
  clock: Clock
  log: Logger
  cache: SenderCache
  dataDir: string
}

/** The reply of a message whose body had been started when its sender died. */
const DOUBT = 'sender process died before the answer came'
/** How long a connection of a dead sender may take to end, in milliseconds. */
const ENDED_WITHIN_MS = 5000

async function doubtful({ cache, clock }: Recovery, message: ClaimedMessage): Promise<Outcome> {
  const { inDoubt } = await cache.account(message.account)
  const at = clock.now()
  const ending: Outcome['ending'] =
    inDoubt === 'send'
      ? { type: 'postponed', notBefore: at + retryDelay(message), reply: DOUBT }
      : { type: 'held', reason: DOUBT }
  return { id: message.id, footprint: null, field: null, at, ending }
}

async function outcomeOf(recovery: Recovery, message: ClaimedMessage, entry: JournalEntry): Promise<Outcome> {
  return entry.state === 'ended' ? (entry.ended as Outcome) : doubtful(recovery, message)
}

/** The name by which PostgreSQL knows the connections of a sender. */
export function connectionName(sender: string): string {
  return `stentor sender ${sender}`
}

/**
 * Ends the connections of a dead sender that the database has not seen break, so that no claim of theirs comes later
 * than what is recovered here, and no lock of theirs is waited for.
 */
async function endConnections({ db }: Recovery, sender: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, ${ENDED_WITHIN_MS}) from pg_stat_activity
    where application_name = ${connectionName(sender)} and usename = current_user and pid <> pg_backend_pid()`.execute(
    db,
  )
}

/** Accounts for what a dead sender held, in one transaction. */
async function accountFor(recovery: Recovery, sender: string, left: LeftJournals): Promise<void> {
  const { db, clock, log } = recovery
  const name = newSenderName()
  await inTransaction(db, async (tx) => {
    const taken = await takeOver(tx, sender, { name, now: clock.now() })
    const [started, untouched]: [[ClaimedMessage, JournalEntry][], number[]] = [[], []]
    for (const { batch, ...message } of taken) {
      const entry = left.entryOf(batch, message.id)
      if (entry) started.push([message, entry])
      else untouched.push(message.id)
    }
    const outcomes = await Promise.all(started.map(([message, entry]) => outcomeOf(recovery, message, entry)))
    await releaseMessages(tx, name, untouched, {
      notBefore: clock.now(),
      reply: 'sender process died before it started',
    })
    await recordOutcomes(tx, name, new Map(started.map(([message]) => [message.id, message])), outcomes)
    const held = outcomes.filter(({ ending }) => ending.type === 'held').length
    log.info({ sender, released: untouched.length, recorded: outcomes.length - held, held }, 'recovered sender')
  })
}

/** Recovers one sender; passed over while it lives, or another process recovers it. */
async function recoverSender(recovery: Recovery, sender: string, prepare: () => Promise<void>): Promise<void> {
  const left = takeJournals(recovery.dataDir, sender)
  if (!left) return
  let accountedFor = false
  try {
    await prepare()
    await accountFor(recovery, sender, left)
    accountedFor = true
  } finally {
    left.release(accountedFor)
  }
}

/** The same of a sender that has just ended in order, on its own connections: as a rule there is nothing to do. */
export async function recoverOwn(recovery: Recovery, sender: string): Promise<void> {
  await recoverSender(recovery, sender, async () => undefined)
}

/**
 * Accounts for the messages of senders that died: never started, they are queued again; answered, recorded as answered;
 * in doubt, held or sent again as the account says. Nothing is lost and nothing is sent twice.
 */
export async function recoverSenders(recovery: Recovery): Promise<void> {
  for (const sender of journalsIn(recovery.dataDir))
    await recoverSender(recovery, sender, () => endConnections(recovery, sender))
}
