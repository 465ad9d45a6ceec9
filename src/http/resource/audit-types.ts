import type { Db } from '../../database/connection/connect.ts'
import type { AccountId, Actor } from '../../lib/account.ts'

/** The object of an operation: its type, and the parameter of the path that has its id (default `id`; null: none has). */
export interface AuditObjectRule {
  object: string
  id?: string | null
}

/** Why an operation that writes is not told. */
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
  /** What was sent: of secrets, which are never shown, it says that they were written. */
  given: unknown
  /** More to be told of what was asked. */
  said: object | null
  /** The kind of problem that refused it; absent: it was done. */
  problem?: string
}

/** Where acts are recorded. */
export interface AuditRecorder {
  db: Db
  record(tx: Db, act: AuditedAct): Promise<void>
  /** Routes that write, and say neither what is told of them nor why nothing is. */
  undeclared: string[]
}
