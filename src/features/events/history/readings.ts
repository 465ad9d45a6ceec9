import type { EventChannel, EventKind } from '../kinds/event-kinds.ts'
import type { EventSelection } from './filters.ts'

/** Identity of the account in records: their `identity` member. */
export interface RecordIdentity {
  type: 'customer'
  agency: string
  customer: string
}

/** Events to read, and the form of their records. */
export interface EventReading {
  /** Events of any of these; they do not overlap. */
  selections: readonly EventSelection[]
  identity: RecordIdentity
  sort: 'asc' | 'desc'
  /** Id of the event after which the list goes on. */
  after: string | undefined
}

/** Members of an event that its record is built from; the timestamp is the id's. `detail` is JSON as stored. */
export interface StoredEventRecord {
  id: string
  kind: EventKind
  channel: EventChannel
  detail: string
}
