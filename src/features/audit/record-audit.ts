import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId, Actor } from '../../lib/account.ts'
import { toStorableJson, toStorableText } from '../../lib/text/storable.ts'
import { truncateAuditChanges } from './bounds.ts'
import { maskAuditChangeTexts, maskPersonalText } from './masking.ts'

/** By pointer (RFC 6901): what stood there before, and after; null for nothing. */
export type AuditChanges = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** The object of an audited act. */
export interface AuditObject {
  type: string
  id: string | null
  name: string | null
}

/** Contents of an audit row. */
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
const MAX_TEXT_LENGTH = 500

/** Actor of everything that runs by itself. */
export const SYSTEM_ACTOR: Actor = { type: 'system', id: null, name: 'system' }

function truncateText(text: string | null | undefined): string | null {
  return text == null ? null : toStorableText(text.slice(0, MAX_TEXT_LENGTH))
}

/**
 * Writes an audit row in the transaction of the act it records; the row of a refused act has its own transaction. Values sent by callers
 * are quoted without the characters that cannot be stored.
 */
export async function recordAudit(tx: Db, entry: NewAuditEntry): Promise<void> {
  const { account, at, actor, origin, operation, object, changes = {}, problem } = entry
  const { kept: includedChanges, omitted } = truncateAuditChanges(
    toStorableJson(maskAuditChangeTexts(changes)) as AuditChanges,
  )
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
      object_id: truncateText(object?.id),
      object_name: object?.name == null ? null : truncateText(maskPersonalText(object.name)),
      changes: toJsonbText(includedChanges),
      omitted,
      outcome: problem === undefined ? 'done' : 'refused',
      problem: problem ?? null,
    })
    .execute()
}
