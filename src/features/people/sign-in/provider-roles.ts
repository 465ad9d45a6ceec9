import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { type MemberRole, memberRoles } from '../../../lib/account.ts'
import type { OidcConfig } from '../../../lib/net/oidc-settings.ts'

/** Values of a claim: one word, or several. */
function listClaimValues(claim: unknown): string[] {
  return [claim].flat().filter((value): value is string => typeof value === 'string')
}

/** The roles that a provider's claim gives, by the code of the account: of several in one account the one that may do most. */
export function parseProviderRoles({ roles }: Pick<OidcConfig, 'roles'>, claim: unknown): Map<string, MemberRole> {
  const mappedRoles = listClaimValues(claim).flatMap((value) => roles?.get(value) ?? [])
  const rolesByAccount = new Map<string, MemberRole>()
  for (const { account, role } of mappedRoles) {
    const otherRole = rolesByAccount.get(account)
    if (!otherRole || memberRoles.indexOf(otherRole) < memberRoles.indexOf(role)) rolesByAccount.set(account, role)
  }
  return rolesByAccount
}

/** The roles that the provider gave a person, by codes of accounts. */
export async function readGrantedRoles(db: Db, person: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ code: string; role: string }>`
    select a.agency || a.customer as code, m.role from memberships m join accounts a on a.id = m.account
    where m.person = ${person} and m.source = 'provider' order by 1`.execute(db)
  return Object.fromEntries(rows.map(({ code, role }) => [code, role]))
}

/**
 * Brings the memberships that the provider made in line with what it says now: adds, changes and takes away. Those given by hand
 * stay as they are; codes of no account are passed over.
 */
export async function syncProviderRoles(
  db: Db,
  person: string,
  targetRoles: ReadonlyMap<string, MemberRole>,
  now: number,
): Promise<void> {
  const [codes, roles] = [[...targetRoles.keys()], [...targetRoles.values()]]
  await sql`
    delete from memberships m using accounts a
    where a.id = m.account and m.person = ${person} and m.source = 'provider' and (a.agency || a.customer) <> all(${codes}::text[])`.execute(
    db,
  )
  await sql`
    insert into memberships (account, person, role, source, created_at)
    select a.id, ${person}, w.role, 'provider', ${new Date(now)}
    from unnest(${codes}::text[], ${roles}::text[]) as w (code, role) join accounts a on a.agency || a.customer = w.code
    on conflict (account, person) do update set role = excluded.role where memberships.source = 'provider'`.execute(db)
}
