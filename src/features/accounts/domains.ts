import { sql } from 'kysely'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { MasterKeys } from '../../lib/crypto/tokens.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { generateDomainKeys, listDomainKeys, storeDomainKeys } from './domain-keys.ts'

/**
 * Adds a domain an account may send from, or changes it, and creates its keys if it has none. The first domain is the default, and so is
 * one that requests it. `verifiedAt`: marked as verified without a DNS query.
 */
export async function addSendingDomain(
  { db, masterKeys }: { db: Db; masterKeys: MasterKeys },
  account: AccountId,
  { domain, isDefault, verifiedAt, now }: { domain: string; isDefault: boolean; verifiedAt: Date | null; now: Date },
): Promise<void> {
  const existingKeys = await listDomainKeys(db, account, domain)
  const newKeys = existingKeys.length > 0 ? [] : await generateDomainKeys()
  await inTransaction(db, async (tx) => {
    const otherDomains = await tx
      .selectFrom('sending_domains')
      .select('domain')
      .where('account', '=', account)
      .forUpdate()
      .execute()
    const becomesDefault = isDefault || otherDomains.every((otherDomain) => otherDomain.domain === domain)
    if (becomesDefault)
      await tx.updateTable('sending_domains').set({ is_default: false }).where('account', '=', account).execute()
    await tx
      .insertInto('sending_domains')
      .values({ account, domain, is_default: becomesDefault, verified_at: verifiedAt })
      .onConflict((conflict) =>
        conflict.columns(['account', 'domain']).doUpdateSet({
          verified_at: sql<Date | null>`coalesce(excluded.verified_at, sending_domains.verified_at)`,
          is_default: sql<boolean>`excluded.is_default or sending_domains.is_default`,
        }),
      )
      .execute()
    if (newKeys.length > 0)
      await storeDomainKeys(tx, masterKeys, { account, domain }, { keys: newKeys, now, activatedAt: now })
  })
}

/** The domains of an account, by name. */
export async function listAccountDomains(
  db: Db,
  account: AccountId,
): Promise<{ domain: string; default: boolean; verified: boolean }[]> {
  const rows = await db
    .selectFrom('sending_domains')
    .select(['domain', 'is_default', 'verified_at'])
    .where('account', '=', account)
    .orderBy('domain')
    .execute()
  return rows.map((row) => ({ domain: row.domain, default: row.is_default, verified: row.verified_at !== null }))
}

/** Locks a domain until the transaction ends. */
export async function lockSendingDomain(tx: Db, account: AccountId, domain: string): Promise<void> {
  await sql`select from sending_domains where account = ${account} and domain = ${domain} for update`.execute(tx)
}

/** Removes a domain. Throws notFound. */
export async function removeSendingDomain(db: Db, account: AccountId, domain: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('sending_domains')
    .where('account', '=', account)
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFoundProblem('domain', domain)
}
