import { sql } from 'kysely'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { createNamedUuid } from '../../../lib/ids.ts'
import { computeTimeSpanEnd } from '../../../lib/time/spans.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { findContacts, toFootprint } from '../../contacts/records/find.ts'
import type { ContactIdentification, Footprint } from '../../contacts/records/identification-schemas.ts'
import { requireFlawlessWorkflow } from '../definition/check.ts'
import type { WorkflowDefinition } from '../definition/definition.ts'
import type { WorkflowEngineContext } from '../engine/context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import { resolveEntryKeys } from '../starts/start-scope.ts'
import { findStartRefusal, type RunStartRefusal } from '../starts/starts.ts'
import type { StoredRun } from '../stepping/run.ts'
import { isRunTooLarge } from '../stepping/sizes.ts'
import type { RunEventRecord } from '../stepping/step.ts'
import { loadWorkflow, type WorkflowKey } from '../stored.ts'
import type { SimulatedResponses } from './asks.ts'
import { type SimulatedRun, simulateRun } from './simulate.ts'

type Values = Record<string, unknown>

/** A run that is to be tried, as it was asked for. */
export interface SimulationRequest {
  receiver: ContactIdentification | null
  node: string | null
  event: Values | null
  data: Values
  state: Values
  variables: Values
  /** Milliseconds. */
  clock: number
  events: readonly (Values & { at: number; type: string })[]
  responses: SimulatedResponses
  maxNodes: number
  /** Where faults of members point to. */
  pointer: string
}

/** How it went, or why it did not begin. */
export type SimulationOutcome =
  | { type: 'simulated'; simulated: SimulatedRun; contact: Footprint | null }
  | { type: 'recipient not found'; receiver: ContactIdentification }
  | { type: 're-entry refused'; reason: RunStartRefusal }
  | { type: 'run too large' }

/** The definition to try: the one given, or that of the workflow. Throws notFound, conflict `workflow-flawed`. */
export async function loadSimulatedDefinition(
  { db, definitions, sandbox }: WorkflowEngineContext,
  key: WorkflowKey,
  given?: WorkflowDefinition,
): Promise<ReadyDefinition> {
  const { account, id: workflow } = key
  const stored = await loadWorkflow(db, key)
  const definition = given ?? stored.definition
  await requireFlawlessWorkflow({ db, sandbox }, account, definition)
  return definitions.compile(db, { account, workflow, version: stored.version }, definition)
}

/** A run as a start would have stored it; its ids follow from what was asked for. */
function runOf(
  { account, workflow, version, settings }: ReadyDefinition,
  asked: SimulationRequest,
  { node, contact, zone, entryKey }: { node: string; contact: number | null; zone: string; entryKey: string | null },
): StoredRun {
  const { clock: _, pointer: __, ...input } = asked
  const id = createNamedUuid('simulation', account, workflow, JSON.stringify(input))
  const start = new Date(asked.clock)
  const { data, state, variables, event } = asked
  return {
    ...{ account, id, workflow, version, contact, entryKey, status: 'running', reason: null, outcome: null },
    ...{ node, phase: 'enter', visit: 1, attempt: 1, enteredAt: null, needed: 1, memo: null, steps: 0, visits: {} },
    ...{ data, state, variables, event, last: null, sends: null, startType: 'execution', startId: null, depth: 0 },
    ...{
      stamp: id,
      stampTime: start,
      thread: id,
      set: id,
      mark: { at: start, event: null, snapshot: null },
      wake: null,
    },
    expiresAt: new Date(computeTimeSpanEnd(settings.maxDuration, asked.clock, zone)),
    ...{ moves: 0, interrupt: null, goal: null, createdAt: start, updatedAt: start, endedAt: null },
  }
}

/** The listed events as filters see them; they are the contact's. */
function listedOf({ events, pointer }: SimulationRequest, contact: FoundContact | null): RunEventRecord[] {
  const who = contact === null ? null : toFootprint(contact).id
  return events.map(({ at, ...members }, nth) => ({
    ...{ contact: who, ...members },
    id: createNamedUuid('simulated event', pointer, nth, at),
    timestamp: at,
  }))
}

async function refusedBy(
  { db }: WorkflowEngineContext,
  { account, workflow }: ReadyDefinition,
  start: Parameters<typeof findStartRefusal>[0],
  now: number,
): Promise<RunStartRefusal | undefined> {
  const { rows } = await sql<{ open: number; last: Date | null }>`
    select open, last_start as last from workflow_entries
    where account = ${account} and workflow = ${workflow} and key = ${start.entryKey}`.execute(db)
  const [row] = rows
  const entry = { open: row?.open ?? 0, lastStart: row?.last?.getTime() ?? null }
  return findStartRefusal(start, start.entryKey === null ? undefined : entry, now)
}

/** Throws 400 for a node that there is not, and when there is nowhere to start. */
function entryOf({ entry, nodes }: ReadyDefinition, { node, pointer }: SimulationRequest): string {
  if (node !== null && !nodes.has(node))
    throw badRequestProblem(`${pointer}/node`, `must be the id of a node: there is no ${node}`)
  const start = node ?? entry
  if (start === null) throw badRequestProblem(`${pointer}/node`, 'is required: no node of the workflow is its default')
  return start
}

/** Tries a run: nothing is written, sent or fetched. Throws 400 for a node that there is not. */
export async function runSimulation(
  given: WorkflowEngineContext,
  ready: ReadyDefinition,
  asked: SimulationRequest,
): Promise<SimulationOutcome> {
  const { account } = ready
  const context = { ...given, clock: { now: () => asked.clock } }
  const node = entryOf(ready, asked)
  const { receiver, event, data, state, variables } = asked
  if (isRunTooLarge({ data, state, variables, event })) return { type: 'run too large' }
  const [found] = receiver === null ? [] : await findContacts(context.db, account, [receiver])
  if (receiver !== null && !found) return { type: 'recipient not found', receiver }
  const contact = found ?? null
  const maxNodes = Math.min(ready.settings.maxNodes, asked.maxNodes)
  const definition = { ...ready, settings: { ...ready.settings, maxNodes } }
  const starting = { definition, contact: contact?.id ?? null, event, data, state, variables }
  const [own] = await resolveEntryKeys(context, context.db, [starting])
  const { key: entryKey, zone } = own!
  const reason = await refusedBy(context, ready, { definition, depth: 0, entryKey, zone }, asked.clock)
  if (reason) return { type: 're-entry refused', reason }
  const [read] = await context.contacts(context.db, [{ account, contact: contact?.id ?? null }])
  const simulated = await simulateRun(context, {
    ...{ definition, contact: read ?? null, events: listedOf(asked, contact), responses: asked.responses },
    run: runOf(definition, asked, { node, contact: contact?.id ?? null, zone, entryKey }),
  })
  return { type: 'simulated', simulated, contact: contact && toFootprint(contact) }
}
