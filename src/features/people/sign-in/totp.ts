import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../database/connection/connect.ts'
import { sealWithMasterKey, unsealWithMasterKey } from '../../../lib/crypto/seal.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'

const ISSUER = 'Stentor'
const STEP_MS = 30_000
const SECRET_BYTES = 20
/** Steps before and after the present one whose codes count (RFC 6238, 5.2). */
const WINDOW = 1

const contextOf = (person: string): string => `totp ${person}`

function totpOf(bytes: Uint8Array, label: string): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: new Secret({ buffer: Uint8Array.from(bytes).buffer }) })
}

/** A secret; undefined where it was sealed with a master key that is lost. */
function opened(keys: MasterKeys, sealed: Buffer, person: string): Buffer | undefined {
  try {
    return unsealWithMasterKey(keys, sealed, contextOf(person))
  } catch {
    return undefined
  }
}

/** The step of time whose code this is; undefined when it is of none that counts. */
function stepOf(bytes: Uint8Array | undefined, code: string, now: number): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (bytes === undefined || !/^\d{6}$/.test(token)) return undefined
  const delta = totpOf(bytes, '').validate({ token, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta
}

/** Proposes a new secret: in force once a code of it was given. */
export async function proposeTotpSecret(
  db: Db,
  keys: MasterKeys,
  { id, email }: { id: string; email: string },
): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: SECRET_BYTES })
  const proposed = sealWithMasterKey(keys, secret.bytes, contextOf(id))
  await db
    .insertInto('totp_secrets')
    .values({ person: id, proposed })
    .onConflict((conflict) => conflict.column('person').doUpdateSet({ proposed }))
    .execute()
  return { secret: secret.base32, uri: totpOf(secret.bytes, email).toString() }
}

/** Puts the proposed secret in force with a code of it; false where the code is wrong or nothing is proposed. */
export async function confirmTotpSecret(
  db: Db,
  keys: MasterKeys,
  { person, code, now }: { person: string; code: string; now: number },
): Promise<boolean> {
  const row = await db.selectFrom('totp_secrets').select('proposed').where('person', '=', person).executeTakeFirst()
  if (!row?.proposed) return false
  const step = stepOf(opened(keys, row.proposed, person), code, now)
  if (step === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('totp_secrets')
    .set({ sealed: row.proposed, proposed: null, last_step: step })
    .where('person', '=', person)
    .where('proposed', '=', row.proposed)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whether a code is right. It works once: none of its step or an earlier one counts afterwards. */
export async function redeemTotpCode(
  db: Db,
  keys: MasterKeys,
  { person, code, now }: { person: string; code: string; now: number },
): Promise<boolean> {
  const row = await db.selectFrom('totp_secrets').select('sealed').where('person', '=', person).executeTakeFirst()
  if (!row?.sealed) return false
  const step = stepOf(opened(keys, row.sealed, person), code, now)
  if (step === undefined) return false
  const { numAffectedRows } = await sql`
    update totp_secrets set last_step = ${step}
    where person = ${person} and sealed = ${row.sealed} and last_step < ${step}`.execute(db)
  return numAffectedRows === 1n
}

/** Takes it away; false where there was none. */
export async function removeTotpSecret(db: Db, person: string): Promise<boolean> {
  const { rows } = await sql<{ was: boolean }>`
    delete from totp_secrets where person = ${person} returning sealed is not null as was`.execute(db)
  return rows[0]?.was ?? false
}
