import { sql } from 'kysely'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { createNamedUuid } from '../../../lib/ids.ts'
import { computeTimeSpanEnd } from '../../../lib/time/spans.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { findContacts, toFootprint } from '../../contacts/records/find.ts'
import type { ContactIdentification, Footprint } from '../../contacts/records/identification-schemas.ts'
import { requireFlawlessWorkflow } from '../definition/check-definition.ts'
import type { WorkflowDefinition } from '../definition/workflow-definition.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import type { RunEventRecord } from '../nodes/node-contract.ts'
import type { StoredRun } from '../run-stepper/run.ts'
import { isRunTooLarge } from '../run-stepper/run-size.ts'
import { findStartRefusal, type RunStartRefusal } from '../starts/start-runs.ts'
import { resolveEntryKeys } from '../starts/start-scope.ts'
import { loadWorkflow, type WorkflowKey } from '../workflow-repository.ts'
import { type SimulatedRun, simulateRun } from './run-simulator.ts'
import type { SimulatedResponses } from './simulated-answers.ts'

type ValuesByName = Record<string, unknown>

/** A run that is to be tried, as it was asked for. */
export interface SimulationRequest {
  receiver: ContactIdentification | null
  node: string | null
  event: ValuesByName | null
  data: ValuesByName
  state: ValuesByName
  variables: ValuesByName
  /** Milliseconds. */
  clock: number
  events: readonly (ValuesByName & { at: number; type: string })[]
  responses: SimulatedResponses
  maxNodes: number
  /** Location for the pointers of member faults. */
  pointer: string
}

/** Result of a simulation, or the reason why it did not begin. */
export type SimulationOutcome =
  | { type: 'simulated'; simulated: SimulatedRun; contact: Footprint | null }
  | { type: 'recipient not found'; receiver: ContactIdentification }
  | { type: 're-entry refused'; reason: RunStartRefusal }
  | { type: 'run too large' }

/** The definition to try: the one given, or that of the workflow. Throws notFound, conflict `workflow-flawed`. */
export async function loadSimulatedDefinition(
  { db, definitions, sandbox }: WorkflowEngineContext,
  key: WorkflowKey,
  requestedDefinition?: WorkflowDefinition,
): Promise<ReadyDefinition> {
  const { account, id: workflow } = key
  const storedWorkflow = await loadWorkflow(db, key)
  const definition = requestedDefinition ?? storedWorkflow.definition
  await requireFlawlessWorkflow({ db, sandbox }, account, definition)
  return definitions.compile(db, { account, workflow, version: storedWorkflow.version }, definition)
}

/** A run as a start would have stored it; its ids follow from what was asked for. */
function buildSimulatedRun(
  { account, workflow, version, settings }: ReadyDefinition,
  simulationRequest: SimulationRequest,
  { node, contact, zone, entryKey }: { node: string; contact: number | null; zone: string; entryKey: string | null },
): StoredRun {
  const { clock: _, pointer: __, ...input } = simulationRequest
  const id = createNamedUuid('simulation', account, workflow, JSON.stringify(input))
  const startDate = new Date(simulationRequest.clock)
  const { data, state, variables, event } = simulationRequest
  return {
    account,
    id,
    workflow,
    version,
    contact,
    entryKey,
    status: 'running',
    reason: null,
    outcome: null,
    node,
    phase: 'enter',
    visit: 1,
    attempt: 1,
    enteredAt: null,
    needed: 1,
    memo: null,
    steps: 0,
    visits: {},
    data,
    state,
    variables,
    event,
    last: null,
    sends: null,
    startType: 'execution',
    startId: null,
    depth: 0,
    stamp: id,
    stampTime: startDate,
    thread: id,
    set: id,
    mark: { at: startDate, event: null, snapshot: null },
    wake: null,
    expiresAt: new Date(computeTimeSpanEnd(settings.maxDuration, simulationRequest.clock, zone)),
    moves: 0,
    interrupt: null,
    goal: null,
    createdAt: startDate,
    updatedAt: startDate,
    endedAt: null,
  }
}

/** The listed events as filters see them; they are the contact's. */
function toContactEvents({ events, pointer }: SimulationRequest, contact: FoundContact | null): RunEventRecord[] {
  const footprintId = contact === null ? null : toFootprint(contact).id
  return events.map(({ at, ...members }, nth) => ({
    contact: footprintId,
    ...members,
    id: createNamedUuid('simulated event', pointer, nth, at),
    timestamp: at,
  }))
}

async function findSimulatedRefusal(
  { db }: WorkflowEngineContext,
  { account, workflow }: ReadyDefinition,
  start: Parameters<typeof findStartRefusal>[0],
  now: number,
): Promise<RunStartRefusal | undefined> {
  const { rows } = await sql<{ open: number; last: Date | null }>`
    select open, last_start as last from workflow_entries
    where account = ${account} and workflow = ${workflow} and key = ${start.entryKey}`.execute(db)
  const [row] = rows
  const runEntry = { open: row?.open ?? 0, lastStart: row?.last?.getTime() ?? null }
  return findStartRefusal(start, start.entryKey === null ? undefined : runEntry, now)
}

/** Throws 400 for a node that there is not, and when there is nowhere to start. */
function requireStartNode({ entry, nodes }: ReadyDefinition, { node, pointer }: SimulationRequest): string {
  if (node !== null && !nodes.has(node))
    throw badRequestProblem(`${pointer}/node`, `must be the id of a node: there is no ${node}`)
  const startNode = node ?? entry
  if (startNode === null)
    throw badRequestProblem(`${pointer}/node`, 'is required: no node of the workflow is its default')
  return startNode
}

/** Tries a run: nothing is written, sent or fetched. Throws 400 for a node that there is not. */
export async function runSimulation(
  engineContext: WorkflowEngineContext,
  ready: ReadyDefinition,
  simulationRequest: SimulationRequest,
): Promise<SimulationOutcome> {
  const { account } = ready
  const context = { ...engineContext, clock: { now: () => simulationRequest.clock } }
  const node = requireStartNode(ready, simulationRequest)
  const { receiver, event, data, state, variables } = simulationRequest
  if (isRunTooLarge({ data, state, variables, event })) return { type: 'run too large' }
  const [matchingContact] = receiver === null ? [] : await findContacts(context.db, account, [receiver])
  if (receiver !== null && !matchingContact) return { type: 'recipient not found', receiver }
  const contact = matchingContact ?? null
  const maxNodes = Math.min(ready.settings.maxNodes, simulationRequest.maxNodes)
  const definition = { ...ready, settings: { ...ready.settings, maxNodes } }
  const pendingStart = { definition, contact: contact?.id ?? null, event, data, state, variables }
  const [startKey] = await resolveEntryKeys(context, context.db, [pendingStart])
  const { key: entryKey, zone } = startKey!
  const reason = await findSimulatedRefusal(
    context,
    ready,
    { definition, depth: 0, entryKey, zone },
    simulationRequest.clock,
  )
  if (reason) return { type: 're-entry refused', reason }
  const [runContact] = await context.contacts(context.db, [{ account, contact: contact?.id ?? null }])
  const simulated = await simulateRun(context, {
    definition,
    contact: runContact ?? null,
    events: toContactEvents(simulationRequest, contact),
    responses: simulationRequest.responses,
    run: buildSimulatedRun(definition, simulationRequest, { node, contact: contact?.id ?? null, zone, entryKey }),
  })
  return { type: 'simulated', simulated, contact: contact && toFootprint(contact) }
}
