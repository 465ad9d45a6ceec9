import type { Db } from '../../database/connection/connect.ts'
import type { AccountId, Actor } from '../../lib/account.ts'

/** The object of an operation: its type, and the parameter of the path that has its id (default `id`; null: none has). */
export interface AuditObjectRule {
  object: string
  id?: string | null
}

/** The reason why an operation that writes is not audited. */
export interface AuditExemption {
  untold: string
}

/** Something that was done, or refused. */
export interface AuditedAct {
  /** Null: none is known. */
  account: AccountId | null
  /** Null: a caller who only has an address. */
  actor: Actor | null
  origin: { address: string; request: string }
  operation: string
  object: { type: string; id: string | null; name: string | null }
  /** The object as it was shown before and after; null: it was not there. */
  before: object | null
  after: object | null
  /** The request body. For secrets, which are never shown, it only records that they were written. */
  given: unknown
  /** Further details of the request to record. */
  said: object | null
  /** The kind of problem that refused it; absent: it was done. */
  problem?: string
}

/** The recorder of audited acts. */
export interface AuditRecorder {
  db: Db
  record(tx: Db, act: AuditedAct): Promise<void>
  /** Routes that write and declare neither an audit rule nor the reason for an exemption. */
  undeclared: string[]
}
