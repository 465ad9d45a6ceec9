import type { EventChannel, EventKind } from '../kinds/event-kinds.ts'
import type { EventSelection } from './filters.ts'

/** How records stand in `identity`. */
export interface RecordIdentity {
  type: 'customer'
  agency: string
  customer: string
}

/** Which events are read, and how their records are written. */
export interface EventReading {
  /** Events of any of these; they do not overlap. */
  selections: readonly EventSelection[]
  identity: RecordIdentity
  sort: 'asc' | 'desc'
  /** Id of the event after which the list goes on. */
  after: string | undefined
}

/** What of an event its record is made of; the timestamp is the id's. `detail` is JSON, as it is stored. */
export interface StoredEventRecord {
  id: string
  kind: EventKind
  channel: EventChannel
  detail: string
}
