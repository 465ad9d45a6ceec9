import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccessRight, AccountId, RequestUser } from '../../lib/account.ts'
import { loadUserResource } from './people.ts'
import type { CallerResource } from './people-schemas.ts'
import { reauthenticatedUntil } from './sessions/sessions.ts'

/** The caller and its account; 0: no account. */
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
async function listUserAccounts(db: Db, { id, operator }: RequestUser): Promise<CallerResource['accounts']> {
  const { rows } = await sql<CallerResource['accounts'][number]>`
    select a.agency || a.customer as code, a.name, m.role from accounts a
    left join memberships m on m.account = a.id and m.person = ${id}
    where m.person is not null or ${operator} order by 1`.execute(db)
  return rows
}

async function hasSecondFactor(db: Db, session: string): Promise<boolean> {
  const row = await db.selectFrom('sessions').select('factor').where('id', '=', session).executeTakeFirst()
  return row !== undefined && row.factor !== 'none'
}

/** Describes a user to themselves. */
export async function describeCallingUser(
  db: Db,
  person: RequestUser,
  asking: CallerIdentity,
  now: number,
): Promise<CallerResource> {
  const { masked: isMasked, approval, confirmedAt } = person
  const account = await findAccountRow(db, asking.account)
  return {
    person: await loadUserResource(db, person.id),
    account: account ? { code: account.code, name: account.name } : null,
    rights: [...asking.rights],
    masked: isMasked,
    approval,
    secondFactorRequired: account?.requireSecondFactor === true && !(await hasSecondFactor(db, person.session)),
    confirmedUntil: reauthenticatedUntil(confirmedAt, now)?.toISOString() ?? null,
    accounts: await listUserAccounts(db, person),
  }
}

/** Describes a key to itself. */
export async function describeCallingApiKey(
  db: Db,
  key: { id: number; name: string },
  asking: CallerIdentity,
): Promise<CallerResource> {
  const account = await findAccountRow(db, asking.account)
  const accountSummary = account ? { code: account.code, name: account.name } : null
  return {
    key,
    account: accountSummary,
    rights: [...asking.rights],
    masked: false,
    approval: false,
    secondFactorRequired: false,
    confirmedUntil: null,
    accounts: accountSummary ? [{ ...accountSummary, role: null }] : [],
  }
}
