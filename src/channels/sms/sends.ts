import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { AcceptedSend } from '../channel.ts'

/**
 * Keeps under which names accepted SMS went out, one a part, in the transaction of their activations. Networks use a name
 * again after a while: the latest message has it. Of contacts that were erased meanwhile nothing is kept.
 */
export async function storeSmsReferences(db: Db, sends: readonly AcceptedSend[]): Promise<void> {
  const sentReferences = sends.flatMap((send) => send.references.map((reference) => ({ ...send, reference })))
  if (sentReferences.length === 0) return
  await sql`
    insert into sms_sends as s (account, gateway, reference, stamp, contact, address, sender, sent_at)
    select distinct on (gateway, reference, account) * from unnest(
      ${sentReferences.map(({ account }) => account)}::integer[], ${sentReferences.map(({ gateway }) => gateway)}::text[],
      ${sentReferences.map(({ reference }) => reference)}::text[], ${sentReferences.map(({ stamp }) => stamp)}::uuid[],
      ${sentReferences.map(({ contact }) => contact)}::bigint[], ${sentReferences.map(({ address }) => address)}::text[],
      ${sentReferences.map(({ sender }) => sender)}::text[], ${sentReferences.map(({ at }) => new Date(at))}::timestamptz[]
    ) as n (account, gateway, reference, stamp, contact, address, sender, sent_at)
    where not exists (select from erased_contacts e where e.account = n.account and e.contact = n.contact)
    order by gateway, reference, account, sent_at desc
    on conflict (gateway, reference, account) do update set stamp = excluded.stamp, contact = excluded.contact,
      address = excluded.address, sender = excluded.sender, sent_at = excluded.sent_at
    where s.sent_at <= excluded.sent_at`.execute(db)
}

/**
 * Forgets under which names SMS to these contacts, or proofs to their numbers, went out: receipts that are still to come
 * are no longer joined.
 */
export async function eraseSmsReferences(
  tx: Db,
  account: AccountId,
  { contacts, numbers }: { contacts: readonly number[]; numbers: readonly string[] },
): Promise<void> {
  await sql`
    delete from sms_sends
    where account = ${account} and (contact = any(${contacts}::bigint[]) or address = any(${numbers}::text[]))`.execute(
    tx,
  )
}
