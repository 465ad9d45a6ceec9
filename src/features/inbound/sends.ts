import { sql } from 'kysely'
import { email } from '../../channels/email/facts.ts'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { findContacts } from '../contacts/find.ts'
import { type Activated, findActivation, findLatestTo } from '../events/activations.ts'
import type { Traces } from './traces.ts'

/**
 * The send a stamp names: by its activation, however old; else, as a report can come before the activation is recorded,
 * by the message itself. Undefined when nothing is known of it any more.
 */
export async function findSend(db: Db, account: AccountId, stamp: string): Promise<Activated | undefined> {
  return (await findActivation(db, [account], stamp)) ?? (await findMessage(db, account, stamp))
}

interface Row {
  kind: 'message' | 'campaign' | 'test'
  action: number
  contact: number | null
  address: string
  field: number | null
  id: string
  thread: string
  set: string
  stamp_time: Date
}

async function findMessage(db: Db, account: AccountId, stamp: string): Promise<Activated | undefined> {
  const { rows } = await sql<Row>`
    with sent as (
      select kind, action, version, contact, nullif(address, '') as address, stamp, thread, set, stamp_time, 1 as rank
      from sent_messages where account = ${account} and stamp = ${stamp}::uuid and channel = ${email.name}
      union all
      select kind, action, version, contact, address, stamp, thread, set, stamp_time, 2
      from messages where account = ${account} and stamp = ${stamp}::uuid and channel = ${email.name} and kind <> 'copy'
      union all
      select 'campaign', action, version, contact, null, ${stamp}::uuid, ${stamp}::uuid, run, stamp_time, 3
      from sliced_message(${account}, ${stamp}::uuid) where channel = ${email.name}
      order by rank limit 1)
    select s.kind, s.action, s.contact, s.stamp as id, s.thread, s.set, s.stamp_time, f.field,
      coalesce(s.address, c.fields ->> f.field::text, '') as address
    from sent s
    join content_versions v on v.account = ${account} and v.id = s.version
    cross join lateral (select (v.source #>> '{settings,field}')::integer as field) f
    left join contacts c on c.account = ${account} and c.id = s.contact`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { kind, action, contact, address, field, id, thread, set, stamp_time } = row
  const known = { id, thread, set, time: stamp_time.getTime() }
  return {
    send: { account, channel: email.name, action, kind, contact, footprint: null, field, stamp: known },
    address,
  }
}

/** The send that a mail is about by what it holds of ours, the surest first; undefined when that leads to none. */
export async function identify(
  db: Db,
  { signed, messageIds }: Traces,
  publicHost: string,
): Promise<Activated | undefined> {
  // The few traces of one mail; nearly always the first one leads there.
  for (const { account, stamp } of signed) {
    const send = await findSend(db, account, stamp)
    if (send) return send
  }
  for (const { stamp, domain } of messageIds) {
    const send = await findActivation(db, await accountsSendingFrom(db, domain, publicHost), stamp)
    if (send) return send
  }
  return undefined
}

const LOOKED_BACK_MS = 30 * 24 * 3600 * 1000

/**
 * The latest send to an address in the last 30 days, of accounts that take reports at a domain: for reports that name
 * nothing else and can be believed. Found for contacts that are told apart by that address. `now` in milliseconds.
 */
export async function findLatestSend(
  db: Db,
  { address, domain, publicHost, now }: { address: string; domain: string; publicHost: string; now: number },
): Promise<Activated | undefined> {
  // Nearly always one account.
  for (const account of await accountsSendingFrom(db, domain, publicHost)) {
    const [contact] = await findContacts(db, account, [{ type: 'unicity', value: [address] }])
    const since = new Date(now - LOOKED_BACK_MS)
    const stamp = contact && (await findLatestTo(db, account, { contact: contact.id, address, since }))
    if (stamp !== undefined) return findActivation(db, [account], stamp)
  }
  return undefined
}

/** The accounts that send from a domain; from the host of the public address those that have no domain of their own. */
export async function accountsSendingFrom(db: Db, domain: string, publicHost: string): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a
    where exists (select from sending_domains d where d.account = a.id and d.domain = ${domain})
      or (${domain === publicHost} and not exists (select from sending_domains d where d.account = a.id))
      or jsonb_path_exists(coalesce(a.settings #> '{sending,profiles}', '[]'), '$[*] ? (@.bounceDomain == $domain)',
        jsonb_build_object('domain', ${domain}::text))
    order by a.id`.execute(db)
  return rows.map(({ id }) => id)
}
