import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { readActionId } from '../../../lib/ids.ts'
import { isObject } from '../../../lib/objects.ts'
import type { ReferenceKind } from '../shapes/shape.ts'
import { segmentsIn } from '../workflows/contents.ts'
import { type CompilableValue, visitValue } from './definition/definition.ts'

/** Something that a compilable uses. */
export interface Use {
  kind: 'compilable' | 'segment' | 'action' | 'rcsAction' | 'notification' | 'valueList' | 'webtask'
  used: string
}

const kinds: Partial<Record<ReferenceKind, Use['kind']>> = {
  ...{ pipeline: 'compilable', segment: 'segment', action: 'action', rcsAction: 'rcsAction' },
  ...{ notification: 'notification', valueList: 'valueList' },
}

/** Ids of actions in criteria. */
function actionsIn(criteria: unknown): string[] {
  if (Array.isArray(criteria)) return criteria.flatMap(actionsIn)
  if (!isObject(criteria)) return []
  const { type, actions } = criteria
  if (type === 'event') return Array.isArray(actions) ? actions.filter((id) => typeof id === 'string') : []
  return Object.values(criteria).flatMap(actionsIn)
}

const actionUse = (id: string): Use[] => {
  const number = readActionId(id.trim())
  return number === undefined ? [] : [{ kind: 'action', used: String(number) }]
}

/** Numbers that are ids. */
const isNumber = (id: string | number): boolean => typeof id === 'string' || id <= 0x7fffffff

/** All that a compilable uses, each once. */
export function usesOf(value: CompilableValue): Use[] {
  const uses: Use[] = []
  visitValue(value, '', {
    reference(reference, id) {
      const kind = kinds[reference]
      if (kind === 'action') uses.push(...actionUse(String(id)))
      else if (kind && isNumber(id)) uses.push({ kind, used: String(id) })
    },
    criteria(criteria) {
      uses.push(...segmentsIn(criteria).map((id): Use => ({ kind: 'segment', used: String(id) })))
      uses.push(...actionsIn(criteria).flatMap(actionUse))
    },
  })
  const imports = value.type === 'script' ? (value.scripting.imports ?? []) : []
  for (const one of imports)
    if (one.type === 'webtask' && one.value !== null) uses.push({ kind: 'webtask', used: String(one.value) })
  return [...new Map(uses.map((use) => [`${use.kind} ${use.used}`, use])).values()]
}

/** Replaces what is stored of the uses of a compilable. */
export async function storeUses(tx: Db, account: AccountId, id: string, uses: readonly Use[]): Promise<void> {
  await sql`delete from compilable_uses where account = ${account} and compilable = ${id}`.execute(tx)
  await sql`
    insert into compilable_uses (account, compilable, kind, used)
    select ${account}, ${id}, kind, used
    from unnest(${uses.map(({ kind }) => kind)}::text[], ${uses.map(({ used }) => used)}::text[]) as u (kind, used)`.execute(
    tx,
  )
}

const isThere = sql`case u.kind
  when 'segment' then exists (select from segments s where s.account = u.account and s.id = u.used::integer)
  when 'valueList' then exists (select from value_lists l where l.account = u.account and l.id = u.used::integer)
  when 'notification' then exists (
    select from notifications n where n.account = u.account and n.id = u.used::integer and n.deleted_at is null)
  when 'compilable' then false
  when 'webtask' then null
  else exists (select from actions a where a.account = u.account and a.id = u.used::integer and a.deleted_at is null) end`

/**
 * What the flaws of a row of `compilables c` follow from: the fields and lists of the account, its own version and those of the compilables
 * it uses, and which of all that is used is there. Null: it uses webtasks, whose scripts change by themselves.
 */
export const basisOf: RawBuilder<string | null> = sql<string | null>`(
  with recursive reached (compilable) as (
    select c.id
    union
    select u.used::uuid from reached r join compilable_uses u on u.account = c.account and u.compilable = r.compilable and u.kind = 'compilable'
  ), facts as (
    select k.id || ' ' || k.version as fact, true as is_there
    from reached r join compilables k on k.account = c.account and k.id = r.compilable
    union
    select u.kind || ' ' || u.used, ${isThere} from reached r join compilable_uses u on u.account = c.account and u.compilable = r.compilable
  )
  select case when bool_and(f.is_there is not null)
    then md5(a.definitions || ' ' || coalesce(string_agg(f.fact, ',' order by f.fact) filter (where f.is_there), '')) end
  from accounts a left join facts f on true where a.id = c.account group by a.definitions)`
