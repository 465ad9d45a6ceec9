import type { Channel, Kind } from '../kinds/event-kinds.ts'
import type { Selection } from './filters.ts'

/** How records stand in `identity`. */
export interface Identity {
  type: 'customer'
  agency: string
  customer: string
}

/** Which events are read, and how their records are written. */
export interface Reading {
  /** Events of any of these; they do not overlap. */
  selections: readonly Selection[]
  identity: Identity
  sort: 'asc' | 'desc'
  /** Id of the event after which the list goes on. */
  after: string | undefined
}

/** What of an event its record is made of; the timestamp is the id's. `detail` is JSON, as it is stored. */
export interface StoredRecord {
  id: string
  kind: Kind
  channel: Channel
  detail: string
}
