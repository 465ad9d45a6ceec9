import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId, Right, SignedIn } from '../../lib/account.ts'
import { showPerson } from './people.ts'
import type { Me } from './people-schemas.ts'
import { confirmedUntil } from './sessions/sessions.ts'

/** Who asks, and in which account; 0: none. */
export interface Asking {
  account: AccountId
  rights: readonly Right[]
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
async function accountsOf(db: Db, { id, operator }: SignedIn): Promise<Me['accounts']> {
  const { rows } = await sql<Me['accounts'][number]>`
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
export async function describePerson(db: Db, person: SignedIn, asking: Asking, now: number): Promise<Me> {
  const { masked, approval, confirmedAt } = person
  const account = await findAccountRow(db, asking.account)
  return {
    person: await showPerson(db, person.id),
    account: account ? { code: account.code, name: account.name } : null,
    rights: [...asking.rights],
    ...{ masked, approval },
    secondFactorRequired: account?.requireSecondFactor === true && !(await hasFactor(db, person.session)),
    confirmedUntil: confirmedUntil(confirmedAt, now)?.toISOString() ?? null,
    accounts: await accountsOf(db, person),
  }
}

/** What a key is told of itself. */
export async function describeKey(db: Db, key: { id: number; name: string }, asking: Asking): Promise<Me> {
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
