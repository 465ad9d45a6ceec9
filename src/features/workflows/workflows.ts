import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccessRight, AccountId, DefinitionWriter } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem } from '../../lib/errors/problem.ts'
import { requireCapabilityRights } from '../../scripting/capabilities.ts'
import { listCapabilities } from '../../scripting/scripting-object.ts'
import { createScriptSecretSealer } from '../../scripting/secrets.ts'
import { loadContactDefinitions } from '../contacts/fields/stored-definitions.ts'
import { findWorkflowFlaws, requireFlawlessWorkflow } from './definition/check-definition.ts'
import { collectWorkflowContents, listWorkflowSegments } from './definition/definition-contents.ts'
import { registerWorkflowInterests, waitForWorkflowListening } from './definition/event-interests.ts'
import { linkNamedCompilables, requireCompilableRights } from './definition/named-pipelines.ts'
import { linkNamedWebtasks, requireWebtaskRights } from './definition/named-webtasks.ts'
import {
  createWorkflowDefinition,
  type DefinitionParseContext,
  isSameDefinition,
  parseWorkflowDefinition,
  type WorkflowPartsWrite,
} from './definition/parse-definition.ts'
import type { WorkflowDefinition } from './definition/workflow-definition.ts'
import { deleteWorkflowTasks, scheduleWorkflowTasks, unscheduleWorkflowTasks } from './tasks/schedule-tasks.ts'
import { stopWorkflowRuns } from './waits/stop-runs.ts'
import {
  insertWorkflow,
  loadWorkflow,
  lockWorkflow,
  markWorkflowDeleted,
  type StoredWorkflow,
  setWorkflowState,
  updateWorkflowContent,
  type WorkflowKey,
} from './workflow-repository.ts'

const MAX_WORKFLOWS = 1000

/** Dependencies of workflow changes. `db` may be a transaction. */
export type WorkflowContext = Pick<ServiceContext, 'db' | 'clock' | 'masterKeys' | 'sandbox'>

/** A write: what is absent stays, or with `whole` takes its default. */
export interface WorkflowWrite extends WorkflowPartsWrite {
  name?: string | undefined
  description?: string | null | undefined
}

async function createParseContext(
  { db, clock, masterKeys }: WorkflowContext,
  account: AccountId,
  strict: boolean,
): Promise<DefinitionParseContext> {
  const { settings } = await loadContactDefinitions(db, account)
  return {
    timeZone: settings.timeZone,
    secrets: createScriptSecretSealer(masterKeys, account),
    now: clock.now(),
    strict,
  }
}

/** Parses a definition that is sent as a whole workflow, in addition to the stored one. Throws a 404 or 400 Problem. */
export async function parseWholeWorkflow(
  context: WorkflowContext,
  key: WorkflowKey,
  body: WorkflowPartsWrite,
  strict: boolean,
): Promise<WorkflowDefinition> {
  const reader = await createParseContext(context, key.account, strict)
  const { definition: storedDefinition } = await loadWorkflow(context.db, key)
  return parseWorkflowDefinition(
    { ...body },
    { kept: createWorkflowDefinition(reader), stored: storedDefinition },
    reader,
  )
}

function buildContent(
  { name, description }: { name: string; description: string | null },
  definition: WorkflowDefinition,
) {
  return { name, description, definition, segments: listWorkflowSegments(collectWorkflowContents(definition)) }
}

/** Throws conflict when the account has as many workflows as it can have; others that would be made wait. */
export async function requireWorkflowRoom(tx: Db, account: AccountId): Promise<void> {
  await sql`select from accounts where id = ${account} for no key update`.execute(tx)
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from workflows where account = ${account} and deleted_at is null`.execute(tx)
  if ((rows[0]?.n ?? 0) >= MAX_WORKFLOWS)
    throw conflictProblem('too-many-workflows', `An account can have at most ${MAX_WORKFLOWS} workflows.`)
}

/** Makes a workflow, inactive. Throws 400, 403 for capabilities, conflict when there are 1,000. */
export async function createWorkflow(
  context: WorkflowContext,
  account: AccountId,
  body: WorkflowWrite,
  { rights, strict }: DefinitionWriter,
): Promise<StoredWorkflow> {
  const { name, description } = body
  if (name === undefined) throw badRequestProblem('/name', 'is required')
  const reader = await createParseContext(context, account, strict)
  const defaultDefinition = createWorkflowDefinition(reader)
  const definition = parseWorkflowDefinition(body, { kept: defaultDefinition, stored: defaultDefinition }, reader)
  requireCapabilityRights(listCapabilities(definition.scripting), [], rights)
  return inTransaction(context.db, async (tx) => {
    await requireWorkflowRoom(tx, account)
    const described = { name, description: description ?? null }
    const id = await insertWorkflow(tx, account, buildContent(described, definition), new Date(reader.now))
    return loadWorkflow(tx, { account, id })
  })
}

/** Options for reading a change. */
export interface ChangeWorkflowOptions extends DefinitionWriter {
  /** Absent members take their defaults: the body is the whole workflow, or the whole part. */
  whole?: boolean
  /** The part that the body is. */
  only?: keyof WorkflowDefinition
}

/** Selects the definition that a change retains where the body has no value. */
function selectKeptDefinition(
  { definition }: StoredWorkflow,
  reader: DefinitionParseContext,
  { whole, only }: ChangeWorkflowOptions,
): WorkflowDefinition {
  if (!whole) return definition
  const defaultDefinition = createWorkflowDefinition(reader)
  return only ? { ...definition, [only]: defaultDefinition[only] } : defaultDefinition
}

/**
 * Changes a locked workflow. What counts makes a new version; what changes nothing is
 * not written. Throws 400, 403, and conflict `workflow-flawed` when it is active and could not be.
 */
export async function changeWorkflow(
  context: WorkflowContext,
  storedWorkflow: StoredWorkflow,
  write: WorkflowWrite,
  options: ChangeWorkflowOptions,
): Promise<StoredWorkflow> {
  const { db: tx } = context
  const { account } = storedWorkflow
  const reader = await createParseContext(context, account, options.strict)
  const base = { kept: selectKeptDefinition(storedWorkflow, reader, options), stored: storedWorkflow.definition }
  const definition = parseWorkflowDefinition(write, base, reader, options.only)
  requireCapabilityRights(
    listCapabilities(definition.scripting),
    listCapabilities(storedWorkflow.definition.scripting),
    options.rights,
  )
  const { name = storedWorkflow.name, description = storedWorkflow.description } = write
  const isVersion = !isSameDefinition(definition, storedWorkflow.definition)
  if (!isVersion && name === storedWorkflow.name && description === storedWorkflow.description) return storedWorkflow
  const isLive = isVersion && storedWorkflow.state === 1
  const definitions = { before: storedWorkflow.definition, after: definition }
  if (isLive) {
    await linkNamedCompilables(tx, storedWorkflow, definition)
    await requireFlawlessWorkflow(context, account, definition)
    await requireWebtaskRights(tx, account, definitions, options.rights)
    await requireCompilableRights(tx, account, definitions, options.rights)
  }
  const workflowContent = buildContent({ name, description }, definition)
  await updateWorkflowContent(tx, storedWorkflow, workflowContent, { isVersion, now: new Date(reader.now) })
  if (isLive) {
    await linkNamedWebtasks(tx, storedWorkflow, definition)
    await scheduleWorkflowTasks(tx, storedWorkflow, definitions, reader.now)
    await registerWorkflowInterests(tx, storedWorkflow)
  }
  return loadWorkflow(tx, storedWorkflow)
}

/** Deletes a locked workflow; its runs are performed no more, and deleted soon afterwards. Throws conflict `workflow-active`. */
export async function deleteWorkflow(
  { db: tx, clock }: Pick<WorkflowContext, 'db' | 'clock'>,
  workflow: StoredWorkflow,
): Promise<void> {
  if (workflow.state === 1)
    throw conflictProblem('workflow-active', `The workflow ${workflow.id} is active. Deactivate it first.`)
  await markWorkflowDeleted(tx, workflow, new Date(clock.now()))
  await deleteWorkflowTasks(tx, workflow)
  await stopWorkflowRuns(tx, workflow, 'deleted')
  await registerWorkflowInterests(tx, workflow)
}

/** Lets a workflow run, in the transaction that is given: until it is committed nothing is listened to. Throws as activateWorkflow. */
export async function activateWorkflowInTx(
  tx: Db,
  { clock, sandbox }: Pick<WorkflowContext, 'clock' | 'sandbox'>,
  key: WorkflowKey,
  rights: readonly AccessRight[],
): Promise<void> {
  const lockedWorkflow = await lockWorkflow(tx, key)
  if (lockedWorkflow.state === 1) throw conflictProblem('workflow-active', `The workflow ${key.id} is already active.`)
  const { definition } = lockedWorkflow
  requireCapabilityRights(listCapabilities(definition.scripting), [], rights)
  await requireWebtaskRights(tx, key.account, { before: null, after: definition }, rights)
  await requireCompilableRights(tx, key.account, { before: null, after: definition }, rights)
  await linkNamedCompilables(tx, key, definition)
  await requireFlawlessWorkflow({ db: tx, sandbox }, key.account, definition)
  await linkNamedWebtasks(tx, key, definition)
  await setWorkflowState(tx, key, 1, new Date(clock.now()))
  await scheduleWorkflowTasks(tx, key, { before: null, after: definition }, clock.now())
  await registerWorkflowInterests(tx, key)
}

/**
 * Lets a workflow run: what is published from then on is listened to. Throws notFound, 403 for capabilities, conflict
 * `workflow-active` or `workflow-flawed`.
 */
export async function activateWorkflow(
  { db, clock, sandbox }: WorkflowContext,
  key: WorkflowKey,
  rights: readonly AccessRight[],
): Promise<void> {
  // Scripts are read before the workflow is locked, because runs also need the lock.
  await findWorkflowFlaws({ db, sandbox }, key.account, (await loadWorkflow(db, key)).definition)
  await inTransaction(db, (tx) => activateWorkflowInTx(tx, { clock, sandbox }, key, rights))
  await waitForWorkflowListening(db, key.account)
}

/**
 * Stops a workflow; its open runs pause, or are killed soon afterwards. Steps that are being committed are waited for: nothing of
 * it happens afterwards. Throws notFound, conflict `workflow-inactive`.
 */
export async function deactivateWorkflow(
  { db, clock }: WorkflowContext,
  key: WorkflowKey,
  openRunAction?: 'pause' | 'kill',
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { state, definition } = await lockWorkflow(tx, key)
    if (state === 0) throw conflictProblem('workflow-inactive', `The workflow ${key.id} is not active.`)
    await setWorkflowState(tx, key, 0, new Date(clock.now()))
    await linkNamedWebtasks(tx, key, null)
    await linkNamedCompilables(tx, key, null)
    await unscheduleWorkflowTasks(tx, key, clock.now())
    if ((openRunAction ?? definition.settings.onDeactivate) === 'kill') await stopWorkflowRuns(tx, key, 'deactivated')
    await registerWorkflowInterests(tx, key)
  })
  await waitForWorkflowListening(db, key.account)
}
