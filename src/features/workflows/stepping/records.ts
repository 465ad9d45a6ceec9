import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { readEventRecords } from '../../events/history/records.ts'
import { findListenedTypes } from '../../events/kinds/listened-types.ts'
import type { ListenerRow } from '../../listeners/take.ts'
import { readNoticesById } from '../../notices/reading.ts'
import type { RunEventRecord } from './step.ts'

/** An event or notice with the types by which listeners name it. */
export interface TypedRecord {
  types: readonly string[]
  record: RunEventRecord
}

type Json = Readonly<Record<string, unknown>>

/** Whether a record is of a proof, or of a machine: nobody listens to those. */
function isNobodys({ source }: RunEventRecord): boolean {
  const detail = ((source as Json | undefined)?.['detail'] ?? {}) as Readonly<Record<string, Json | null | undefined>>
  const about = detail['activation'] ?? detail['execution']
  const classed = detail['hit'] ?? detail['interaction']
  return about?.['kind'] === 'test' || (classed?.['classification'] ?? null) !== null
}

/** Events of these accounts, and notices, by their ids; what is not there any more, proofs and what machines did are left out. */
export async function readTypedRecords(
  db: Db,
  ids: readonly string[],
  accounts: readonly AccountId[],
): Promise<Map<string, TypedRecord>> {
  const found = new Map<string, TypedRecord>()
  const seen = new Set<string>()
  for (const event of await readEventRecords(db, ids, accounts)) {
    const record = JSON.parse(event.text) as RunEventRecord
    seen.add(event.id)
    if (!isNobodys(record)) found.set(event.id, { types: findListenedTypes(event), record })
  }
  const others = ids.filter((id) => !seen.has(id))
  for (const notice of await readNoticesById(db, others)) {
    found.set(notice.id, { types: [notice.type], record: notice as unknown as RunEventRecord })
  }
  return found
}

/** An event with what listeners need of it. */
export interface ListenedEvent {
  row: ListenerRow
  types: readonly string[]
  record: RunEventRecord
  thread: string | null
}
