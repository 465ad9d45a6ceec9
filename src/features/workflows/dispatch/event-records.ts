import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { readEventRecords } from '../../events/history/records.ts'
import { findListenedTypes } from '../../events/kinds/listened-types.ts'
import type { ListenerRow } from '../../listeners/take.ts'
import { readNoticesById } from '../../notices/reading.ts'
import type { RunEventRecord } from '../nodes/node-contract.ts'

/** An event or notice with the types by which listeners name it. */
export interface TypedRecord {
  types: readonly string[]
  record: RunEventRecord
}

type JsonRecord = Readonly<Record<string, unknown>>

/** Returns true if a record belongs to a proof or to a machine: no listener receives those. */
function isIgnoredRecord({ source }: RunEventRecord): boolean {
  const sourceDetail = ((source as JsonRecord | undefined)?.['detail'] ?? {}) as Readonly<
    Record<string, JsonRecord | null | undefined>
  >
  const subjectDetail = sourceDetail['activation'] ?? sourceDetail['execution']
  const classifiedHit = sourceDetail['hit'] ?? sourceDetail['interaction']
  return subjectDetail?.['kind'] === 'test' || (classifiedHit?.['classification'] ?? null) !== null
}

/** Events of these accounts, and notices, by their ids; what is not there any more, proofs and what machines did are left out. */
export async function readTypedRecords(
  db: Db,
  ids: readonly string[],
  accounts: readonly AccountId[],
): Promise<Map<string, TypedRecord>> {
  const recordsById = new Map<string, TypedRecord>()
  const seenIds = new Set<string>()
  for (const eventRow of await readEventRecords(db, ids, accounts)) {
    const record = JSON.parse(eventRow.text) as RunEventRecord
    seenIds.add(eventRow.id)
    if (!isIgnoredRecord(record)) recordsById.set(eventRow.id, { types: findListenedTypes(eventRow), record })
  }
  const noticeIds = ids.filter((id) => !seenIds.has(id))
  for (const noticeRow of await readNoticesById(db, noticeIds)) {
    recordsById.set(noticeRow.id, { types: [noticeRow.type], record: noticeRow as unknown as RunEventRecord })
  }
  return recordsById
}

/** An event with what listeners need of it. */
export interface ListenedEvent {
  row: ListenerRow
  types: readonly string[]
  record: RunEventRecord
  thread: string | null
}
