import type { AccountId } from '../../../lib/account.ts'
import type { EventChannel, EventKind } from '../kinds/event-kinds.ts'

/** An event before its record is made of it. */
export interface StoredEvent {
  id: string
  account: AccountId
  channel: EventChannel
  kind: EventKind
  /** Publication. */
  at: Date
  /** JSON. */
  detail: string
}

/** Which events of an account a statement reads, at least: what it leaves out, the statement leaves out itself. */
export interface EventReadScope {
  account: AccountId
  channels?: readonly EventChannel[] | undefined
  kinds?: readonly EventKind[] | undefined
  subjects?: readonly number[] | undefined
  contacts?: readonly number[] | undefined
  stamps?: readonly string[] | undefined
  thread?: string | undefined
  /** Milliseconds: from this one on, and before that one. */
  since?: number | undefined
  until?: number | undefined
  /** What people did, or was done for them: no proofs, nothing of machines. */
  isHuman?: true
  /** No more than the first of them in this order, behind an event. */
  first?: { sort: 'asc' | 'desc'; limit: number; after?: string | null | undefined }
  /** What of the details is read, as paths such as `activation,recipient`: none, or all when it is left out. */
  paths?: readonly string[]
}
