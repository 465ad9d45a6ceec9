import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { UserLocale } from './people-schemas.ts'

/** Through which account a mail to a person leaves: the first of theirs; an operator's may be any. */
export async function findUserMailAccount(db: Db, person: string): Promise<AccountId | undefined> {
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a left join memberships m on m.account = a.id and m.person = ${person}
    where m.person is not null or exists (select from people where id = ${person} and operator)
    order by m.person is null, a.id limit 1`.execute(db)
  return rows[0]?.id
}

/** A sign-in, as reported to its user by mail. */
export interface SignInMailRow {
  person: string
  email: string
  locale: UserLocale
  at: Date
  address: string
  browser: string
}

/** The sign-in of a session, by the digest of its token; undefined when that has ended. */
export async function findSessionSignIn(db: Db, digest: Buffer): Promise<SignInMailRow | undefined> {
  const { rows } = await sql<SignInMailRow>`
    select s.person, p.email, p.locale, s.created_at as at, s.address, s.browser
    from sessions s join people p on p.id = s.person where s.digest = ${digest}`.execute(db)
  return rows[0]
}

/** A key of an account that asks for approvals, and who made it; undefined for keys of other accounts. */
export async function findCreatedApiKey(
  db: Db,
  { key, by }: { key: number; by: string | null },
): Promise<{ account: AccountId; key: string; by: string | null } | undefined> {
  const { rows } = await sql<{ account: AccountId; key: string; by: string | null }>`
    select k.account, k.name as key, (select name from people where id = ${by}::uuid) as by
    from api_keys k join accounts a on a.id = k.account where k.id = ${key} and a.approval`.execute(db)
  return rows[0]
}

/** An account whose approvals were switched off, whether they are on again or not, and who did that. */
export async function findDisabledApprovals(
  db: Db,
  { account, by }: { account: AccountId; by: string | null },
): Promise<{ code: string; by: string | null } | undefined> {
  const { rows } = await sql<{ code: string; by: string | null }>`
    select agency || customer as code, (select name from people where id = ${by}::uuid) as by
    from accounts where id = ${account}`.execute(db)
  return rows[0]
}
