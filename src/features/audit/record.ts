import { type Db, json } from '../../database/connect.ts'
import type { AccountId, Actor } from '../../lib/account.ts'
import { bounded } from './bounds.ts'
import { maskText, maskTexts } from './masking.ts'

/** By pointer (RFC 6901): what stood there before, and after; null for nothing. */
export type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** What an act was done to. */
export interface AuditObject {
  type: string
  id: string | null
  name: string | null
}

/** What a row of the audit tells. */
export interface AuditEntry {
  /** Null: the installation's. */
  account: AccountId | null
  at: Date
  actor: Actor
  /** The client's address and the request's id; null for what did not come over HTTP. */
  origin: { address: string; request: string } | null
  /** Method and path template, such as `PUT /segments/{id}`; of the command line its words, such as `keys create`. */
  operation: string
  object: AuditObject | null
  /** Secrets are `***` already; addresses and numbers in texts become so here. */
  changes?: Changes
  /** The kind of problem that refused the act, such as `segment-linked`; absent: it was done. */
  problem?: string
}

/** Who acts when nobody does: what goes on by itself. */
export const SYSTEM: Actor = { type: 'system', id: null, name: 'system' }

/** Writes a row of the audit, in the transaction of what it tells; of a refused act in one of its own. */
export async function recordAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { account, at, actor, origin, operation, object, changes = {}, problem } = entry
  const { kept, omitted } = bounded(maskTexts(changes))
  await tx
    .insertInto('audit')
    .values({
      account,
      at,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: actor.name,
      address: origin?.address ?? null,
      request: origin?.request ?? null,
      operation,
      object_type: object?.type ?? null,
      object_id: object?.id ?? null,
      object_name: object?.name == null ? null : maskText(object.name).slice(0, 500),
      changes: json(kept),
      omitted,
      outcome: problem === undefined ? 'done' : 'refused',
      problem: problem ?? null,
    })
    .execute()
}
