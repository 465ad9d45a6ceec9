import { createPrivateKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import type { AccountId } from '../../lib/account.ts'
import {
  createDkimKey,
  type DkimAlgorithm,
  type DkimSigningKey,
  dkimAlgorithms,
  type NewDkimKey,
} from '../../lib/crypto/dkim-keys.ts'
import { sealWithMasterKey, unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'

/** A key as its domain shows it. The private half is never shown. */
export interface DkimDomainKey {
  id: number
  algorithm: DkimAlgorithm
  selector: string
  publicKey: string
  /** `waitingKeys` for its record to be found, after a rotation; `retired`: another signs, its record is still needed. */
  state: 'waiting' | 'signing' | 'retired'
  retiredAt: Date | null
}

/** Time in which receivers may still verify signatures of a retired key: mail is retried for days and forwarded later. */
export const RETIRED_DKIM_KEY_DAYS = 30

/** The letter that selectors of an algorithm begin with: `r1`, `e1`. */
const SELECTOR_PREFIXES: Readonly<Record<DkimAlgorithm, string>> = { 'rsa-sha256': 'r', 'ed25519-sha256': 'e' }

function requireAlgorithm(text: string): DkimAlgorithm {
  const algorithm = dkimAlgorithms.find((supported) => supported === text)
  if (!algorithm) throw new Error(`${text} is not an algorithm for domain keys`)
  return algorithm
}

/** The context a private key is sealed with: it opens for this domain and selector only. */
function buildSealContext(account: AccountId, domain: string, selector: string): string {
  return `domain ${account} ${domain} ${selector}`
}

/** The number of the next selectors of a domain: no two accounts that send from it use the same. */
async function nextSelectorNumber(db: Db, domain: string): Promise<number> {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(substring(selector from 2)::integer), 0) + 1 as next from domain_keys where domain = ${domain}`.execute(
    db,
  )
  return rows[0]?.next ?? 1
}

/** Keys of every algorithm, generated before any lock is taken: RSA is slow. */
export async function generateDomainKeys(): Promise<[DkimAlgorithm, NewDkimKey][]> {
  return Promise.all(
    dkimAlgorithms.map(
      async (algorithm): Promise<[DkimAlgorithm, NewDkimKey]> => [algorithm, await createDkimKey(algorithm)],
    ),
  )
}

/** Keeps new keys of a domain, sealed; they sign from `activatedAt` on, or once their records are found. */
export async function storeDomainKeys(
  db: Db,
  masterKeys: MasterKeys,
  { account, domain }: { account: AccountId; domain: string },
  { keys, now, activatedAt }: { keys: readonly [DkimAlgorithm, NewDkimKey][]; now: Date; activatedAt: Date | null },
): Promise<void> {
  const selectorNumber = await nextSelectorNumber(db, domain)
  const rows = keys.map(([algorithm, { publicKey, privateKey }]) => {
    const selector = `${SELECTOR_PREFIXES[algorithm]}${selectorNumber}`
    const sealedKey = sealWithMasterKey(masterKeys, privateKey, buildSealContext(account, domain, selector))
    return {
      account,
      domain,
      algorithm,
      selector,
      created_at: now,
      activated_at: activatedAt,
      public_key: publicKey,
      private_key: sealedKey,
    }
  })
  await mapConstraintErrors(db.insertInto('domain_keys').values(rows).execute(), {
    foreignKey: () => notFoundProblem('domain', domain),
    unique: () =>
      conflictProblem(
        'keys-waiting',
        `New keys of ${domain} are already waiting for their DNS records. Publish the records, then verify the keys.`,
      ),
  })
}

/**
 * Makes new keys for a domain. Those before go on signing until the records of the new ones are found by `domains
 * verify`. Throws notFound, conflict `keys-waiting`.
 */
export async function rotateDomainKeys(
  db: Db,
  masterKeys: MasterKeys,
  { account, domain, now }: { account: AccountId; domain: string; now: Date },
): Promise<void> {
  const keys = await generateDomainKeys()
  await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ signs: boolean }>`
      select exists (select from domain_keys k where (k.account, k.domain) = (d.account, d.domain) and activated_at is not null) as signs
      from sending_domains d where d.account = ${account} and d.domain = ${domain} for update`.execute(tx)
    const [currentKey] = rows
    if (!currentKey) throw notFoundProblem('domain', domain)
    await storeDomainKeys(
      tx,
      masterKeys,
      { account, domain },
      { keys, now, activatedAt: currentKey.signs ? null : now },
    )
  })
}

/** The keys of a domain, oldest first. */
export async function listDomainKeys(db: Db, account: AccountId, domain: string): Promise<DkimDomainKey[]> {
  const rows = await db
    .selectFrom('domain_keys')
    .select(['id', 'algorithm', 'selector', 'public_key', 'activated_at', 'retired_at'])
    .where('account', '=', account)
    .where('domain', '=', domain)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    algorithm: requireAlgorithm(row.algorithm),
    selector: row.selector,
    publicKey: row.public_key,
    state: row.retired_at ? 'retired' : row.activated_at ? 'signing' : 'waiting',
    retiredAt: row.retired_at,
  }))
}

/** The waiting keys sign from now on; those before are retired, and deleted 30 days later. */
export async function activateDomainKeys(db: Db, account: AccountId, domain: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { rows: waitingKeys } = await sql<{ id: number }>`
      select id from domain_keys where account = ${account} and domain = ${domain} and activated_at is null
      for update`.execute(tx)
    if (waitingKeys.length === 0) return
    await sql`update domain_keys set retired_at = ${now}
      where account = ${account} and domain = ${domain} and activated_at is not null and retired_at is null`.execute(tx)
    await sql`update domain_keys set activated_at = ${now} where id = any(${waitingKeys.map(({ id }) => id)}::integer[])`.execute(
      tx,
    )
  })
}

/** Deletes keys that were retired so long ago that no mail they signed is under way. */
export async function purgeRetiredDomainKeys(db: Db, account: AccountId, domain: string, now: Date): Promise<void> {
  await sql`delete from domain_keys where account = ${account} and domain = ${domain}
    and retired_at < ${now}::timestamptz - ${`${RETIRED_DKIM_KEY_DAYS} days`}::interval`.execute(db)
}

/** The keys an account signs with now. */
export interface AccountSigningKeys {
  byDomain: ReadonlyMap<string, readonly DkimSigningKey[]>
  /** The same by their rows: opened once, however often these are read. */
  opened: ReadonlyMap<number, KeyObject>
}

export const NO_SIGNING_KEYS: AccountSigningKeys = { byDomain: new Map(), opened: new Map() }

/**
 * Reads what an account signs with now, and opens what `before` had not. A key that cannot be opened is passed to `report`
 * and left out: its domain counts as one without keys.
 */
export async function loadSigningKeys(
  db: Db,
  masterKeys: MasterKeys,
  account: AccountId,
  { before, report }: { before: AccountSigningKeys; report: (error: unknown) => void },
): Promise<AccountSigningKeys> {
  const rows = await db
    .selectFrom('domain_keys')
    .select(['id', 'domain', 'algorithm', 'selector', 'private_key'])
    .where('account', '=', account)
    .where('activated_at', 'is not', null)
    .where('retired_at', 'is', null)
    .orderBy('id')
    .execute()
  const keysByDomain = new Map<string, DkimSigningKey[]>()
  const openedKeys = new Map<number, KeyObject>()
  for (const { id, domain, algorithm, selector, private_key: sealedKey } of rows) {
    try {
      const key =
        before.opened.get(id) ??
        parsePrivateKey(unsealWithMasterKey(masterKeys, sealedKey, buildSealContext(account, domain, selector)))
      openedKeys.set(id, key)
      keysByDomain.set(domain, [
        ...(keysByDomain.get(domain) ?? []),
        { algorithm: requireAlgorithm(algorithm), selector, key },
      ])
    } catch (error) {
      report(error)
    }
  }
  return { byDomain: keysByDomain, opened: openedKeys }
}

function parsePrivateKey(der: Buffer): KeyObject {
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}
