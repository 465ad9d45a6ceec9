import { sql } from 'kysely'
import type { MessageRequest, Stamp } from '../../channels/message.ts'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { UsedValues } from '../../outbox/compose.ts'

/** A message that was handed over, or is about to be. */
export interface SentMessage {
  version: number
  contact: number | null
  /** Null when it is the contact's own and not yet recorded, and once it was erased. */
  address: string | null
  stamp: Stamp
  request: MessageRequest
  /** What its template used; null before its outcome is recorded. */
  values: UsedValues | null
  /** Whether `address` and `values` are final; also of a message that waits and was erased, not of one dropped in doubt. */
  isRecorded: boolean
}

interface Row {
  version: number
  contact: number | null
  address: string | null
  id: string
  thread: string
  set: string
  stamp_time: Date
  request: unknown
  values: unknown
  is_recorded: boolean
}

/** The message of a stamp: what was recorded of it, else what waits in the outbox. Undefined when it is past retention. */
export async function findSentMessage(db: Db, account: AccountId, stamp: string): Promise<SentMessage | undefined> {
  const { rows } = await sql<Row>`
    select version, contact, nullif(address, '') as address, stamp as id, thread, set, stamp_time, request, values,
      outcome <> 'held' or address = '' as is_recorded, 1 as rank
    from sent_messages where account = ${account} and stamp = ${stamp}::uuid
    union all
    select version, contact, nullif(address, ''), stamp, thread, set, stamp_time, request, null, address = '' is true, 2
    from messages where account = ${account} and stamp = ${stamp}::uuid and kind <> 'copy'
    union all
    select version, contact, null, ${stamp}::uuid, ${stamp}::uuid, run, stamp_time, '{}', null,
      exists (select from erased_contacts e where e.account = ${account} and e.contact = m.contact), 3
    from sliced_message(${account}, ${stamp}::uuid) as m
    order by rank limit 1`.execute(db)
  const [row] = rows
  return (
    row && {
      version: row.version,
      contact: row.contact,
      address: row.address,
      stamp: { id: row.id, thread: row.thread, set: row.set, time: row.stamp_time.getTime() },
      request: row.request as MessageRequest,
      values: row.values as UsedValues | null,
      isRecorded: row.is_recorded,
    }
  )
}

/** The address a message went to, else what the contact's address field holds today; null when neither is known. */
export async function findAddress(
  db: Db,
  { account, stamp, contact }: { account: AccountId; stamp: string; contact: number },
  field: number,
): Promise<string | null> {
  const { rows } = await sql<{ address: string | null }>`
    select coalesce(
      (select nullif(address, '') from sent_messages where account = ${account} and stamp = ${stamp}::uuid),
      (select nullif(address, '') from messages where account = ${account} and stamp = ${stamp}::uuid and kind <> 'copy'),
      (select fields ->> ${String(field)} from contacts where account = ${account} and id = ${contact})) as address`.execute(
    db,
  )
  return rows[0]?.address ?? null
}
