import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction, retryOnConflict } from '../../../database/locks/deadlocks.ts'
import { splitByRepeatedKey } from '../../../lib/concurrency/split-by-key.ts'
import {
  conflictProblem,
  invalidRequestProblem,
  notFoundProblem,
  type ProblemFault,
} from '../../../lib/errors/problem.ts'
import { toRunIdFromStamp } from '../../../scripting/run-ids.ts'
import { readContactFootprints } from '../../actions/execution/executions.ts'
import { type FoundContact, findContacts } from '../../contacts/records/find.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import { isRunTooLarge } from '../run-stepper/run-size.ts'
import {
  findResumeFault,
  lockResumableRuns,
  type ResumableRun,
  type RunResume,
  resumeRuns,
} from '../waits/resume-runs.ts'
import type { WorkflowKey } from '../workflow-repository.ts'
import { requireEventSizes, resolveRunRequests, type WorkflowRunRequest } from './execution-items.ts'
import type { RunRequestResult, WorkflowExecutionItem } from './execution-schemas.ts'
import { type RunStart, type RunStartResult, startRuns } from './start-runs.ts'
import { resolveEntryKeys } from './start-scope.ts'

/** Input of an execution route. */
export interface WorkflowExecutionRequest {
  items: readonly WorkflowExecutionItem[]
  /** Pointers of faults begin with the place of the item. */
  isList: boolean
}

/** Simulates items with `debug` on the stored definition; gives their results in that order. */
export type SimulateExecutionItems = (
  key: WorkflowKey,
  items: readonly { item: WorkflowExecutionItem; pointer: string }[],
) => Promise<readonly object[]>

type ExecutionEntry = { item: WorkflowExecutionItem; index: number }

/** Started run, or the reason why there is none. The contact is shown at the end. */
type ItemOutcome = { type: 'run'; id: string; contact: number | null } | Extract<RunRequestResult, { type: 'error' }>

const createRefusal = (value: Extract<RunRequestResult, { type: 'error' }>['value']): ItemOutcome => ({
  type: 'error',
  value,
})

/** The version an active workflow has; it stays active until the transaction ends. Throws notFound, conflict. */
async function lockActiveVersion(tx: Db, { account, id }: WorkflowKey): Promise<number> {
  const { rows } = await sql<{ state: 0 | 1; version: number }>`
    select state, version from workflows where account = ${account} and id = ${id} and deleted_at is null for share`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw notFoundProblem('workflow', id)
  if (row.state === 0) throw conflictProblem('workflow-inactive', `The workflow ${id} is not active.`)
  return row.version
}

/** Finds the contacts of items, in one statement. Null: an item names none; undefined: there is no such contact. */
async function findItemContacts(tx: Db, { account }: WorkflowKey, executionEntries: readonly ExecutionEntry[]) {
  const contactLookups = executionEntries.flatMap(({ item: { receiver } }) => receiver ?? [])
  const foundContacts = (contactLookups.length === 0 ? [] : await findContacts(tx, account, contactLookups)).values()
  return executionEntries.map(({ item: { receiver } }): FoundContact | null | undefined =>
    receiver == null ? null : foundContacts.next().value,
  )
}

/** Shared context of the executions of one request. */
interface ExecutionBatch {
  context: WorkflowEngineContext
  tx: Db
  key: WorkflowKey
  definition: ReadyDefinition
  isList: boolean
  /** Steps of workflows that led to it. */
  depth: number
  now: number
}

/** Finds the change that an item requests of an existing run. Returns `undefined` if the item requests a new run. */
function findResumeRequest(
  runRequest: WorkflowRunRequest,
  run: ResumableRun | undefined,
  workflow: number,
): RunResume | ItemOutcome | undefined {
  const { id, resolutions, contact } = runRequest
  if (runRequest.receiver !== null && contact === undefined)
    return createRefusal({ type: 'recipient not found', receiver: runRequest.receiver })
  if (!run) return resolutions.length > 0 ? createRefusal({ type: 'run not waiting', id }) : undefined
  const isRepeatedStamp = runRequest.hasStamp && run.stamp === runRequest.stamp.id
  if (isRepeatedStamp && resolutions.length === 0) return { type: 'run', id: run.id, contact: run.contact }
  const isOtherContact = contact !== null && contact?.id !== run.contact
  if (!run.isOpen || run.workflow !== workflow || isOtherContact)
    return createRefusal({ type: 'run id used', id: run.id })
  const fault = findResumeFault({ run, asked: runRequest })
  if (fault === 'run not waiting') return createRefusal({ type: fault, id: run.id })
  return fault ? createRefusal({ type: fault }) : { run, asked: runRequest }
}

/** Throws 400 for nodes that are none of the version a run goes by, and for new runs that have nowhere to start. */
async function requireKnownNodes(
  { context, tx, key, definition, isList }: ExecutionBatch,
  runRequests: readonly WorkflowRunRequest[],
  runs: ReadonlyMap<string, ResumableRun>,
): Promise<void> {
  const openRuns = [...runs.values()].filter(({ isOpen, workflow }) => isOpen && workflow === key.id)
  const versions = await context.definitions.load(
    tx,
    openRuns.map(({ version }) => ({ account: key.account, workflow: key.id, version })),
  )
  const faults = runRequests.flatMap(({ index, id, node }): ProblemFault[] => {
    const run = openRuns.find((openRun) => openRun.id === id)
    const nodeDefinition = run ? versions({ account: key.account, workflow: key.id, version: run.version }) : definition
    const pointer = `${isList ? `/${index}` : ''}/node`
    if (node === null)
      return run || definition.entry !== null
        ? []
        : [{ pointer, detail: 'is required: no node of the workflow is its default' }]
    return nodeDefinition?.nodes.has(node) ? [] : [{ pointer, detail: `must be the id of a node: there is no ${node}` }]
  })
  if (faults.length > 0) throw invalidRequestProblem(faults)
}

async function buildRunStarts(
  executing: ExecutionBatch,
  newRunRequests: readonly WorkflowRunRequest[],
): Promise<RunStart[]> {
  const { context, tx, definition, depth } = executing
  const entryKeys = await resolveEntryKeys(
    context,
    tx,
    newRunRequests.map(({ contact, event, data, state, variables }) => ({
      definition,
      contact: contact?.id ?? null,
      event,
      data,
      state,
      variables,
    })),
  )
  return newRunRequests.map((newRunRequest, index): RunStart => {
    const { contact, node, event, data, state, variables, stamp } = newRunRequest
    const id = newRunRequest.id ?? (newRunRequest.hasStamp ? toRunIdFromStamp(definition.account, stamp.id) : null)
    const { key: entryKey, zone } = entryKeys[index]!
    return {
      definition,
      contact: contact?.id ?? null,
      entryKey,
      node: node ?? definition.entry!,
      type: 'execution',
      source: null,
      event,
      data,
      state,
      variables,
      depth,
      id,
      stamp,
      after: null,
      zone,
    }
  })
}

function toItemOutcome({ receiver }: WorkflowRunRequest, started: RunStartResult): ItemOutcome {
  if (started.type === 'started') return { type: 'run', id: started.id, contact: started.contact }
  if (started.type === 'id used') return createRefusal({ type: 'run id used', id: started.id })
  if (started.type === 'no contact') return createRefusal({ type: 'recipient not found', receiver: receiver! })
  if (started.reason === 'busy') return createRefusal({ type: 'busy' })
  return createRefusal({ type: 're-entry refused', reason: started.reason })
}

/** Has open runs go on and starts others; no two items name the same run. */
async function performRequestTurn(
  executing: ExecutionBatch,
  turnRequests: readonly WorkflowRunRequest[],
): Promise<[WorkflowRunRequest, ItemOutcome][]> {
  const { tx, key, now } = executing
  const runs = await lockResumableRuns(
    tx,
    key.account,
    turnRequests.flatMap(({ id }) => id ?? []),
  )
  await requireKnownNodes(executing, turnRequests, runs)
  const outcomes = new Map<WorkflowRunRequest, ItemOutcome>()
  const [resumes, newRequests]: [RunResume[], WorkflowRunRequest[]] = [[], []]
  for (const turnRequest of turnRequests) {
    const resumeOrOutcome = findResumeRequest(
      turnRequest,
      turnRequest.id === null ? undefined : runs.get(turnRequest.id),
      key.id,
    )
    if (resumeOrOutcome === undefined) newRequests.push(turnRequest)
    else if ('run' in resumeOrOutcome) resumes.push(resumeOrOutcome)
    else outcomes.set(turnRequest, resumeOrOutcome)
  }
  await resumeRuns(tx, key.account, resumes, now)
  for (const { run, asked: turnRequest } of resumes)
    outcomes.set(turnRequest, { type: 'run', id: run.id, contact: run.contact })
  const fittingRequests = newRequests.filter((turnRequest) => !isRunTooLarge(turnRequest))
  const startResults = await startRuns(tx, await buildRunStarts(executing, fittingRequests), now)
  for (const [index, turnRequest] of fittingRequests.entries())
    outcomes.set(turnRequest, toItemOutcome(turnRequest, startResults[index]!))
  return turnRequests.map((turnRequest) => [
    turnRequest,
    outcomes.get(turnRequest) ?? createRefusal({ type: 'run too large' }),
  ])
}

/** Performs items in a transaction; gives what became of each. Throws notFound, 400 and conflict `workflow-inactive`. */
export async function executeItemsInTx(
  context: WorkflowEngineContext,
  tx: Db,
  key: WorkflowKey,
  { items, isList, depth }: { items: readonly ExecutionEntry[]; isList: boolean; depth: number },
): Promise<RunRequestResult[]> {
  const now = context.clock.now()
  const version = { account: key.account, workflow: key.id, version: await lockActiveVersion(tx, key) }
  const definition = (await context.definitions.load(tx, [version]))(version)
  if (!definition) throw notFoundProblem('workflow', key.id)
  const executing = { context, tx, key, definition, isList, depth, now }
  const resolvedRequests = resolveRunRequests(key, items, await findItemContacts(tx, key, items), now)
  const outcomes = new Map<WorkflowRunRequest, ItemOutcome>()
  for (const requestTurn of splitByRepeatedKey(resolvedRequests, ({ id, index }) => id ?? index))
    for (const [resolvedRequest, outcome] of await performRequestTurn(executing, requestTurn))
      outcomes.set(resolvedRequest, outcome)
  const orderedOutcomes = resolvedRequests.map((resolvedRequest) => outcomes.get(resolvedRequest)!)
  const receiverOf = await readContactFootprints(
    tx,
    key.account,
    orderedOutcomes.map((resolvedRequest) => (resolvedRequest.type === 'run' ? resolvedRequest.contact : null)),
    resolvedRequests.flatMap(({ contact }) => contact ?? []),
  )
  return orderedOutcomes.map((resolvedRequest) =>
    resolvedRequest.type === 'run'
      ? { type: 'success', id: resolvedRequest.id, receiver: receiverOf(resolvedRequest.contact) }
      : resolvedRequest,
  )
}

/** A run that another transaction has started meanwhile, by the same id or stamp, is found by the next try. */
function executeRuns(
  context: WorkflowEngineContext,
  key: WorkflowKey,
  itemBatch: { items: readonly ExecutionEntry[]; isList: boolean },
): Promise<RunRequestResult[]> {
  return retryOnConflict(() =>
    inRetriedTransaction(context.db, (tx) => executeItemsInTx(context, tx, key, { ...itemBatch, depth: 0 })),
  )
}

/**
 * Starts a run for each item, or has an open one go on; gives what became of each, in their order. Items with `debug` are
 * simulated. Throws notFound, 400 and conflict `workflow-inactive`; then nothing is started.
 */
export async function executeWorkflowItems(
  context: WorkflowEngineContext,
  key: WorkflowKey,
  { items, isList }: WorkflowExecutionRequest,
  simulate: SimulateExecutionItems,
): Promise<object[]> {
  requireEventSizes(items, isList)
  const allEntries = items.map((item, index): ExecutionEntry => ({ item, index }))
  const [debugEntries, liveEntries] = [
    allEntries.filter(({ item }) => item.debug != null),
    allEntries.filter(({ item }) => item.debug == null),
  ]
  const results = new Array<object>(items.length)
  // An empty list starts nothing, and asks for no more than that there is the workflow.
  if (liveEntries.length > 0 || items.length === 0) {
    const liveResults = await executeRuns(context, key, { items: liveEntries, isList })
    for (const [resultIndex, { index }] of liveEntries.entries()) results[index] = liveResults[resultIndex]!
  }
  const pointedItems = debugEntries.map(({ item, index }) => ({ item, pointer: isList ? `/${index}` : '' }))
  const debugResults = pointedItems.length === 0 ? [] : await simulate(key, pointedItems)
  for (const [resultIndex, { index }] of debugEntries.entries()) results[index] = debugResults[resultIndex]!
  return results
}
