import { type Db, inTransaction } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFound } from '../../lib/problem.ts'

/** Adds a domain an account may send from, or changes it. The first one is the default, and so is one that asks to be. */
export async function addDomain(
  db: Db,
  account: AccountId,
  { domain, isDefault, verifiedAt }: { domain: string; isDefault: boolean; verifiedAt: Date | null },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const others = await tx
      .selectFrom('sending_domains')
      .select('domain')
      .where('account', '=', account)
      .forUpdate()
      .execute()
    const becomesDefault = isDefault || others.every((other) => other.domain === domain)
    if (becomesDefault)
      await tx.updateTable('sending_domains').set({ is_default: false }).where('account', '=', account).execute()
    await tx
      .insertInto('sending_domains')
      .values({ account, domain, is_default: becomesDefault, verified_at: verifiedAt })
      .onConflict((conflict) =>
        conflict
          .columns(['account', 'domain'])
          .doUpdateSet({ verified_at: verifiedAt, ...(becomesDefault && { is_default: true }) }),
      )
      .execute()
  })
}

/** The domains of an account, by name. */
export async function listDomains(
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

/** Removes a domain. Throws notFound. */
export async function removeDomain(db: Db, account: AccountId, domain: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('sending_domains')
    .where('account', '=', account)
    .where('domain', '=', domain)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound('domain', domain)
}
