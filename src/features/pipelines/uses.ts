import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { parseActionId } from '../../lib/ids.ts'
import { MAX_INT32 } from '../../lib/int32.ts'
import { isJsonObject } from '../../lib/objects.ts'
import type { ReferenceKind } from '../../scripting/schemas/shape.ts'
import { listCriteriaSegmentIds } from '../workflows/definition/definition-contents.ts'
import { type CompilableValue, visitCompilableValue } from './definition/definition.ts'

/** Something that a compilable uses. */
export interface CompilableUse {
  kind: 'compilable' | 'segment' | 'action' | 'rcsAction' | 'notification' | 'valueList' | 'webtask'
  used: string
}

const USE_KINDS: Partial<Record<ReferenceKind, CompilableUse['kind']>> = {
  pipeline: 'compilable',
  segment: 'segment',
  action: 'action',
  rcsAction: 'rcsAction',
  notification: 'notification',
  valueList: 'valueList',
}

/** Ids of actions in criteria. */
function listCriteriaActions(criteria: unknown): string[] {
  if (Array.isArray(criteria)) return criteria.flatMap(listCriteriaActions)
  if (!isJsonObject(criteria)) return []
  const { type, actions } = criteria
  if (type === 'event') return Array.isArray(actions) ? actions.filter((id) => typeof id === 'string') : []
  return Object.values(criteria).flatMap(listCriteriaActions)
}

const toActionUses = (id: string): CompilableUse[] => {
  const number = parseActionId(id.trim())
  return number === undefined ? [] : [{ kind: 'action', used: String(number) }]
}

/** Numbers that are ids. */
const isNumericId = (id: string | number): boolean => typeof id === 'string' || id <= MAX_INT32

/** All that a compilable uses, each once. */
export function listCompilableUses(value: CompilableValue): CompilableUse[] {
  const uses: CompilableUse[] = []
  visitCompilableValue(value, '', {
    reference(reference, id) {
      const kind = USE_KINDS[reference]
      if (kind === 'action') uses.push(...toActionUses(String(id)))
      else if (kind && isNumericId(id)) uses.push({ kind, used: String(id) })
    },
    criteria(criteria) {
      uses.push(...listCriteriaSegmentIds(criteria).map((id): CompilableUse => ({ kind: 'segment', used: String(id) })))
      uses.push(...listCriteriaActions(criteria).flatMap(toActionUses))
    },
  })
  const imports = value.type === 'script' ? (value.scripting.imports ?? []) : []
  for (const valueImport of imports)
    if (valueImport.type === 'webtask' && valueImport.value !== null)
      uses.push({ kind: 'webtask', used: String(valueImport.value) })
  return [...new Map(uses.map((use) => [`${use.kind} ${use.used}`, use])).values()]
}

/** Replaces what is stored of the uses of a compilable. */
export async function storeCompilableUses(
  tx: Db,
  account: AccountId,
  id: string,
  uses: readonly CompilableUse[],
): Promise<void> {
  await sql`delete from compilable_uses where account = ${account} and compilable = ${id}`.execute(tx)
  await sql`
    insert into compilable_uses (account, compilable, kind, used)
    select ${account}, ${id}, kind, used
    from unnest(${uses.map(({ kind }) => kind)}::text[], ${uses.map(({ used: storedUses }) => storedUses)}::text[]) as u (kind, used)`.execute(
    tx,
  )
}

const EXISTS_CONDITION = sql`case u.kind
  when 'segment' then exists (select from segments s where s.account = u.account and s.id = u.used::integer)
  when 'valueList' then exists (select from value_lists l where l.account = u.account and l.id = u.used::integer)
  when 'notification' then exists (
    select from notifications n where n.account = u.account and n.id = u.used::integer and n.deleted_at is null)
  when 'compilable' then false
  when 'webtask' then false
  else exists (select from actions a where a.account = u.account and a.id = u.used::integer and a.deleted_at is null) end`

/**
 * Inputs of the flaws of a row of `compilables c`: the fields and lists of the account, its own version and the versions of the
 * compilables it uses, the scripts of webtasks, and the existence of all other objects it uses.
 */
export const compilableBasisColumn: RawBuilder<string> = sql<string>`(
  with recursive reached (compilable) as (
    select c.id
    union
    select u.used::uuid from reached r
    join compilable_uses u on u.account = c.account and u.compilable = r.compilable and u.kind = 'compilable'
  ), uses as (
    select distinct u.account, u.kind, u.used
    from reached r join compilable_uses u on u.account = c.account and u.compilable = r.compilable
  ), imported (webtask) as (
    select u.used::integer from uses u where u.kind = 'webtask'
    union
    select i.imported from imported m join webtask_imports i on i.account = c.account and i.webtask = m.webtask
  ), facts (fact) as (
    select k.id || ' ' || k.version from reached r join compilables k on k.account = c.account and k.id = r.compilable
    union all
    select u.kind || ' ' || u.used from uses u where ${EXISTS_CONDITION}
    union all
    select w.id || ' ' || md5(w.source || w.scripting::text)
    from imported m join webtasks w on w.account = c.account and w.id = m.webtask
  )
  select md5(a.definitions || ' ' || coalesce((select string_agg(f.fact, ',' order by f.fact) from facts f), ''))
  from accounts a where a.id = c.account)`
