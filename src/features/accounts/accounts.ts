import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import { type AccessRight, type AccountId, type ApiKeyCredentials, accessRights } from '../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'

/** `ACME001`: agency (4 characters) and customer (3 characters). */
export interface AccountIdentity {
  type: 'customer'
  agency: string
  customer: string
}

const KEY_LOOKUP_BYTES = 8

function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Splits `ACME001`; undefined when it is no account code. */
export function parseAccountCode(code: string): AccountIdentity | undefined {
  const codeMatch = /^([A-Z0-9]{4})([A-Z0-9]{3})$/.exec(code.toUpperCase())
  return codeMatch ? { type: 'customer', agency: codeMatch[1]!, customer: codeMatch[2]! } : undefined
}

/** The account of a code such as `ACME001`. Throws notFound. */
export async function findAccount(db: Db, code: string): Promise<AccountId> {
  const identity = parseAccountCode(code)
  const row =
    identity &&
    (await db
      .selectFrom('accounts')
      .select('id')
      .where('agency', '=', identity.agency)
      .where('customer', '=', identity.customer)
      .executeTakeFirst())
  if (!row) throw notFoundProblem('account', code)
  return row.id
}

/** Reads the name of the account and its form in events. */
export async function describeAccount(
  db: Db,
  account: AccountId,
): Promise<{ identity: AccountIdentity; name: string }> {
  const row = await db
    .selectFrom('accounts')
    .select(['agency', 'customer', 'name'])
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
  return { identity: { type: 'customer', agency: row.agency, customer: row.customer }, name: row.name }
}

/**
 * Creates an account and its defaults, through `addDefaults`, in one transaction.
 * Throws conflict `account-taken`.
 */
export async function createAccount(
  db: Db,
  identity: AccountIdentity,
  name: string,
  addDefaults: (db: Db, account: AccountId) => Promise<void>,
): Promise<AccountId> {
  return inTransaction(db, async (tx) => {
    const { id } = await mapConstraintErrors(
      tx
        .insertInto('accounts')
        .values({ agency: identity.agency, customer: identity.customer, name })
        .returning('id')
        .executeTakeFirstOrThrow(),
      {
        unique: () =>
          conflictProblem('account-taken', `Account ${identity.agency}${identity.customer} already exists.`),
      },
    )
    await addDefaults(tx, id)
    return id
  })
}

/** A new random key, 43 characters after its prefix. */
export function generateApiKey(): string {
  return `sk_${randomBytes(32).toString('base64url')}`
}

/** Stores the digest of a key; the caller shows the key itself once. `expiresAt` null: never. */
export async function createApiKey(
  db: Db,
  account: AccountId,
  key: string,
  details: { name: string; rights: readonly AccessRight[]; expiresAt: Date | null },
): Promise<number> {
  const secretHash = hashApiKey(key)
  const row = await mapConstraintErrors(
    db
      .insertInto('api_keys')
      .values({
        account,
        name: details.name,
        lookup: secretHash.subarray(0, KEY_LOOKUP_BYTES),
        secret_sha256: secretHash,
        rights: [...details.rights],
        expires_at: details.expiresAt,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
    { unique: () => conflictProblem('key-taken', 'This key already exists.') },
  )
  return row.id
}

/** Revokes a key (within a second in every process), of an account where that is given; gives whose it was. Throws notFound. */
export async function revokeApiKey(
  db: Db,
  id: number,
  at: Date,
  account?: AccountId,
): Promise<{ account: AccountId; name: string }> {
  const row = await db
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .$if(account !== undefined, (query) => query.where('account', '=', account ?? 0))
    .returning(['account', 'name'])
    .executeTakeFirst()
  if (!row) throw notFoundProblem('key', id)
  return row
}

/** Changes what an account is called. */
export async function renameAccount(db: Db, account: AccountId, name: string): Promise<void> {
  await db.updateTable('accounts').set({ name }).where('id', '=', account).execute()
}

/** Keys of an account without their secrets, oldest first. */
export function listApiKeys(db: Db, account: AccountId) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'name', 'rights', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'])
    .where('account', '=', account)
    .orderBy('id')
    .execute()
}

/** The credentials of a key; undefined when it is unknown, revoked or expired. The digest is compared in constant time. */
export async function authenticateApiKey(db: Db, key: string, now: Date): Promise<ApiKeyCredentials | undefined> {
  const secretHash = hashApiKey(key)
  const rows = await db
    .selectFrom('api_keys as k')
    .innerJoin('accounts as a', 'a.id', 'k.account')
    .select(['k.id', 'k.account', 'k.name', 'k.rights', 'k.secret_sha256', 'k.last_used_at'])
    .select(['a.rate_per_second', 'a.rate_burst'])
    .where('k.lookup', '=', secretHash.subarray(0, KEY_LOOKUP_BYTES))
    .where('k.revoked_at', 'is', null)
    .where((e) => e.or([e('k.expires_at', 'is', null), e('k.expires_at', '>', now)]))
    .execute()
  const row = rows.find((candidate) => timingSafeEqual(candidate.secret_sha256, secretHash))
  return (
    row && {
      key: row.id,
      name: row.name,
      account: row.account,
      rights: accessRights.filter((right) => row.rights.includes(right)),
      ratePerSecond: row.rate_per_second,
      rateBurst: row.rate_burst,
      lastUsedAt: row.last_used_at,
    }
  )
}

/** Reads the rights of an account's keys, by key id. Revoked and expired keys are left out. */
export async function readApiKeyRights(
  db: Db,
  account: AccountId,
  keys: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, readonly AccessRight[]>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'rights'])
    .where('account', '=', account)
    .where('id', 'in', keys)
    .where('revoked_at', 'is', null)
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', now)]))
    .execute()
  return new Map(rows.map((row) => [row.id, accessRights.filter((right) => row.rights.includes(right))]))
}

/** Records the use of a key; one write per key and minute at most, also with several processes. */
export async function recordApiKeyUse(db: Db, key: number, at: Date): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('id', '=', key)
    .where((e) =>
      e.or([
        e('last_used_at', 'is', null),
        e('last_used_at', '<', sql<Date>`${at}::timestamptz - interval '1 minute'`),
      ]),
    )
    .execute()
}

/** Every account of the installation, oldest first. */
export async function listAccounts(db: Db) {
  const rows = await db
    .selectFrom('accounts')
    .select(['agency', 'customer', 'name', 'rate_per_second', 'rate_burst', 'created_at'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    account: `${row.agency}${row.customer}`,
    name: row.name,
    'requests/s': row.rate_per_second,
    burst: row.rate_burst,
    made: row.created_at,
  }))
}

/** Sets the limits of each key of an account: requests per second (0: no limit) and concurrent requests. */
export async function setAccountRateLimit(
  db: Db,
  account: AccountId,
  ratePerSecond: number,
  rateBurst: number,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ rate_per_second: ratePerSecond, rate_burst: rateBurst })
    .where('id', '=', account)
    .execute()
}
