import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'

const CODE_COUNT = 10
/** 80 bits, so that a hash of them cannot be turned back by trying. */
const CODE_BYTES = 10
const BASE32_LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** Four groups of four letters and digits of base32. */
function generateCode(): string {
  const binaryText = [...randomBytes(CODE_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const letters = binaryText.match(/.{5}/g)?.map((five) => BASE32_LETTERS[Number.parseInt(five, 2)]) ?? []
  return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}

function digestCode(person: string, code: string): Buffer {
  return createHash('sha256')
    .update(`${person} ${code.toLowerCase().replaceAll(/[\s-]/g, '')}`)
    .digest()
}

/** Gives a person ten new codes; those before are void. */
export async function renewRecoveryCodes(db: Db, person: string): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, generateCode)
  await inTransaction(db, async (tx) => {
    // Two renewals at once would leave the codes of both.
    await sql`select from people where id = ${person} for update`.execute(tx)
    await tx.deleteFrom('recovery_codes').where('person', '=', person).execute()
    await tx
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ person, digest: digestCode(person, code) })))
      .execute()
  })
  return codes
}

/** True if a code belongs to the person; it is void afterwards. */
export async function redeemRecoveryCode(db: Db, person: string, code: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('person', '=', person)
    .where('digest', '=', digestCode(person, code))
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** True if any code is left. */
export async function hasRecoveryCodes(db: Db, person: string): Promise<boolean> {
  const row = await db
    .selectFrom('recovery_codes')
    .select('person')
    .where('person', '=', person)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Codes without a factor that they stand for are void. */
export async function removeRecoveryCodes(db: Db, person: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('person', '=', person).execute()
}
