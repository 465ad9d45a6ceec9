import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccessRight, AccountId, RequestUser } from '../../lib/account.ts'
import { loadUserResource } from './people.ts'
import type { CallerResource } from './people-schemas.ts'
import { reauthenticatedUntil } from './sessions/sessions.ts'

/** Who asks, and in which account; 0: none. */
export interface CallerIdentity {
  account: AccountId
  rights: readonly AccessRight[]
}

interface AccountRow {
  id: number
  code: string
  name: string
  requireSecondFactor: boolean
}

async function findAccountRow(db: Db, account: AccountId): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select id, agency || customer as code, name, require_second_factor as "requireSecondFactor"
    from accounts where id = ${account}`.execute(db)
  return rows[0]
}

/** The accounts of a person: those of which they are a member, to an operator all. */
async function accountsOf(db: Db, { id, operator }: RequestUser): Promise<CallerResource['accounts']> {
  const { rows } = await sql<CallerResource['accounts'][number]>`
    select a.agency || a.customer as code, a.name, m.role from accounts a
    left join memberships m on m.account = a.id and m.person = ${id}
    where m.person is not null or ${operator} order by 1`.execute(db)
  return rows
}

async function hasFactor(db: Db, session: string): Promise<boolean> {
  const row = await db.selectFrom('sessions').select('factor').where('id', '=', session).executeTakeFirst()
  return row !== undefined && row.factor !== 'none'
}

/** What a person is told of themselves. */
export async function describeCallingUser(
  db: Db,
  person: RequestUser,
  asking: CallerIdentity,
  now: number,
): Promise<CallerResource> {
  const { masked, approval, confirmedAt } = person
  const account = await findAccountRow(db, asking.account)
  return {
    person: await loadUserResource(db, person.id),
    account: account ? { code: account.code, name: account.name } : null,
    rights: [...asking.rights],
    ...{ masked, approval },
    secondFactorRequired: account?.requireSecondFactor === true && !(await hasFactor(db, person.session)),
    confirmedUntil: reauthenticatedUntil(confirmedAt, now)?.toISOString() ?? null,
    accounts: await accountsOf(db, person),
  }
}

/** What a key is told of itself. */
export async function describeCallingApiKey(
  db: Db,
  key: { id: number; name: string },
  asking: CallerIdentity,
): Promise<CallerResource> {
  const account = await findAccountRow(db, asking.account)
  const shown = account ? { code: account.code, name: account.name } : null
  return {
    key,
    account: shown,
    rights: [...asking.rights],
    ...{ masked: false, approval: false, secondFactorRequired: false, confirmedUntil: null },
    accounts: shown ? [{ ...shown, role: null }] : [],
  }
}
