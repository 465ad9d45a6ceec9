import { type RawBuilder, sql } from 'kysely'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import { mapConstraintErrors } from '../../database/errors.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import type { WorkflowDefinition } from './definition/workflow-definition.ts'
import { type TaskFiringTimes, taskFiringTimesColumn } from './tasks/schedule-tasks.ts'

/** Key of a workflow in an account. */
export interface WorkflowKey {
  account: AccountId
  id: number
}

/** A workflow with its current definition. */
export interface StoredWorkflow {
  account: AccountId
  id: number
  name: string
  description: string | null
  /** 0 inactive, 1 active. */
  state: 0 | 1
  version: number
  createdAt: Date
  updatedAt: Date
  definition: WorkflowDefinition
  /** By id of the task, of those that were scheduled once. */
  taskRuns: Record<string, TaskFiringTimes> | null
}

const workflowColumns = sql`w.account, w.id, w.name, w.description, w.state, w.version, w.created_at as "createdAt",
  w.updated_at as "updatedAt", v.definition, ${taskFiringTimesColumn}`

function selectWorkflows(condition: RawBuilder<unknown>): RawBuilder<StoredWorkflow> {
  return sql<StoredWorkflow>`
    select ${workflowColumns} from workflows w join workflow_versions v on v.workflow = w.id and v.version = w.version
    where ${condition} and w.deleted_at is null`
}

/** Filter of a workflow list. */
export interface WorkflowFilter {
  state?: 0 | 1 | undefined
  name?: string | undefined
}

/** Workflows of an account, ascending id. */
export function listWorkflows(
  db: Db,
  account: AccountId,
  { after, limit, state, name }: { after: number | undefined; limit: number | undefined } & WorkflowFilter,
): AsyncIterable<StoredWorkflow> {
  const filters = sql`(${state ?? null}::smallint is null or w.state = ${state ?? null}) and (${name ?? null}::text is null or w.name = ${name ?? null})`
  const condition = sql`w.account = ${account} and w.id > ${after ?? 0} and ${filters}`
  return streamRows(
    db,
    sql<StoredWorkflow>`${selectWorkflows(condition)} order by w.id limit ${limit ?? null}::integer`,
  )
}

/** One workflow. Throws notFound. */
export async function loadWorkflow(db: Db, { account, id }: WorkflowKey): Promise<StoredWorkflow> {
  const { rows: workflowRows } = await selectWorkflows(sql`w.account = ${account} and w.id = ${id}`).execute(db)
  const [row] = workflowRows
  if (!row) throw notFoundProblem('workflow', id)
  return row
}

/** The same, which nothing changes until the transaction ends. Throws notFound. */
export async function lockWorkflow(tx: Db, key: WorkflowKey): Promise<StoredWorkflow> {
  await sql`select from workflows where account = ${key.account} and id = ${key.id} for no key update`.execute(tx)
  return loadWorkflow(tx, key)
}

/** A version, as a list shows it. */
export interface WorkflowVersionRow {
  version: number
  createdAt: Date
}

/** The versions that are kept, oldest first. */
export async function listWorkflowVersions(db: Db, { account, id }: WorkflowKey): Promise<WorkflowVersionRow[]> {
  const { rows: versionRows } = await sql<WorkflowVersionRow>`
    select version, created_at as "createdAt" from workflow_versions
    where account = ${account} and workflow = ${id} order by version`.execute(db)
  return versionRows
}

/** The definition of one version. Throws notFound. */
export async function loadWorkflowVersion(
  db: Db,
  { account, id }: WorkflowKey,
  version: number,
): Promise<WorkflowVersionRow & { definition: WorkflowDefinition }> {
  const { rows: versionRows } = await sql<WorkflowVersionRow & { definition: WorkflowDefinition }>`
    select version, created_at as "createdAt", definition from workflow_versions
    where account = ${account} and workflow = ${id} and version = ${version}`.execute(db)
  const [row] = versionRows
  if (!row) throw notFoundProblem('version', version)
  return row
}

/** The definitions by which open runs go on, ascending version. */
export async function listOpenRunDefinitions(db: Db, { account, id }: WorkflowKey): Promise<WorkflowDefinition[]> {
  const { rows: definitionRows } = await sql<{ definition: WorkflowDefinition }>`
    select v.definition from workflow_versions v
    where v.account = ${account} and v.workflow = ${id} and exists (
      select from workflow_runs r
      where r.account = v.account and r.workflow = v.workflow and r.version = v.version and r.ended_at is null)
    order by v.version`.execute(db)
  return definitionRows.map(({ definition }) => definition)
}

const segmentConflicts = {
  foreignKey: () => conflictProblem('segment-gone', 'A segment was deleted in the meantime. Send the request again.'),
}

/** Links a workflow to the segments it names, those that the account has. */
async function linkSegments(tx: Db, { account, id }: WorkflowKey, segments: readonly number[]): Promise<void> {
  await sql`delete from workflow_segments where account = ${account} and workflow = ${id} and segment <> all(${segments}::integer[])`.execute(
    tx,
  )
  if (segments.length === 0) return
  const linkStatement = sql`
    insert into workflow_segments (account, workflow, segment)
    select s.account, ${id}, s.id from segments s where s.account = ${account} and s.id = any(${segments}::integer[])
    on conflict do nothing`.execute(tx)
  await mapConstraintErrors(linkStatement, segmentConflicts)
}

/** Stored content of a workflow. */
export interface WorkflowContent {
  name: string
  description: string | null
  definition: WorkflowDefinition
  /** Named in the definition. */
  segments: readonly number[]
}

async function insertVersion(
  tx: Db,
  { account, id }: WorkflowKey,
  { version, definition, now }: { version: number; definition: WorkflowDefinition; now: Date },
): Promise<void> {
  await sql`
    insert into workflow_versions (account, workflow, version, definition, created_at)
    values (${account}, ${id}, ${version}, ${toJsonbText(definition)}, ${now})`.execute(tx)
}

/** Writes a new workflow, inactive, version 1; gives its id. */
export async function insertWorkflow(
  tx: Db,
  account: AccountId,
  { name, description, definition, segments }: WorkflowContent,
  now: Date,
): Promise<number> {
  const { id } = await tx
    .insertInto('workflows')
    .values({ account, name, description, state_since: now, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertVersion(tx, { account, id }, { version: 1, definition, now })
  await linkSegments(tx, { account, id }, segments)
  return id
}

/** Replaces name and description, and with `isVersion` the definition, which is a version of its own then. */
export async function updateWorkflowContent(
  tx: Db,
  { account, id, version }: StoredWorkflow,
  { name, description, definition, segments }: WorkflowContent,
  { isVersion, now }: { isVersion: boolean; now: Date },
): Promise<void> {
  const nextVersion = isVersion ? version + 1 : version
  if (isVersion) {
    await sql`update workflow_versions set replaced_at = ${now} where workflow = ${id} and version = ${version}`.execute(
      tx,
    )
    await insertVersion(tx, { account, id }, { version: nextVersion, definition, now })
    await linkSegments(tx, { account, id }, segments)
  }
  await tx
    .updateTable('workflows')
    .set({ name, description, version: nextVersion, updated_at: now })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute()
}

/** Makes a workflow active or inactive. */
export async function setWorkflowState(tx: Db, { account, id }: WorkflowKey, state: 0 | 1, now: Date): Promise<void> {
  await tx
    .updateTable('workflows')
    .set({ state, state_since: now })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute()
}

/** Marks a workflow as deleted; it holds no segment any more. */
export async function markWorkflowDeleted(tx: Db, { account, id }: WorkflowKey, now: Date): Promise<void> {
  await sql`delete from workflow_segments where account = ${account} and workflow = ${id}`.execute(tx)
  await tx
    .updateTable('workflows')
    .set({ deleted_at: now })
    .where('account', '=', account)
    .where('id', '=', id)
    .execute()
}
