import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { listNamedCompilables } from './named-pipelines.ts'
import { listNamedWebtasks } from './named-webtasks.ts'
import type { WorkflowDefinition } from './workflow-definition.ts'

/** Scripts that run in a workflow and are stored elsewhere. */
export interface NamedScripts {
  /** Webtasks that nodes run, or that any script imports. */
  webtasks: { id: number; source: string; scripting: unknown }[]
  /** Compilables that nodes and tasks execute, and those that these use. */
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
  const compilableIds = compilables.map(({ id }) => id)
  const { rows: usageRows } = await sql<{ kind: string; used: number }>`
    select distinct kind, used::integer as used from compilable_uses
    where account = ${account} and compilable = any(${compilableIds}::uuid[]) and kind in ('webtask', 'segment')
    order by kind, used`.execute(tx)
  const listUsedIds = (kind: string) => usageRows.flatMap((use) => (use.kind === kind ? use.used : []))
  const webtaskIds = [...definitions.flatMap(listNamedWebtasks), ...listUsedIds('webtask')]
  const { rows: webtasks } = await sql<NamedScripts['webtasks'][number]>`
    with recursive reached (id) as (
      select unnest(${webtaskIds}::integer[])
      union
      select i.imported from reached r join webtask_imports i on i.account = ${account} and i.webtask = r.id)
    select w.id, w.source, w.scripting from reached r join webtasks w on w.account = ${account} and w.id = r.id
    order by w.id for share of w`.execute(tx)
  return { webtasks, compilables, segments: listUsedIds('segment') }
}
