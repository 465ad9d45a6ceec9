import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId, Right, Writer } from '../../lib/account.ts'
import { badRequest, conflict } from '../../lib/errors/problem.ts'
import { refuseCapabilities } from '../../scripting/capabilities.ts'
import { capabilitiesOf } from '../../scripting/scripting-object.ts'
import { secretsOf } from '../../scripting/secrets.ts'
import { loadFields } from '../contacts/fields/stored-definitions.ts'
import { flawsOf, refuseFlawed } from './definition/check.ts'
import { contentsOf, segmentsOf } from './definition/contents.ts'
import type { Definition } from './definition/definition.ts'
import { listenForWorkflow, untilWorkflowsListen } from './definition/listening.ts'
import { holdCompilables, refuseCompilables } from './definition/named-pipelines.ts'
import { holdWebtasks, refuseWebtasks } from './definition/named-webtasks.ts'
import { type GivenParts, isSame, newDefinition, type Reader, readDefinition } from './definition/reading.ts'
import {
  insertWorkflow,
  loadWorkflow,
  lockWorkflow,
  markDeleted,
  type StoredWorkflow,
  setState,
  storeWorkflow,
  type WorkflowKey,
} from './stored.ts'
import { forgetTasks, scheduleTasks, unscheduleTasks } from './tasks/schedules.ts'
import { stopRuns } from './waits/stopping.ts'

const MAX_WORKFLOWS = 1000

/** What changes of workflows need. `db` may be a transaction. */
export type WorkflowContext = Pick<Context, 'db' | 'clock' | 'masterKeys' | 'sandbox'>

/** A write: what is absent stays, or with `whole` takes its default. */
export interface WorkflowWrite extends GivenParts {
  name?: string | undefined
  description?: string | null | undefined
}

async function readerOf(
  { db, clock, masterKeys }: WorkflowContext,
  account: AccountId,
  strict: boolean,
): Promise<Reader> {
  const { settings } = await loadFields(db, account)
  return { timeZone: settings.timeZone, secrets: secretsOf(masterKeys, account), now: clock.now(), strict }
}

/** A definition that is sent as a whole workflow, beside the stored one. Throws notFound, 400. */
export async function readWhole(
  context: WorkflowContext,
  key: WorkflowKey,
  body: GivenParts,
  strict: boolean,
): Promise<Definition> {
  const reader = await readerOf(context, key.account, strict)
  const { definition: stored } = await loadWorkflow(context.db, key)
  return readDefinition({ ...body }, { kept: newDefinition(reader), stored }, reader)
}

function content({ name, description }: { name: string; description: string | null }, definition: Definition) {
  return { name, description, definition, segments: segmentsOf(contentsOf(definition)) }
}

/** Throws conflict when the account has as many workflows as it can have; others that would be made wait. */
export async function requireRoom(tx: Db, account: AccountId): Promise<void> {
  await sql`select from accounts where id = ${account} for no key update`.execute(tx)
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from workflows where account = ${account} and deleted_at is null`.execute(tx)
  if ((rows[0]?.n ?? 0) >= MAX_WORKFLOWS)
    throw conflict('too-many-workflows', `An account has at most ${MAX_WORKFLOWS} workflows.`)
}

/** Makes a workflow, inactive. Throws 400, 403 for capabilities, conflict when there are 1,000. */
export async function createWorkflow(
  context: WorkflowContext,
  account: AccountId,
  body: WorkflowWrite,
  { rights, strict }: Writer,
): Promise<StoredWorkflow> {
  const { name, description } = body
  if (name === undefined) throw badRequest('/name', 'is required')
  const reader = await readerOf(context, account, strict)
  const fresh = newDefinition(reader)
  const definition = readDefinition(body, { kept: fresh, stored: fresh }, reader)
  refuseCapabilities(capabilitiesOf(definition.scripting), [], rights)
  return inTransaction(context.db, async (tx) => {
    await requireRoom(tx, account)
    const described = { name, description: description ?? null }
    const id = await insertWorkflow(tx, account, content(described, definition), new Date(reader.now))
    return loadWorkflow(tx, { account, id })
  })
}

/** How a change is read. */
export interface ChangeOptions extends Writer {
  /** What is absent takes its default: the body is the whole workflow, or the whole part. */
  whole?: boolean
  /** The part that the body is. */
  only?: keyof Definition
}

/** What a change keeps of a workflow where the body says nothing. */
function keptOf({ definition }: StoredWorkflow, reader: Reader, { whole, only }: ChangeOptions): Definition {
  if (!whole) return definition
  const fresh = newDefinition(reader)
  return only ? { ...definition, [only]: fresh[only] } : fresh
}

/**
 * Changes a workflow: `given` makes the body from what is stored. What counts makes a new version; what changes nothing is
 * not written. Throws notFound, 400, 403, and conflict `workflow-flawed` when it is active and could not be.
 */
export function changeWorkflow(
  context: WorkflowContext,
  key: WorkflowKey,
  given: (stored: StoredWorkflow) => WorkflowWrite | Promise<WorkflowWrite>,
  options: ChangeOptions,
): Promise<StoredWorkflow> {
  return inTransaction(context.db, async (tx) => {
    const stored = await lockWorkflow(tx, key)
    const reader = await readerOf({ ...context, db: tx }, key.account, options.strict)
    const write = await given(stored)
    const base = { kept: keptOf(stored, reader, options), stored: stored.definition }
    const definition = readDefinition(write, base, reader, options.only)
    refuseCapabilities(
      capabilitiesOf(definition.scripting),
      capabilitiesOf(stored.definition.scripting),
      options.rights,
    )
    const { name = stored.name, description = stored.description } = write
    const isVersion = !isSame(definition, stored.definition)
    if (!isVersion && name === stored.name && description === stored.description) return stored
    const isLive = isVersion && stored.state === 1
    if (isLive) {
      await holdCompilables(tx, key, definition)
      await refuseFlawed({ ...context, db: tx }, key.account, definition)
      await refuseWebtasks(tx, key.account, { before: stored.definition, after: definition }, options.rights)
      await refuseCompilables(tx, key.account, { before: stored.definition, after: definition }, options.rights)
    }
    const written = content({ name, description }, definition)
    await storeWorkflow(tx, stored, written, { isVersion, now: new Date(reader.now) })
    if (isLive) {
      await holdWebtasks(tx, key, definition)
      await scheduleTasks(tx, key, { before: stored.definition, after: definition }, reader.now)
      await listenForWorkflow(tx, key)
    }
    return loadWorkflow(tx, key)
  })
}

/** Deletes a workflow; its runs are performed no more, and deleted soon afterwards. Throws notFound, conflict `workflow-active`. */
export function deleteWorkflow({ db, clock }: Pick<WorkflowContext, 'db' | 'clock'>, key: WorkflowKey): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { state } = await lockWorkflow(tx, key)
    if (state === 1) throw conflict('workflow-active', `The workflow ${key.id} is active: deactivate it first.`)
    await markDeleted(tx, key, new Date(clock.now()))
    await forgetTasks(tx, key)
    await stopRuns(tx, key, 'deleted')
    await listenForWorkflow(tx, key)
  })
}

/** Lets a workflow run, in the transaction that is given: until it is committed nothing is listened to. Throws as activateWorkflow. */
export async function activateIn(
  tx: Db,
  { clock, sandbox }: Pick<WorkflowContext, 'clock' | 'sandbox'>,
  key: WorkflowKey,
  rights: readonly Right[],
): Promise<void> {
  const stored = await lockWorkflow(tx, key)
  if (stored.state === 1) throw conflict('workflow-active', `The workflow ${key.id} is active already.`)
  const { definition } = stored
  refuseCapabilities(capabilitiesOf(definition.scripting), [], rights)
  await refuseWebtasks(tx, key.account, { before: null, after: definition }, rights)
  await refuseCompilables(tx, key.account, { before: null, after: definition }, rights)
  await holdCompilables(tx, key, definition)
  await refuseFlawed({ db: tx, sandbox }, key.account, definition)
  await holdWebtasks(tx, key, definition)
  await setState(tx, key, 1, new Date(clock.now()))
  await scheduleTasks(tx, key, { before: null, after: definition }, clock.now())
  await listenForWorkflow(tx, key)
}

/**
 * Lets a workflow run: what is published from then on is listened to. Throws notFound, 403 for capabilities, conflict
 * `workflow-active` or `workflow-flawed`.
 */
export async function activateWorkflow(
  { db, clock, sandbox }: WorkflowContext,
  key: WorkflowKey,
  rights: readonly Right[],
): Promise<void> {
  // Its scripts are read before it is locked: runs need the lock, too.
  await flawsOf({ db, sandbox }, key.account, (await loadWorkflow(db, key)).definition)
  await inTransaction(db, (tx) => activateIn(tx, { clock, sandbox }, key, rights))
  await untilWorkflowsListen(db, key.account)
}

/**
 * Stops a workflow; its open runs pause, or are killed soon afterwards. Steps that are being committed are waited for: nothing of
 * it happens afterwards. Throws notFound, conflict `workflow-inactive`.
 */
export async function deactivateWorkflow(
  { db, clock }: WorkflowContext,
  key: WorkflowKey,
  open?: 'pause' | 'kill',
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { state, definition } = await lockWorkflow(tx, key)
    if (state === 0) throw conflict('workflow-inactive', `The workflow ${key.id} is not active.`)
    await setState(tx, key, 0, new Date(clock.now()))
    await holdWebtasks(tx, key, null)
    await holdCompilables(tx, key, null)
    await unscheduleTasks(tx, key, clock.now())
    if ((open ?? definition.settings.onDeactivate) === 'kill') await stopRuns(tx, key, 'deactivated')
    await listenForWorkflow(tx, key)
  })
  await untilWorkflowsListen(db, key.account)
}
