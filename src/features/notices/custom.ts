import { sql } from 'kysely'
import { buildPreparedPrefix, type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { NoticeCause } from './notices.ts'

/** An event that authors publish by a name of their own. */
export interface CustomEvent extends NoticeCause {
  account: AccountId
  name: string
  contact: number | null
  data: object
  /** The workflow whose run it is from; null or absent: none. */
  workflow?: number | null
}

/**
 * Publishes events by name, in one statement, whether or not somebody listens. They follow each other in the order given. The
 * transaction then has 20 s to commit, as one that writes notices.
 */
export async function publishCustomEvents(tx: Db, events: readonly CustomEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`${buildPreparedPrefix('publish-custom-events')}
    with given as materialized (
      select g.* from unnest(
        ${events.map(({ account }) => account)}::integer[], ${events.map(({ name }) => name)}::text[],
        ${events.map(({ contact }) => contact)}::bigint[], ${events.map(({ data }) => toJsonbText(data))}::jsonb[],
        ${events.map(({ stamp }) => (stamp === null ? null : toJsonbText(stamp)))}::jsonb[], ${events.map(({ depth }) => depth)}::integer[],
        ${events.map(({ workflow }) => workflow ?? null)}::integer[])
        with ordinality as g (account, name, contact, data, stamp, depth, workflow, nth)
    ), deadline as materialized (
      select case when current_setting('transaction_timeout') = '0' then set_config('transaction_timeout', '20s', true) end
    )
    insert into notices (account, type, name, contact, data, stamp, depth, workflow)
    select account, 'custom', name, contact, data, stamp, depth, workflow from given cross join deadline order by nth`.execute(
    tx,
  )
}

/** Empties what was published of contacts: their events stay, without data. */
export async function eraseCustomEvents(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void> {
  await sql`
    update notices set data = '{}'
    where account = ${account} and contact = any(${contacts}::bigint[]) and type = 'custom' and data <> '{}'`.execute(
    tx,
  )
}

/** Returns those of these contacts that have published events with a name. */
export async function contactsWithCustomEvents(
  tx: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ contact: number }>`
    select c.contact from unnest(${contacts}::bigint[]) as c (contact)
    where exists (
      select from notices n where n.account = ${account} and n.contact = c.contact and n.type = 'custom')`.execute(tx)
  return rows.map(({ contact }) => contact)
}
