import { sql } from 'kysely'
import { eraseSmsReferences } from '../../channels/sms/sends.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { ErasedContacts } from '../../features/contacts/records/erased.ts'
import { deleteCapturedMessages, listCapturedStamps } from '../../gateways/capture/files.ts'
import type { AccountId } from '../../lib/account.ts'

/** Contacts and addresses as requests of other messages name them: `named_in` of the migration. */
function buildMentions({ contacts, names }: ErasedContacts) {
  return sql`(array(select lower(n) from unnest(${names.map(({ name }) => name)}::text[]) n) || ${contacts.map(String)}::text[])`
}

/** Names as they stand, and as URLs hold them. */
export function expandErasedNames(names: ErasedContacts['names']): ErasedContacts['names'] {
  return names.flatMap(({ contact, name }) => [
    { contact, name },
    { contact, name: encodeURIComponent(name) },
  ])
}

/** The names as rows, in every form. */
function selectNameForms({ names }: ErasedContacts) {
  const nameForms = expandErasedNames(names)
  return sql`unnest(${nameForms.map(({ contact }) => contact)}::bigint[], ${nameForms.map(({ name }) => name)}::text[]) as n(contact, name)`
}

/** Returns those of the given contacts that have stored messages, sent or not. */
export async function listContactsWithMessages(
  db: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ contact: number }>`
    select contact from unnest(${contacts}::bigint[]) as c(contact)
    where exists (select from messages m where m.account = ${account} and m.contact = c.contact)
      or exists (select from message_slices s where s.account = ${account} and c.contact = any(s.contacts))
      or exists (select from sent_messages s where s.account = ${account} and s.contact = c.contact)`.execute(db)
  return rows.map(({ contact }) => contact)
}

/** The addresses that messages of contacts went to. Those of proofs may belong to others. */
export async function listMessageAddresses(
  db: Db,
  account: AccountId,
  contacts: readonly number[],
): Promise<ErasedContacts['names']> {
  const { rows } = await sql<{ contact: number; name: string }>`
    select distinct contact, name
    from sent_messages cross join lateral (values (address), (fallback ->> 'address')) as a (name)
    where account = ${account} and contact = any(${contacts}::bigint[]) and kind <> 'test' and name <> ''`.execute(db)
  return rows
}

/** Locks what waits in the outbox for contacts, in the order of ids, as outcomes are recorded. */
export async function lockContactMessages(tx: Db, account: AccountId, contacts: readonly number[]): Promise<void> {
  await sql`
    select from messages where account = ${account} and contact = any(${contacts}::bigint[])
    order by id for update`.execute(tx)
}

/**
 * Empties what waits in the outbox. Rows stay: the sender cancels those of a contact that is not found, and copies
 * without an address. An address of '' says that the message is erased, also to a sender that holds it: it records
 * no more of it than that it left. To be done before anything that senders write is erased: it waits for those who
 * are recording right now, and the others see it. Gives the stamps of messages of others that named them.
 */
async function eraseOutboxMessages(tx: Db, account: AccountId, erased: ErasedContacts): Promise<string[]> {
  const mentionedNames = buildMentions(erased)
  // In the order of ids, as outcomes are recorded.
  const lockedIds = sql`
    select id from messages
    where account = ${account} and (
      contact = any(${erased.contacts}::bigint[]) and (address is distinct from '' or request <> '{}' or last_reply is not null)
      or lower(address) = any(${mentionedNames})
      or request ?| '{cc,related,copyTo}' and named_in(request) && ${mentionedNames})
    order by id for update`
  const { rows } = await sql<{ stamp: string }>`
    with locked as materialized (${lockedIds}),
    judged as (
      select m.id, m.contact = any(${erased.contacts}::bigint[]) is true as is_own,
        m.address is not null and (lower(m.address) = any(${mentionedNames}) or m.request ->> 'copyTo' = any(${mentionedNames})) as is_to
      from locked join messages m using (id))
    update messages m set
      address = case when is_own or is_to then '' else address end,
      request = case when is_own then '{}' else unnamed(request, ${mentionedNames}) end,
      last_reply = case when not (is_own or is_to) then last_reply end
    from judged j where m.id = j.id
    returning m.stamp`.execute(tx)
  return rows.map(({ stamp }) => stamp)
}

/** Empties what was kept of sent messages, and gives the stamps of those of others that named them. */
async function eraseSentMessages(tx: Db, account: AccountId, erased: ErasedContacts): Promise<string[]> {
  const mentionedNames = buildMentions(erased)
  await sql`
    with followed as (
      delete from followups f using sent_messages s
      where s.account = ${account} and s.contact = any(${erased.contacts}::bigint[]) and f.account = s.account and f.stamp = s.stamp
    )
    update sent_messages set address = '', request = '{}', values = 'null', fallback = fallback || '{"address": ""}'
    where account = ${account} and contact = any(${erased.contacts}::bigint[])
      and (address <> '' or request <> '{}' or values <> 'null' or fallback ->> 'address' <> '')`.execute(tx)
  const { rows } = await sql<{ stamp: string }>`
    with proofs as (
      update sent_messages set address = ''
      where account = ${account} and kind = 'test' and lower(address) = any(${mentionedNames}) returning stamp),
    named as (
      update sent_messages set request = unnamed(request, ${mentionedNames}),
        values = case when request ->> 'related' = any(${mentionedNames}) and jsonb_typeof(values) = 'object'
          then jsonb_set(values, '{related}', 'null') else values end
      where account = ${account} and request ?| '{cc,related}' and named_in(request) && ${mentionedNames} returning stamp)
    select stamp from proofs union all select stamp from named`.execute(tx)
  return rows.map(({ stamp }) => stamp)
}

/** Takes addresses out of where short links lead; they go on leading there. */
async function eraseLinkTargets(tx: Db, account: AccountId, erased: ErasedContacts): Promise<void> {
  await sql`
    with known as materialized (select contact, array_agg(name) as names from ${selectNameForms(erased)} group by contact)
    update short_links s set target = without(s.target, k.names)
    from known k where s.account = ${account} and s.contact = k.contact and s.target <> without(s.target, k.names)`.execute(
    tx,
  )
}

/**
 * Takes addresses out of the contents that requests brought for these contacts: content versions that are no sending's
 * own. Their links keep their numbers.
 */
async function eraseRequestContents(tx: Db, account: AccountId, erased: ErasedContacts): Promise<void> {
  await sql`
    with used as (
      select contact, version from messages where account = ${account} and contact = any(${erased.contacts}::bigint[])
      union
      select contact, version from sent_messages where account = ${account} and contact = any(${erased.contacts}::bigint[])),
    brought as materialized (
      select v.id, v.source::text || v.links::text as whole, array_agg(distinct n.name) as names
      from used u join ${selectNameForms(erased)} using (contact) join content_versions v on v.account = ${account} and v.id = u.version
      where not exists (select from sendings g where g.version = v.id)
      group by v.id)
    update content_versions v set
      source = jsonb_set(source, '{content}', (
        select jsonb_object_agg(key, case when jsonb_typeof(value) = 'string' then to_jsonb(without(value #>> '{}', names)) else value end)
        from jsonb_each(source -> 'content'))),
      links = (
        select coalesce(jsonb_agg(case when jsonb_typeof(l -> 'url') = 'string'
          then jsonb_set(l, '{url}', to_jsonb(without(l ->> 'url', names))) else l end order by place), '[]')
        from jsonb_array_elements(links) with ordinality e(l, place))
    from brought b where v.id = b.id and b.whole <> without(b.whole, b.names)`.execute(tx)
}

/**
 * Takes the addresses out of what runs under way keep to send to none twice: another contact that has one of them may
 * get the message then.
 */
async function eraseRunAddresses(tx: Db, account: AccountId, { names }: ErasedContacts): Promise<void> {
  await sql`
    delete from run_addresses r using sendings g
    where g.account = ${account} and g.state in ('planning', 'running') and r.run = g.run
      and r.address in (select md5(lower(n))::uuid from unnest(${names.map(({ name }) => name)}::text[]) n)`.execute(tx)
}

/**
 * Erases what is kept of messages to contacts, sent or not, and their addresses in messages to others. Gives the
 * stamps of the latter, whose events and files name them too.
 */
export async function eraseMessages(tx: Db, account: AccountId, erased: ErasedContacts): Promise<string[]> {
  // First: see eraseOutbox.
  const waitingStamps = await eraseOutboxMessages(tx, account, erased)
  const sentStamps = await eraseSentMessages(tx, account, erased)
  await eraseSmsReferences(tx, account, { contacts: erased.contacts, numbers: erased.names.map(({ name }) => name) })
  await eraseLinkTargets(tx, account, erased)
  await eraseRequestContents(tx, account, erased)
  await eraseRunAddresses(tx, account, erased)
  return [...new Set([...waitingStamps, ...sentStamps])]
}

/**
 * Removes the files of messages that were captured instead of sent: those to these contacts, and those of `stamps`.
 * What is removed cannot be restored, so the record of the erasure has to be committed before.
 */
export async function eraseCapturedMessages(
  { db, dataDir }: { db: Db; dataDir: string },
  account: AccountId,
  { contacts, stamps }: { contacts: readonly number[]; stamps: readonly string[] },
  signal?: AbortSignal,
): Promise<void> {
  const capturedStamps = await listCapturedStamps(dataDir, account)
  const { rows } = await sql<{ stamp: string }>`
    select stamp from sent_messages
    where account = ${account} and stamp = any(${[...capturedStamps.keys()]}::uuid[]) and contact = any(${contacts}::bigint[])`.execute(
    db,
  )
  const erasedStamps = new Set([...stamps, ...rows.map(({ stamp }) => stamp)])
  for (const [stamp, ids] of capturedStamps) {
    signal?.throwIfAborted()
    if (erasedStamps.has(stamp)) await deleteCapturedMessages(dataDir, ids)
  }
}
