import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/connection/connect.ts'
import {
  type AccessRight,
  type AccountId,
  accessRights,
  type MemberRole,
  rightsByMemberRole,
} from '../../../lib/account.ts'
import { conflictProblem, notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { endUserSessions } from '../people.ts'
import type { MemberChangeBody } from '../people-schemas.ts'

/** The editor of members: the person, if it is one, and whether it is an operator or the command line. */
export interface MemberEditor {
  person: string | null
  operator: boolean
}

interface LockedMember {
  person: string
  role: MemberRole
  active: boolean
  operator: boolean
}

function lastAdminProblem(code: string): Problem {
  return conflictProblem('last-admin', `The account ${code} would have no admin. Make another user an admin first.`)
}

/** Locks the accounts of a person, in one order, so that their admins are counted one change after the other. */
export async function lockUserAccounts(db: Db, person: string): Promise<void> {
  await sql`
    select from accounts where id in (select account from memberships where person = ${person})
    order by id for no key update`.execute(db)
}

/** The codes of the accounts whose only active admin a person is, or of the one given. */
async function listSoleAdminAccounts(db: Db, person: string, account?: AccountId): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select a.agency || a.customer as code from memberships m join accounts a on a.id = m.account
    join people p on p.id = m.person
    where m.person = ${person} and m.role = 'admin' and p.active and (${account ?? null}::integer is null or a.id = ${account ?? null})
      and not exists (select from memberships o join people op on op.id = o.person
        where o.account = m.account and o.person <> m.person and o.role = 'admin' and op.active)
    order by 1`.execute(db)
  return rows.map(({ code }) => code)
}

/** Throws conflict `last-admin` when a person is the only active admin of an account, or of the one given. */
export async function requireOtherAdmins(db: Db, person: string, account?: AccountId): Promise<void> {
  const [code] = await listSoleAdminAccounts(db, person, account)
  if (code !== undefined) throw lastAdminProblem(code)
}

/** As onlyAdminOf, with the accounts locked until the transaction ends, so that it stays so. */
export async function lockSoleAdminAccounts(tx: Db, person: string): Promise<string[]> {
  await lockUserAccounts(tx, person)
  return listSoleAdminAccounts(tx, person)
}

async function assertOtherOperators(db: Db, person: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('stentor operators'))`.execute(db)
  const { rows } = await sql`select from people where operator and active and id <> ${person} limit 1`.execute(db)
  if (rows.length === 0) throw conflictProblem('only-operator', 'This is the only operator of the installation.')
}

/** Reads the rights of people in an account, by their ids. Those who are neither active members nor operators are left out. */
export async function readUserRights(
  db: Db,
  account: AccountId,
  people: readonly string[],
): Promise<ReadonlyMap<string, readonly AccessRight[]>> {
  if (people.length === 0) return new Map()
  const rows = await db
    .selectFrom('people as p')
    .leftJoin('memberships as m', (join) => join.onRef('m.person', '=', 'p.id').on('m.account', '=', account))
    .select(['p.id', 'p.operator', 'm.role'])
    .where('p.id', 'in', people)
    .where('p.active', 'is', true)
    .where((e) => e.or([e('p.operator', 'is', true), e('m.role', 'is not', null)]))
    .execute()
  return new Map(
    rows.map(({ id, operator, role }) => [
      id,
      operator || role === null ? accessRights : rightsByMemberRole[role as MemberRole],
    ]),
  )
}

/** The member, locked with the accounts it counts in. Throws notFound. */
async function lockMember(db: Db, account: AccountId, text: string): Promise<LockedMember> {
  const id = parseUuid(text) ?? null
  if (id !== null) await lockUserAccounts(db, id)
  const { rows } = await sql<LockedMember>`
    select p.id as person, m.role, p.active, p.operator from memberships m join people p on p.id = m.person
    where m.account = ${account} and m.person = ${id} for update of m, p`.execute(db)
  if (!rows[0]) throw notFoundProblem('person', text)
  return rows[0]
}

function assertNotOneself(changer: MemberEditor, { person }: LockedMember): void {
  if (changer.person === person)
    throw conflictProblem('oneself', 'You cannot change your own role or remove yourself. Ask another admin.')
}

/** Deactivates a person, and ends their sessions; or activates one. Throws conflict for the last admin or operator. */
export async function setUserActive(db: Db, person: string, active: boolean): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockUserAccounts(tx, person)
    const { rows } = await sql<{ active: boolean; operator: boolean }>`
      select active, operator from people where id = ${person} for update`.execute(tx)
    const [row] = rows
    if (!row || row.active === active) return
    if (!active) {
      await requireOtherAdmins(tx, person)
      if (row.operator) await assertOtherOperators(tx, person)
      await endUserSessions(tx, person)
    }
    await tx.updateTable('people').set({ active }).where('id', '=', person).execute()
  })
}

/** Asserts that a person belongs to this account alone, so that its admins may decide if they sign in at all. */
async function assertSoleAccount(db: Db, account: AccountId, { person, operator }: LockedMember): Promise<void> {
  const { rows } = await sql`
    select from memberships where person = ${person} and account <> ${account} limit 1`.execute(db)
  if (!operator && rows.length === 0) return
  throw new Problem(
    403,
    'operator-required',
    'This user is an operator or a member of other accounts, so only an operator can do this. Remove the user from the account instead.',
  )
}

/** Changes a member. Throws notFound; conflict for oneself, the last admin, the only operator; 403 for people of other accounts. */
export async function updateAccountMember(
  db: Db,
  account: AccountId,
  { id, change, by }: { id: string; change: MemberChangeBody; by: MemberEditor },
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const member = await lockMember(tx, account, id)
    const { role = member.role, active = member.active } = change
    if (role !== member.role || active !== member.active) assertNotOneself(by, member)
    if (active !== member.active) {
      if (!by.operator) await assertSoleAccount(tx, account, member)
      await setUserActive(tx, member.person, active)
    }
    if (role !== member.role) {
      if (member.role === 'admin') await requireOtherAdmins(tx, member.person, account)
      await tx
        .updateTable('memberships')
        .set({ role, source: 'hand' })
        .where('account', '=', account)
        .where('person', '=', member.person)
        .execute()
    }
    return member.person
  })
}

/** Takes a person out of an account. Throws as updateAccountMember does. */
export async function removeAccountMember(
  db: Db,
  account: AccountId,
  { id, by }: { id: string; by: MemberEditor },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const member = await lockMember(tx, account, id)
    assertNotOneself(by, member)
    await requireOtherAdmins(tx, member.person, account)
    await tx.deleteFrom('memberships').where('account', '=', account).where('person', '=', member.person).execute()
  })
}

/** Makes a person an operator, or no longer one. Throws conflict for the only one. */
export async function setUserOperator(db: Db, person: string, operator: boolean): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!operator) await assertOtherOperators(tx, person)
    await tx.updateTable('people').set({ operator }).where('id', '=', person).execute()
  })
}

/** The active admins of an account with their languages, but for one person. */
export async function listOtherAdmins(db: Db, account: AccountId, person: string | null) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('people as p', 'p.id', 'm.person')
    .select(['p.email', 'p.locale'])
    .where('m.account', '=', account)
    .where('m.role', '=', 'admin')
    .where('p.active', '=', true)
    .$if(person !== null, (query) => query.where('p.id', '!=', person ?? ''))
    .orderBy('p.email')
    .execute()
}
