import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** The owner of an interest: the id of a webhook or workflow, within its kind. */
export interface ListenerInterestKey {
  account: AccountId
  kind: string
  owner: string
}

/** The events and notices to be queued. */
export interface ListenerInterest {
  /** Kinds, each for all below it, `custom`, and types of notices. Empty: every kind of event, no notice. */
  events: readonly string[]
  /** Empty: all. */
  channels: readonly string[]
  /** Classes of hits and interactions: `human`, `all`, or those of robots. */
  classification: readonly string[]
  /** Its rows are queued for it alone, under this id. Null: those of its kind in the account share one row an event. */
  listener: string | null
}

const POLL_INTERVAL_MS = 20
/** The database ends what publishes after 20 s: what is older writes to these tables without publishing. */
const MAX_WAIT_MS = 30_000

/** Registers an interest, or replaces it. It holds when `waitForListenerInterests`, called after the commit, has ended. */
export async function registerListenerInterest(
  tx: Db,
  { account, kind, owner }: ListenerInterestKey,
  interest: ListenerInterest,
): Promise<void> {
  const { events, channels, classification, listener } = interest
  await sql`
    insert into listener_interests as i (account, kind, owner, listener, events, channels, classification)
    values (${account}, ${kind}, ${owner}, ${listener}::uuid, ${events}::text[], ${channels}::text[], ${classification}::text[])
    on conflict (account, kind, owner) do update set listener = excluded.listener, events = excluded.events,
      channels = excluded.channels, classification = excluded.classification, since = null
    where (i.listener, i.events, i.channels, i.classification)
      is distinct from (excluded.listener, excluded.events, excluded.channels, excluded.classification)`.execute(tx)
}

/** Removes an interest: nothing more is queued for it. What is queued stays. */
export async function removeListenerInterest(tx: Db, { account, kind, owner }: ListenerInterestKey): Promise<void> {
  await sql`
    delete from listener_interests where account = ${account} and kind = ${kind} and owner = ${owner}`.execute(tx)
}

/** Accounts with interests of a kind that do not hold yet: whoever registered them waits for that, or died. */
export async function findUnsettledAccounts(db: Db, kind: string): Promise<AccountId[]> {
  const { rows } = await sql<{ account: AccountId }>`
    select distinct account from listener_interests where kind = ${kind} and since is null`.execute(db)
  return rows.map(({ account }) => account)
}

/** Lists the owners of the interests of a kind. */
export async function listListenerInterests(db: Db, kind: string): Promise<ListenerInterestKey[]> {
  const { rows } =
    await sql<ListenerInterestKey>`select account, kind, owner from listener_interests where kind = ${kind}`.execute(db)
  return rows
}

/** Transactions in progress that have written to what events and notices are queued from. */
async function findPublishers(tx: Db): Promise<Set<string>> {
  const { rows } = await sql<{ transaction: string }>`
    select distinct virtualtransaction as transaction from pg_locks
    where locktype = 'relation' and database = (select oid from pg_database where datname = current_database())
      and relation = any(array['events', 'unsettled_hits', 'notices']::regclass[]::oid[])
      and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()`.execute(tx)
  return new Set(rows.map(({ transaction }) => transaction))
}

/**
 * Waits until the committed interests of a kind in an account hold: until every transaction has ended that may have published
 * before it could see them. Every event that is committed from then on is queued. Not to be called within a transaction.
 */
export async function waitForListenerInterests(db: Db, account: AccountId, kind: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    // They are locked, so that none is replaced while what would overlook it is waited for.
    const { rows } = await sql<{ owner: string }>`
      select owner from listener_interests where account = ${account} and kind = ${kind} and since is null
      order by owner for no key update`.execute(tx)
    if (rows.length === 0) return
    const deadline = performance.now() + MAX_WAIT_MS
    let earlierPublishers = await findPublishers(tx)
    while (earlierPublishers.size > 0 && performance.now() < deadline) {
      await delay(POLL_INTERVAL_MS)
      earlierPublishers = earlierPublishers.intersection(await findPublishers(tx))
    }
    await sql`
      update listener_interests set since = pg_current_xact_id()
      where account = ${account} and kind = ${kind} and owner = any(${rows.map(({ owner }) => owner)}::text[])`.execute(
      tx,
    )
  })
}
