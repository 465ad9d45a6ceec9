import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId, Actor } from '../../lib/account.ts'
import { toStorableJson, toStorableText } from '../../lib/text/storable.ts'
import { truncateAuditChanges } from './bounds.ts'
import { maskAuditChangeTexts, maskPersonalText } from './masking.ts'

/** By pointer (RFC 6901): what stood there before, and after; null for nothing. */
export type AuditChanges = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** What an act was done to. */
export interface AuditObject {
  type: string
  id: string | null
  name: string | null
}

/** What a row of the audit tells. */
export interface NewAuditEntry {
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
  changes?: AuditChanges
  /** The kind of problem that refused the act, such as `segment-linked`; absent: it was done. */
  problem?: string
}

/** Characters of an id or a name at most: longer ones, which an index refuses, are cut. */
const MAX_TEXT = 500

/** Who acts when nobody does: what goes on by itself. */
export const SYSTEM_ACTOR: Actor = { type: 'system', id: null, name: 'system' }

function cut(text: string | null | undefined): string | null {
  return text == null ? null : toStorableText(text.slice(0, MAX_TEXT))
}

/**
 * Writes a row of the audit, in the transaction of what it tells; of a refused act in one of its own. It quotes what callers sent
 * without what cannot be stored.
 */
export async function recordAudit(tx: Db, entry: NewAuditEntry): Promise<void> {
  const { account, at, actor, origin, operation, object, changes = {}, problem } = entry
  const { kept, omitted } = truncateAuditChanges(toStorableJson(maskAuditChangeTexts(changes)) as AuditChanges)
  await tx
    .insertInto('audit')
    .values({
      account,
      at,
      actor_type: actor.type,
      actor_id: actor.id,
      actor_name: toStorableText(actor.name),
      address: origin?.address ?? null,
      request: origin?.request ?? null,
      operation,
      object_type: object?.type ?? null,
      object_id: cut(object?.id),
      object_name: object?.name == null ? null : cut(maskPersonalText(object.name)),
      changes: toJsonbText(kept),
      omitted,
      outcome: problem === undefined ? 'done' : 'refused',
      problem: problem ?? null,
    })
    .execute()
}
