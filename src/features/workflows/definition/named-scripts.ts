import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { WorkflowDefinition } from './definition.ts'
import { listNamedCompilables } from './named-pipelines.ts'
import { listNamedWebtasks } from './named-webtasks.ts'

/** What runs in a workflow and is stored elsewhere. */
export interface NamedScripts {
  /** Of webtasks that nodes run, or anything imports. */
  webtasks: { id: number; source: string; scripting: unknown }[]
  /** Of compilables that nodes and tasks execute, and those they use. */
  compilables: { id: string; value: unknown }[]
  /** Segments that the compilables name. */
  segments: number[]
}

/**
 * The scripts, pipelines and templates of webtasks and compilables that definitions name, by id. Nothing changes them until the
 * transaction ends.
 */
export async function lockNamedScripts(
  tx: Db,
  account: AccountId,
  definitions: readonly WorkflowDefinition[],
): Promise<NamedScripts> {
  const { rows: compilables } = await sql<NamedScripts['compilables'][number]>`
    with recursive reached (id) as (
      select unnest(${definitions.flatMap(listNamedCompilables)}::uuid[])
      union
      select u.used::uuid from reached r
      join compilable_uses u on u.account = ${account} and u.compilable = r.id and u.kind = 'compilable')
    select c.id, c.value from reached r join compilables c on c.account = ${account} and c.id = r.id
    order by c.id for share of c`.execute(tx)
  const ids = compilables.map(({ id }) => id)
  const { rows: uses } = await sql<{ kind: string; used: number }>`
    select distinct kind, used::integer as used from compilable_uses
    where account = ${account} and compilable = any(${ids}::uuid[]) and kind in ('webtask', 'segment')
    order by kind, used`.execute(tx)
  const usedOf = (kind: string) => uses.flatMap((use) => (use.kind === kind ? use.used : []))
  const named = [...definitions.flatMap(listNamedWebtasks), ...usedOf('webtask')]
  const { rows: webtasks } = await sql<NamedScripts['webtasks'][number]>`
    with recursive reached (id) as (
      select unnest(${named}::integer[])
      union
      select i.imported from reached r join webtask_imports i on i.account = ${account} and i.webtask = r.id)
    select w.id, w.source, w.scripting from reached r join webtasks w on w.account = ${account} and w.id = r.id
    order by w.id for share of w`.execute(tx)
  return { webtasks, compilables, segments: usedOf('segment') }
}
