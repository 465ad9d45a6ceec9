import type { Db } from '../../../../database/connect.ts'
import { readRecords } from '../../../events/records.ts'
import type { ListenerRow } from '../../../listeners/take.ts'
import { noticesOf } from '../../../notices/reading.ts'
import { typesOf } from './event-sources.ts'
import type { EventRecord } from './step.ts'

/** An event or notice with the types by which listeners name it. */
export interface TypedRecord {
  types: readonly string[]
  record: EventRecord
}

/** Events and notices by their ids; what is not there any more is left out. */
export async function recordsOf(db: Db, ids: readonly string[]): Promise<Map<string, TypedRecord>> {
  const found = new Map<string, TypedRecord>()
  for (const event of await readRecords(db, ids)) {
    found.set(event.id, { types: typesOf(event), record: JSON.parse(event.text) as EventRecord })
  }
  const others = ids.filter((id) => !found.has(id))
  for (const notice of await noticesOf(db, others)) {
    found.set(notice.id, { types: [notice.type], record: notice as unknown as EventRecord })
  }
  return found
}

/** An event with what listeners need of it. */
export interface ListenedEvent {
  row: ListenerRow
  types: readonly string[]
  record: EventRecord
  thread: string | null
}
