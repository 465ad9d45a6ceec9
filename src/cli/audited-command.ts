import { type Db, inTransaction } from '../database/connection/connect.ts'
import { diffAuditSnapshots } from '../features/audit/changes.ts'
import { type AuditObject, recordAudit } from '../features/audit/record-audit.ts'
import type { AccountId } from '../lib/account.ts'
import { systemClock } from '../lib/time/clock.ts'

/** The audit entry of a command. */
export interface AuditedCommand {
  /** Its words: `keys create`. */
  operation: string
  /** Null: the installation's. */
  account: AccountId | null
  object: AuditObject
  /** The request, without secrets. */
  said?: object
}

/** Runs the work of a command in a transaction that also writes its audit row; `of` builds the entry from the result. */
export function inAuditedTransaction<T>(
  db: Db,
  work: (tx: Db) => Promise<T>,
  of: (result: T) => AuditedCommand,
): Promise<T> {
  return inTransaction(db, async (tx) => {
    const result = await work(tx)
    const { said: details = null, ...auditEntry } = of(result)
    await recordAudit(tx, {
      ...auditEntry,
      at: new Date(systemClock.now()),
      actor: { type: 'command', id: null, name: 'command line' },
      origin: null,
      changes: diffAuditSnapshots({ before: null, after: details }, []),
    })
    return result
  })
}
