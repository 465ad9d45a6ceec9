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

/** Events of an account that a statement may read. The scope may include more: the statement applies its own conditions. */
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
  /** Actions of people, or for them: no proofs, nothing of machines. */
  isHuman?: true
  /** No more than the first of them in this order, behind an event. */
  first?: { sort: 'asc' | 'desc'; limit: number; after?: string | null | undefined }
  /** Paths of the details that are read, such as `activation,recipient`: an empty list reads none, an absent one all. */
  paths?: readonly string[]
}
