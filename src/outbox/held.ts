import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../database/connect.ts'
import { rows } from '../database/stream.ts'
import type { HeldDecision, HeldMessage } from '../features/actions/held-schemas.ts'
import type { AccountId } from '../lib/account.ts'
import { actionId, contactId, readActionId } from '../lib/ids.ts'
import { badRequest, notFound } from '../lib/problem.ts'

/** Where a message stands in the list; it is not shown. */
const place = Symbol('place')
export type Listed = HeldMessage & { [place]: number }
export const placeOf = (listed: Listed): number => listed[place]

interface Row {
  id: number
  message: string
  action: number
  contact: number | null
  since: Date
  why: string | null
}

/** The number of an action, deleted or not: what is held of it stays. Throws notFound. */
async function actionNumber(db: Db, account: AccountId, text: string): Promise<number> {
  const id = readActionId(text)
  const known = db.selectFrom('actions').select('id').where('account', '=', account)
  const row = id === undefined ? undefined : await known.where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('action', text)
  return row.id
}

/**
 * The held messages of an account, or of one of its actions. Throws notFound (action) before
 * the first.
 */
export async function* listHeld(
  db: Db,
  account: AccountId,
  { action, after, limit }: { action: string | undefined; after: number | undefined; limit: number | undefined },
): AsyncGenerator<Listed> {
  const ofAction = action === undefined ? sql`` : sql`and action = ${await actionNumber(db, account, action)}`
  const beyond = after === undefined ? sql`` : sql`and id > ${after}`
  const query = sql<Row>`
    select id, stamp as message, action, contact, coalesce(held_at, created_at) as since, last_reply as why from messages
    where account = ${account} and state = 'held' ${ofAction} ${beyond}
    order by id limit ${limit ?? null}::integer`
  for await (const { id, message, since, why, ...row } of rows(db, query)) {
    const contact = row.contact === null ? null : contactId(row.contact)
    yield { [place]: id, message, action: actionId(row.action), contact, since: since.toISOString(), why }
  }
}

/** Locks the chosen ones that are held still, in the order in which senders lock messages. */
function chosen(account: AccountId, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    chosen as (
      select id from messages where account = ${account} and state = 'held' and ${condition} order by id for update
    )`
}

/** Queues held messages again, due now; they are counted as held no more. */
async function send(db: Db, chosenOnes: RawBuilder<unknown>, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with ${chosenOnes}, released as (
      update messages m set state = 'queued', claimed_by = null, lease_until = null, held_at = null, not_before = ${now}
      from chosen where m.id = chosen.id
      returning m.action, m."set"
    ), counted as (
      insert into run_counts as c (action, run, shard, held)
      select action, "set", 0, -count(*) from released group by action, "set"
      on conflict (action, run, shard) do update set held = c.held + excluded.held
    )
    select count(*)::integer as n from released`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Takes held messages out of the outbox. As they may have arrived, they are found by their stamps like those that were
 * sent, so that their links, replies and bounces are known, and no slice and no repeated request makes them anew.
 */
async function drop(db: Db, chosenOnes: RawBuilder<unknown>, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with ${chosenOnes}, dropped as (
      delete from messages m using chosen where m.id = chosen.id returning m.*
    ), kept as (
      insert into sent_messages (account, stamp, channel, kind, action, version, contact, address, outcome, thread, set,
        stamp_time, ended_at, request, values)
      select d.account, d.stamp, d.channel, d.kind, d.action, d.version, d.contact,
        coalesce(d.address, c.fields ->> (v.source #>> '{settings,field}'), ''), 'held', d.thread, d.set, d.stamp_time, ${now},
        d.request, 'null'
      from dropped d
      join content_versions v on v.account = d.account and v.id = d.version
      left join contacts c on c.account = d.account and c.id = d.contact
      where d.kind <> 'copy'
      on conflict (account, stamp) do nothing
    )
    select count(*)::integer as n from dropped`.execute(db)
  return rows[0]?.n ?? 0
}

const decisions = { send, drop }

/**
 * Decides what becomes of held messages; gives how many they were. One that somebody else decided meanwhile is not among
 * them, nor is one of another account. Throws 400 unless either an action or messages are named, notFound (action).
 */
export async function decideHeld(
  db: Db,
  account: AccountId,
  { decision, action, messages }: HeldDecision,
  now: Date,
): Promise<number> {
  if ((action === undefined) === (messages === undefined))
    throw badRequest('/messages', 'give either action or messages')
  return inTransaction(db, async (tx) => {
    const condition =
      action === undefined
        ? sql`stamp = any(${messages}::uuid[])`
        : sql`action = ${await actionNumber(tx, account, action)}`
    return decisions[decision](tx, chosen(account, condition), now)
  })
}
