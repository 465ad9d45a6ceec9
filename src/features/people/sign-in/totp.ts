import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../../database/connection/connect.ts'
import { sealWithMasterKey, unsealWithMasterKey } from '../../../lib/crypto/seal.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'

const TOTP_ISSUER = 'Stentor'
const STEP_MS = 30_000
const SECRET_BYTES = 20
/** Steps before and after the present one whose codes count (RFC 6238, 5.2). */
const ACCEPTED_STEPS = 1

const buildSealContext = (person: string): string => `totp ${person}`

function createTotp(bytes: Uint8Array, label: string): TOTP {
  return new TOTP({ issuer: TOTP_ISSUER, label, secret: new Secret({ buffer: Uint8Array.from(bytes).buffer }) })
}

/** A secret; undefined where it was sealed with a master key that is lost. */
function openSecret(keys: MasterKeys, sealed: Buffer, person: string): Buffer | undefined {
  try {
    return unsealWithMasterKey(keys, sealed, buildSealContext(person))
  } catch {
    return undefined
  }
}

/** The step of time whose code this is; undefined when it is of none that counts. */
function findCodeStep(bytes: Uint8Array | undefined, code: string, now: number): number | undefined {
  const digits = code.replaceAll(/\s/g, '')
  if (bytes === undefined || !/^\d{6}$/.test(digits)) return undefined
  const delta = createTotp(bytes, '').validate({ token: digits, timestamp: now, window: ACCEPTED_STEPS })
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta
}

/** Proposes a new secret: in force once a code of it was given. */
export async function proposeTotpSecret(
  db: Db,
  keys: MasterKeys,
  { id, email }: { id: string; email: string },
): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ size: SECRET_BYTES })
  const sealedSecret = sealWithMasterKey(keys, secret.bytes, buildSealContext(id))
  await db
    .insertInto('totp_secrets')
    .values({ person: id, proposed: sealedSecret })
    .onConflict((conflict) => conflict.column('person').doUpdateSet({ proposed: sealedSecret }))
    .execute()
  return { secret: secret.base32, uri: createTotp(secret.bytes, email).toString() }
}

/** Puts the proposed secret in force with a code of it; false where the code is wrong or nothing is proposed. */
export async function confirmTotpSecret(
  db: Db,
  keys: MasterKeys,
  { person, code, now }: { person: string; code: string; now: number },
): Promise<boolean> {
  const row = await db.selectFrom('totp_secrets').select('proposed').where('person', '=', person).executeTakeFirst()
  if (!row?.proposed) return false
  const codeStep = findCodeStep(openSecret(keys, row.proposed, person), code, now)
  if (codeStep === undefined) return false
  const { numUpdatedRows } = await db
    .updateTable('totp_secrets')
    .set({ sealed: row.proposed, proposed: null, last_step: codeStep })
    .where('person', '=', person)
    .where('proposed', '=', row.proposed)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** True if a code is right. It works once: afterwards, codes of its step or an earlier one are refused. */
export async function redeemTotpCode(
  db: Db,
  keys: MasterKeys,
  { person, code, now }: { person: string; code: string; now: number },
): Promise<boolean> {
  const row = await db.selectFrom('totp_secrets').select('sealed').where('person', '=', person).executeTakeFirst()
  if (!row?.sealed) return false
  const codeStep = findCodeStep(openSecret(keys, row.sealed, person), code, now)
  if (codeStep === undefined) return false
  const { numAffectedRows } = await sql`
    update totp_secrets set last_step = ${codeStep}
    where person = ${person} and sealed = ${row.sealed} and last_step < ${codeStep}`.execute(db)
  return numAffectedRows === 1n
}

/** Takes it away; false where there was none. */
export async function removeTotpSecret(db: Db, person: string): Promise<boolean> {
  const { rows } = await sql<{ was: boolean }>`
    delete from totp_secrets where person = ${person} returning sealed is not null as was`.execute(db)
  return rows[0]?.was ?? false
}
