import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction, retryOnConflict } from '../../../database/locks/deadlocks.ts'
import { splitByRepeatedKey } from '../../../lib/concurrency/turns.ts'
import {
  conflictProblem,
  invalidRequestProblem,
  notFoundProblem,
  type ProblemFault,
} from '../../../lib/errors/problem.ts'
import { toRunIdFromStamp } from '../../../scripting/run-ids.ts'
import { readContactFootprints } from '../../actions/execution/executions.ts'
import { type FoundContact, findContacts } from '../../contacts/records/find.ts'
import type { WorkflowEngineContext } from '../engine/context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import { isRunTooLarge } from '../stepping/sizes.ts'
import type { WorkflowKey } from '../stored.ts'
import { findResumeFault, lockResumableRuns, type ResumableRun, type RunResume, resumeRuns } from '../waits/resumes.ts'
import { requireEventSizes, resolveRunRequests, type WorkflowRunRequest } from './execution-items.ts'
import type { RunRequestResult, WorkflowExecutionItem } from './execution-schemas.ts'
import { resolveEntryKeys } from './start-scope.ts'
import { type RunStart, type RunStartResult, startRuns } from './starts.ts'

/** What a route was given. */
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

type Given = { item: WorkflowExecutionItem; index: number }

/** A run, or why there is none; its contact is shown at the end. */
type Outcome = { type: 'run'; id: string; contact: number | null } | Extract<RunRequestResult, { type: 'error' }>

const refused = (value: Extract<RunRequestResult, { type: 'error' }>['value']): Outcome => ({ type: 'error', value })

/** The version an active workflow has; it stays active until the transaction ends. Throws notFound, conflict. */
async function holdActive(tx: Db, { account, id }: WorkflowKey): Promise<number> {
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
async function contactsOf(tx: Db, { account }: WorkflowKey, given: readonly Given[]) {
  const sought = given.flatMap(({ item: { receiver } }) => receiver ?? [])
  const found = (sought.length === 0 ? [] : await findContacts(tx, account, sought)).values()
  return given.map(({ item: { receiver } }): FoundContact | null | undefined =>
    receiver == null ? null : found.next().value,
  )
}

/** What executions of one request share. */
interface Executing {
  context: WorkflowEngineContext
  tx: Db
  key: WorkflowKey
  definition: ReadyDefinition
  isList: boolean
  /** Steps of workflows that led to it. */
  depth: number
  now: number
}

/** What an item asks of a run that is there; undefined: it asks for a new one. */
function askedOf(
  asked: WorkflowRunRequest,
  run: ResumableRun | undefined,
  workflow: number,
): RunResume | Outcome | undefined {
  const { id, resolutions, contact } = asked
  if (asked.receiver !== null && contact === undefined)
    return refused({ type: 'recipient not found', receiver: asked.receiver })
  if (!run) return resolutions.length > 0 ? refused({ type: 'run not waiting', id }) : undefined
  const isKnown = asked.hasStamp && run.stamp === asked.stamp.id
  if (isKnown && resolutions.length === 0) return { type: 'run', id: run.id, contact: run.contact }
  const isOther = contact !== null && contact?.id !== run.contact
  if (!run.isOpen || run.workflow !== workflow || isOther) return refused({ type: 'run id used', id: run.id })
  const fault = findResumeFault({ run, asked })
  if (fault === 'run not waiting') return refused({ type: fault, id: run.id })
  return fault ? refused({ type: fault }) : { run, asked }
}

/** Throws 400 for nodes that are none of the version a run goes by, and for new runs that have nowhere to start. */
async function refuseUnknownNodes(
  { context, tx, key, definition, isList }: Executing,
  asked: readonly WorkflowRunRequest[],
  runs: ReadonlyMap<string, ResumableRun>,
): Promise<void> {
  const open = [...runs.values()].filter(({ isOpen, workflow }) => isOpen && workflow === key.id)
  const versions = await context.definitions.load(
    tx,
    open.map(({ version }) => ({ account: key.account, workflow: key.id, version })),
  )
  const faults = asked.flatMap(({ index, id, node }): ProblemFault[] => {
    const run = open.find((one) => one.id === id)
    const own = run ? versions({ account: key.account, workflow: key.id, version: run.version }) : definition
    const pointer = `${isList ? `/${index}` : ''}/node`
    if (node === null)
      return run || definition.entry !== null
        ? []
        : [{ pointer, detail: 'is required: no node of the workflow is its default' }]
    return own?.nodes.has(node) ? [] : [{ pointer, detail: `must be the id of a node: there is no ${node}` }]
  })
  if (faults.length > 0) throw invalidRequestProblem(faults)
}

async function startsOf(executing: Executing, asked: readonly WorkflowRunRequest[]): Promise<RunStart[]> {
  const { context, tx, definition, depth } = executing
  const keys = await resolveEntryKeys(
    context,
    tx,
    asked.map(({ contact, event, data, state, variables }) => ({
      ...{ definition, contact: contact?.id ?? null, event, data, state, variables },
    })),
  )
  return asked.map((one, index): RunStart => {
    const { contact, node, event, data, state, variables, stamp } = one
    const id = one.id ?? (one.hasStamp ? toRunIdFromStamp(definition.account, stamp.id) : null)
    const { key: entryKey, zone } = keys[index]!
    return {
      ...{ definition, contact: contact?.id ?? null, entryKey, node: node ?? definition.entry! },
      ...{ type: 'execution', source: null, event, data, state, variables, depth, id, stamp, after: null, zone },
    }
  })
}

function outcomeOf({ receiver }: WorkflowRunRequest, started: RunStartResult): Outcome {
  if (started.type === 'started') return { type: 'run', id: started.id, contact: started.contact }
  if (started.type === 'id used') return refused({ type: 'run id used', id: started.id })
  if (started.type === 'no contact') return refused({ type: 'recipient not found', receiver: receiver! })
  if (started.reason === 'busy') return refused({ type: 'busy' })
  return refused({ type: 're-entry refused', reason: started.reason })
}

/** Has open runs go on and starts others; no two items name the same run. */
async function performTurn(
  executing: Executing,
  asked: readonly WorkflowRunRequest[],
): Promise<[WorkflowRunRequest, Outcome][]> {
  const { tx, key, now } = executing
  const runs = await lockResumableRuns(
    tx,
    key.account,
    asked.flatMap(({ id }) => id ?? []),
  )
  await refuseUnknownNodes(executing, asked, runs)
  const outcomes = new Map<WorkflowRunRequest, Outcome>()
  const [resumes, fresh]: [RunResume[], WorkflowRunRequest[]] = [[], []]
  for (const one of asked) {
    const of = askedOf(one, one.id === null ? undefined : runs.get(one.id), key.id)
    if (of === undefined) fresh.push(one)
    else if ('run' in of) resumes.push(of)
    else outcomes.set(one, of)
  }
  await resumeRuns(tx, key.account, resumes, now)
  for (const { run, asked: one } of resumes) outcomes.set(one, { type: 'run', id: run.id, contact: run.contact })
  const fitting = fresh.filter((one) => !isRunTooLarge(one))
  const started = await startRuns(tx, await startsOf(executing, fitting), now)
  for (const [index, one] of fitting.entries()) outcomes.set(one, outcomeOf(one, started[index]!))
  return asked.map((one) => [one, outcomes.get(one) ?? refused({ type: 'run too large' })])
}

/** Performs items in a transaction; gives what became of each. Throws notFound, 400 and conflict `workflow-inactive`. */
export async function executeItemsInTx(
  context: WorkflowEngineContext,
  tx: Db,
  key: WorkflowKey,
  { items, isList, depth }: { items: readonly Given[]; isList: boolean; depth: number },
): Promise<RunRequestResult[]> {
  const now = context.clock.now()
  const version = { account: key.account, workflow: key.id, version: await holdActive(tx, key) }
  const definition = (await context.definitions.load(tx, [version]))(version)
  if (!definition) throw notFoundProblem('workflow', key.id)
  const executing = { context, tx, key, definition, isList, depth, now }
  const asked = resolveRunRequests(key, items, await contactsOf(tx, key, items), now)
  const outcomes = new Map<WorkflowRunRequest, Outcome>()
  for (const turn of splitByRepeatedKey(asked, ({ id, index }) => id ?? index))
    for (const [one, outcome] of await performTurn(executing, turn)) outcomes.set(one, outcome)
  const all = asked.map((one) => outcomes.get(one)!)
  const receiverOf = await readContactFootprints(
    tx,
    key.account,
    all.map((one) => (one.type === 'run' ? one.contact : null)),
    asked.flatMap(({ contact }) => contact ?? []),
  )
  return all.map((one) =>
    one.type === 'run' ? { type: 'success', id: one.id, receiver: receiverOf(one.contact) } : one,
  )
}

/** A run that another transaction has started meanwhile, by the same id or stamp, is found by the next try. */
function executeRuns(
  context: WorkflowEngineContext,
  key: WorkflowKey,
  given: { items: readonly Given[]; isList: boolean },
): Promise<RunRequestResult[]> {
  return retryOnConflict(() =>
    inRetriedTransaction(context.db, (tx) => executeItemsInTx(context, tx, key, { ...given, depth: 0 })),
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
  const all = items.map((item, index): Given => ({ item, index }))
  const [debugged, live] = [all.filter(({ item }) => item.debug != null), all.filter(({ item }) => item.debug == null)]
  const results = new Array<object>(items.length)
  // An empty list starts nothing, and asks for no more than that there is the workflow.
  if (live.length > 0 || items.length === 0) {
    const own = await executeRuns(context, key, { items: live, isList })
    for (const [place, { index }] of live.entries()) results[index] = own[place]!
  }
  const pointed = debugged.map(({ item, index }) => ({ item, pointer: isList ? `/${index}` : '' }))
  const shown = pointed.length === 0 ? [] : await simulate(key, pointed)
  for (const [place, { index }] of debugged.entries()) results[index] = shown[place]!
  return results
}
