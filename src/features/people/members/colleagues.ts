import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { type AccountId, type MemberRole, memberRoles, rightsByMemberRole } from '../../../lib/account.ts'

/** The roles whose people may send. */
const sendingRoles: readonly MemberRole[] = memberRoles.filter((role) => rightsByMemberRole[role].includes('send'))

/** The emails of the people who work in an account, as stored. */
export async function listMemberEmails(db: Db, account: AccountId): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select p.email from memberships m join people p on p.id = m.person
    where m.account = ${account} and p.active order by p.email`.execute(db)
  return rows.map(({ email }) => email)
}

/** Those of some people who work in an account still: its members, and operators. */
export async function filterAccountUsers(
  db: Db,
  account: AccountId,
  ids: readonly string[],
): Promise<{ email: string; locale: string }[]> {
  const { rows } = await sql<{ email: string; locale: string }>`
    select p.email, p.locale from people p
    where p.id = any(${ids}::uuid[]) and p.active
      and (p.operator or exists (select from memberships m where m.person = p.id and m.account = ${account}))
    order by p.email`.execute(db)
  return rows
}

/** Counts the people who may send in an account: its members who have the right, and operators. */
export async function countSendingUsers(db: Db, account: AccountId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from people p
    where p.active and (p.operator or exists (
      select from memberships m where m.person = p.id and m.account = ${account} and m.role = any(${sendingRoles}::text[])))`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** True if a person may send in an account now, regardless of the session. The right cannot change until the transaction ends. */
export async function hasLockedSendRight(tx: Db, account: AccountId, person: string): Promise<boolean> {
  const { rows } = await sql<{ active: boolean; operator: boolean }>`
    select active, operator from people where id = ${person} for share`.execute(tx)
  const [lockedRow] = rows
  if (!lockedRow?.active) return false
  if (lockedRow.operator) return true
  const memberQuery = await sql`
    select from memberships where account = ${account} and person = ${person} and role = any(${sendingRoles}::text[])
    for share`.execute(tx)
  return memberQuery.rows.length > 0
}
