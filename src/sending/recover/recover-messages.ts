import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../database/locks/deadlocks.ts'
import { loadMachineId } from '../../lib/machine-id.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { releaseMessages, takeOverMessages } from '../claim/claim-messages.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import type { SenderCache } from '../prepare/sender-cache.ts'
import { buildDoubtfulEnding } from '../record/endings.ts'
import type { MessageOutcome } from '../record/outcome.ts'
import { type MessageHolder, recordOutcomes } from '../record/record-outcomes.ts'
import { createSenderName } from '../senders/sender-names.ts'
import { type AbandonedJournals, claimAbandonedJournals, listJournalSenders } from './journal.ts'
import type { JournalEntries } from './journal-lines.ts'

export interface RecoveryContext extends Omit<MessageHolder, 'id'> {
  db: Db
  clock: Clock
  log: Logger
  cache: SenderCache
  dataDir: string
}

/** The reply of a message whose body had been started when its sender died. */
const DOUBT_REPLY = 'the sender process died before the response arrived'
/** Longest time that a connection of a dead sender may take to end, in milliseconds. */
const TERMINATION_TIMEOUT_MS = 5000

/** A message that a dead sender had started, or may have, with what its journal says. */
interface StartedMessage {
  message: ClaimedMessage
  entries: JournalEntries
  /** Why what the journal does not say of it may have begun; undefined when it did not. */
  doubt: string | undefined
}

async function buildDoubtfulOutcome(
  { cache, clock }: RecoveryContext,
  message: ClaimedMessage,
  { isIdempotent, reason }: { isIdempotent: boolean; reason: string },
): Promise<MessageOutcome> {
  const { inDoubt } = await cache.account(message.account)
  const at = clock.now()
  const ending = buildDoubtfulEnding(message, { isIdempotent, inDoubt }, { at, reason })
  return { id: message.id, footprint: null, field: null, at, ending }
}

/** Reads the outcomes that a message's journal records: those of its deliveries, then its own. */
async function readOutcomes(
  recovery: RecoveryContext,
  { message, entries }: StartedMessage,
): Promise<MessageOutcome[]> {
  const outcomes: MessageOutcome[] = []
  for (const [sequence, entry] of [...entries].sort(([a], [b]) => b - a)) {
    if (entry.state === 'ended') outcomes.push(entry.ended as MessageOutcome)
    else {
      const outcome = await buildDoubtfulOutcome(recovery, message, {
        isIdempotent: entry.isIdempotent === true,
        reason: DOUBT_REPLY,
      })
      // How many deliveries are left is known when the message is made again.
      outcomes.push({ ...outcome, ...(sequence > 0 && { sequence }), ...(entry.isPart && { isPart: true }) })
    }
  }
  return outcomes
}

/** Builds the next try of a message with remaining deliveries. */
function buildPostponedEnding(outcomes: readonly MessageOutcome[], now: number): MessageOutcome['ending'] {
  const retryTimes = outcomes.flatMap(({ ending }) => (ending.type === 'postponed' ? [ending.notBefore] : []))
  return { type: 'postponed', notBefore: retryTimes.length > 0 ? Math.min(...retryTimes) : now, reply: DOUBT_REPLY }
}

/**
 * All outcomes of a message. Where its journal says nothing of it as a whole, it is in doubt if it may have begun, and
 * otherwise queued again with what is left of it.
 */
async function completeOutcomes(recovery: RecoveryContext, started: StartedMessage): Promise<MessageOutcome[]> {
  const outcomes = await readOutcomes(recovery, started)
  if (outcomes.some(({ isPart }) => !isPart)) return outcomes
  const { message, doubt } = started
  const { isIdempotent } = message
  const wholeOutcome = await buildDoubtfulOutcome(recovery, message, { isIdempotent, reason: doubt ?? DOUBT_REPLY })
  return [
    ...outcomes,
    doubt ? wholeOutcome : { ...wholeOutcome, ending: buildPostponedEnding(outcomes, recovery.clock.now()) },
  ]
}

/** The name by which PostgreSQL knows the connections of a sender. */
export function getSenderConnectionName(sender: string): string {
  return `stentor sender ${sender}`
}

/**
 * Ends the connections of a dead sender that the database does not yet consider broken. None of their claims then follows what is
 * recovered here, and none of their locks is waited for.
 */
async function terminateConnections({ db }: RecoveryContext, sender: string): Promise<void> {
  await sql`
    select pg_terminate_backend(pid, ${TERMINATION_TIMEOUT_MS}) from pg_stat_activity
    where application_name = ${getSenderConnectionName(sender)} and usename = current_user and pid <> pg_backend_pid()`.execute(
    db,
  )
}

/** Accounts for what a dead sender held, in one transaction. */
async function recoverClaims(
  recovery: RecoveryContext,
  sender: string,
  abandonedJournals: AbandonedJournals,
): Promise<void> {
  const { db, clock, log } = recovery
  const name = createSenderName(loadMachineId(recovery.dataDir))
  await inRetriedTransaction(db, async (tx) => {
    const claimedMessages = await takeOverMessages(tx, sender, { name, now: clock.now() })
    const [startedMessages, untouched]: [StartedMessage[], number[]] = [[], []]
    for (const { batch, ...message } of claimedMessages) {
      const entries = abandonedJournals.entriesOf(batch, message.id)
      const doubt = abandonedJournals.doubtOf(batch)
      if (entries || doubt) startedMessages.push({ message, entries: entries ?? new Map(), doubt })
      else untouched.push(message.id)
    }
    const outcomes = (
      await Promise.all(startedMessages.map((startedMessage) => completeOutcomes(recovery, startedMessage)))
    ).flat()
    await releaseMessages(tx, name, untouched, {
      notBefore: clock.now(),
      reply: 'the sender process died before it started',
    })
    await recordOutcomes(
      tx,
      { ...recovery, id: name },
      new Map(startedMessages.map(({ message }) => [message.id, message])),
      outcomes,
    )
    const heldCount = outcomes.filter(({ ending }) => ending.type === 'held').length
    log.info(
      { recovered: sender, released: untouched.length, recorded: outcomes.length - heldCount, held: heldCount },
      'recovered sender',
    )
    const doubtReasons = startedMessages.flatMap(({ doubt }) => doubt ?? [])
    if (doubtReasons.length > 0)
      log.warn(
        { recovered: sender, messages: doubtReasons.length, reason: doubtReasons[0] },
        'journal may lack what was sent',
      )
  })
}

/** Recovers one sender; passed over while it lives, or another process recovers it. */
async function recoverSender(recovery: RecoveryContext, sender: string, prepare: () => Promise<void>): Promise<void> {
  const abandonedJournals = claimAbandonedJournals(recovery.dataDir, sender)
  if (!abandonedJournals) return
  let accountedFor = false
  try {
    await prepare()
    await recoverClaims(recovery, sender, abandonedJournals)
    accountedFor = true
  } finally {
    abandonedJournals.release(accountedFor)
  }
}

/** The same of a sender that has just ended in order, on its own connections: as a rule there is nothing to do. */
export async function recoverOwnMessages(recovery: RecoveryContext, sender: string): Promise<void> {
  await recoverSender(recovery, sender, async () => undefined)
}

/**
 * Accounts for the messages of senders that died: never started, they are queued again; answered, recorded as answered;
 * in doubt, held or sent again as the account says. Where a journal may lack lines, what it does not name is in doubt.
 * Nothing is lost and nothing is sent twice.
 */
export async function recoverDeadSenders(recovery: RecoveryContext): Promise<void> {
  for (const sender of listJournalSenders(recovery.dataDir))
    await recoverSender(recovery, sender, () => terminateConnections(recovery, sender))
}
