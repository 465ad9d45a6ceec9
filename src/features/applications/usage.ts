import { sql } from 'kysely'
import { pushChannelTraits } from '../../channels/push/traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { Problem, type ProblemFault } from '../../lib/errors/problem.ts'
import type { ApplicationNamedValue } from './application-schemas.ts'

/** A notification that keeps an application from being deleted. */
export interface ApplicationLink {
  type: typeof pushChannelTraits.sourceKind
  id: number
  name: string
}

/** The notifications, not deleted, that name an application. */
export async function findApplicationLinks(
  db: Db,
  account: AccountId,
  application: string,
): Promise<ApplicationLink[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from notifications
    where account = ${account} and application = ${application} and deleted_at is null order by id`.execute(db)
  return rows.map(({ id, name }) => ({ type: pushChannelTraits.sourceKind, id, name }))
}

/** Routes and channels of an application. */
interface UsedNames {
  routes: readonly ApplicationNamedValue[] | null
  channels: readonly ApplicationNamedValue[] | null
}

/** A notification that names a route or a channel. */
interface NamingLink extends ApplicationLink {
  kind: 'route' | 'channel'
  named: string
}

/** Names of `before` that a list has no more. */
function findRemovedNames(
  before: readonly ApplicationNamedValue[] | null,
  now: readonly ApplicationNamedValue[] | null,
): string[] {
  const remainingNames = new Set(now?.map(({ name }) => name))
  return (before ?? []).flatMap(({ name }) => (remainingNames.has(name) ? [] : [name]))
}

/** The active notifications that name one of these routes or channels, in a version or in a button of one. */
async function findActiveUsages(
  db: Db,
  { account, id }: { account: AccountId; id: string },
  { routes, channels }: { routes: readonly string[]; channels: readonly string[] },
): Promise<NamingLink[]> {
  const { rows } = await sql<Omit<NamingLink, 'type'>>`
    select distinct n.id, n.name, t.target ->> 'type' as kind, t.target ->> 'value' as named
    from notifications n, jsonb_array_elements(n.versions) as v (version), lateral (
      values (v.version -> 'redirection'), (v.version -> 'channel')
      union all
      select b.button -> 'redirection' from jsonb_array_elements(v.version #> '{content,buttons}') as b (button)) as t (target)
    where n.account = ${account} and n.application = ${id} and n.active and n.deleted_at is null
      and (t.target ->> 'type' = 'route' and t.target ->> 'value' = any(${routes}::text[])
        or t.target ->> 'type' = 'channel' and t.target ->> 'value' = any(${channels}::text[]))
    order by n.id, kind, named`.execute(db)
  return rows.map((row) => ({ type: pushChannelTraits.sourceKind, ...row }))
}

/** Throws conflict `application-linked` when a route or a channel goes that an active notification names. */
export async function assertNamedValuesUnused(
  tx: Db,
  key: { account: AccountId; id: string },
  before: UsedNames,
  now: UsedNames,
): Promise<void> {
  const removedNames = {
    routes: findRemovedNames(before.routes, now.routes),
    channels: findRemovedNames(before.channels, now.channels),
  }
  if (removedNames.routes.length + removedNames.channels.length === 0) return
  const activeUsages = await findActiveUsages(tx, key, removedNames)
  if (activeUsages.length === 0) return
  const errors = activeUsages.map(({ id, name, kind, named: usedName }): ProblemFault => {
    return { pointer: `/${kind}s`, detail: `the ${kind} "${usedName}" is used by the notification ${id} (${name})` }
  })
  const links = [...new Map(activeUsages.map(({ type, id, name }) => [id, { type, id, name }])).values()]
  throw new Problem(409, 'application-linked', `The application cannot be changed: ${errors[0]!.detail}.`, {
    errors,
    extras: { links },
  })
}
