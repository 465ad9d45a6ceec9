import { createHash, randomBytes } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/seal.ts'
import { sealRcsSecret, unsealRcsSecret } from './provider.ts'

const TOKEN_BYTES = 24
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{32}$/

/** Time for which a replaced webhook address continues to work. */
export const REPLACED_WEBHOOK_MS = 8 * 24 * 3600 * 1000

/** A profile, named by its account and its number there. */
export interface RcsProfileKey {
  account: AccountId
  id: number
}

function digestToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Gives a profile a new webhook address. Those it had work 8 days more, each from when it was replaced. */
export async function renewRcsWebhookToken(
  tx: Db,
  keys: MasterKeys,
  { account, id }: RcsProfileKey,
  now: Date,
): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await sql`
    update rcs_webhook_tokens set sealed = null, expires_at = ${new Date(now.getTime() + REPLACED_WEBHOOK_MS)}
    where account = ${account} and profile = ${id} and expires_at is null`.execute(tx)
  await sql`
    insert into rcs_webhook_tokens (digest, account, profile, sealed)
    values (${digestToken(token)}, ${account}, ${id}, ${sealRcsSecret(keys, id, 'webhook', token)})`.execute(tx)
}

/** The column of a profile's present token, sealed; in a statement over `rcs_profiles p`. */
export const sealedRcsTokenSql: RawBuilder<Buffer | null> = sql`(
  select t.sealed from rcs_webhook_tokens t where t.profile = p.id and t.expires_at is null)`

/** The webhook address; null when its master key is lost: a new token then gives a new one. */
export function buildRcsWebhookUrl(
  keys: MasterKeys,
  { id, token }: { id: number; token: Buffer | null },
  publicUrl: string,
): { url: string } | null {
  try {
    const openedToken = unsealRcsSecret(keys, id, 'webhook', token)
    return openedToken === null ? null : { url: `${publicUrl}/hooks/rcs/${openedToken}` }
  } catch {
    return null
  }
}

/** The profile whose webhook address has this token, now or up to 8 days ago; undefined for an unknown or expired one. */
export async function findProfileByWebhookToken(db: Db, token: string, now: Date): Promise<RcsProfileKey | undefined> {
  if (!TOKEN_PATTERN.test(token)) return undefined
  const { rows } = await sql<RcsProfileKey>`
    select account, profile as id from rcs_webhook_tokens
    where digest = ${digestToken(token)} and (expires_at is null or expires_at > ${now})`.execute(db)
  return rows[0]
}
