import { sql } from 'kysely'
import type { ServiceConfig } from '../config.ts'
import { type Db, inTransaction } from '../database/connection/connect.ts'
import { createAccount, createApiKey, generateApiKey } from '../features/accounts/accounts.ts'
import { recordAudit, SYSTEM_ACTOR } from '../features/audit/record-audit.ts'
import { createDefaultCategory } from '../features/categories/categories.ts'
import { createUnicityEmailField } from '../features/contacts/fields/fields.ts'
import { accessRights } from '../lib/account.ts'

/** Adds what every account starts with: an e-mail field and a default category. */
export async function addAccountDefaults(db: Db, account: number, now: Date): Promise<void> {
  await createUnicityEmailField(db, account)
  await createDefaultCategory(db, account, now)
}

/**
 * Makes the account DEMO001 and an all-rights key on an empty database; undefined when there is an account already.
 * Safe when several processes start at once.
 */
export async function bootstrapDemoAccount(
  db: Db,
  config: ServiceConfig,
  now: Date,
): Promise<{ account: string; key: string } | undefined> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('stentor bootstrap'))`.execute(tx)
    const existingAccount = await tx.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
    if (existingAccount) return undefined
    const demoIdentity = { type: 'customer', agency: 'DEMO', customer: '001' } as const
    const account = await createAccount(tx, demoIdentity, 'Demo', (db, id) => addAccountDefaults(db, id, now))
    const key = config.bootstrapKey ?? generateApiKey()
    const id = await createApiKey(tx, account, key, { name: 'first key', rights: accessRights, expiresAt: null })
    await recordAudit(tx, {
      account,
      at: now,
      actor: SYSTEM_ACTOR,
      origin: null,
      operation: 'first start',
      object: { type: 'key', id: String(id), name: 'first key' },
    })
    return { account: 'DEMO001', key }
  })
}
