import { sql } from 'kysely'
import { badRequest } from '../../../lib/errors/problem.ts'
import { namedUuid } from '../../../lib/ids.ts'
import { endOf } from '../../../lib/time/spans.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { findContacts, footprintOf } from '../../contacts/records/find.ts'
import type { Footprint, Identification } from '../../contacts/records/identification-schemas.ts'
import { refuseFlawed } from '../definition/check.ts'
import type { Definition } from '../definition/definition.ts'
import type { EngineContext } from '../engine/context.ts'
import type { ReadyDefinition } from '../engine/ready-definition.ts'
import { entryKeyOf } from '../starts/start-scope.ts'
import { type Refusal, refusalOf } from '../starts/starts.ts'
import type { Run } from '../stepping/run.ts'
import { isTooLarge } from '../stepping/sizes.ts'
import type { EventRecord } from '../stepping/step.ts'
import { loadWorkflow, type WorkflowKey } from '../stored.ts'
import type { Responses } from './asks.ts'
import { type Simulated, simulateRun } from './simulate.ts'

type Values = Record<string, unknown>

/** A run that is to be tried, as it was asked for. */
export interface AskedSimulation {
  receiver: Identification | null
  node: string | null
  event: Values | null
  data: Values
  state: Values
  variables: Values
  /** Milliseconds. */
  clock: number
  events: readonly (Values & { at: number; type: string })[]
  responses: Responses
  maxNodes: number
  /** Where faults of members point to. */
  pointer: string
}

/** How it went, or why it did not begin. */
export type Tried =
  | { type: 'simulated'; simulated: Simulated; contact: Footprint | null }
  | { type: 'recipient not found'; receiver: Identification }
  | { type: 're-entry refused'; reason: Refusal }
  | { type: 'run too large' }

/** The definition to try: the one given, or that of the workflow. Throws notFound, conflict `workflow-flawed`. */
export async function triedDefinition(
  { db, definitions, sandbox }: EngineContext,
  key: WorkflowKey,
  given?: Definition,
): Promise<ReadyDefinition> {
  const { account, id: workflow } = key
  const stored = await loadWorkflow(db, key)
  const definition = given ?? stored.definition
  await refuseFlawed({ db, sandbox }, account, definition)
  return definitions.compile(db, { account, workflow, version: stored.version }, definition)
}

/** A run as a start would have stored it; its ids follow from what was asked for. */
function runOf(
  { account, workflow, version, settings }: ReadyDefinition,
  asked: AskedSimulation,
  { node, contact, zone, entryKey }: { node: string; contact: number | null; zone: string; entryKey: string | null },
): Run {
  const { clock: _, pointer: __, ...input } = asked
  const id = namedUuid('simulation', account, workflow, JSON.stringify(input))
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
    expiresAt: new Date(endOf(settings.maxDuration, asked.clock, zone)),
    ...{ moves: 0, interrupt: null, goal: null, createdAt: start, updatedAt: start, endedAt: null },
  }
}

/** The listed events as filters see them; they are the contact's. */
function listedOf({ events, pointer }: AskedSimulation, contact: FoundContact | null): EventRecord[] {
  const who = contact === null ? null : footprintOf(contact).id
  return events.map(({ at, ...members }, nth) => ({
    ...{ contact: who, ...members },
    id: namedUuid('simulated event', pointer, nth, at),
    timestamp: at,
  }))
}

async function refusedBy(
  { db }: EngineContext,
  { account, workflow }: ReadyDefinition,
  start: Parameters<typeof refusalOf>[0],
  now: number,
): Promise<Refusal | undefined> {
  const { rows } = await sql<{ open: number; last: Date | null }>`
    select open, last_start as last from workflow_entries
    where account = ${account} and workflow = ${workflow} and key = ${start.entryKey}`.execute(db)
  const [row] = rows
  const entry = { open: row?.open ?? 0, lastStart: row?.last?.getTime() ?? null }
  return refusalOf(start, start.entryKey === null ? undefined : entry, now)
}

/** Throws 400 for a node that there is not, and when there is nowhere to start. */
function entryOf({ entry, nodes }: ReadyDefinition, { node, pointer }: AskedSimulation): string {
  if (node !== null && !nodes.has(node))
    throw badRequest(`${pointer}/node`, `must be the id of a node: there is no ${node}`)
  const start = node ?? entry
  if (start === null) throw badRequest(`${pointer}/node`, 'is required: no node of the workflow is its default')
  return start
}

/** Tries a run: nothing is written, sent or fetched. Throws 400 for a node that there is not. */
export async function tryRun(given: EngineContext, ready: ReadyDefinition, asked: AskedSimulation): Promise<Tried> {
  const { account } = ready
  const context = { ...given, clock: { now: () => asked.clock } }
  const node = entryOf(ready, asked)
  const { receiver, event, data, state, variables } = asked
  if (isTooLarge({ data, state, variables, event })) return { type: 'run too large' }
  const [found] = receiver === null ? [] : await findContacts(context.db, account, [receiver])
  if (receiver !== null && !found) return { type: 'recipient not found', receiver }
  const contact = found ?? null
  const maxNodes = Math.min(ready.settings.maxNodes, asked.maxNodes)
  const definition = { ...ready, settings: { ...ready.settings, maxNodes } }
  const starting = { definition, contact: contact?.id ?? null, event, data, state, variables }
  const [own] = await entryKeyOf(context, context.db, [starting])
  const { key: entryKey, zone } = own!
  const reason = await refusedBy(context, ready, { definition, depth: 0, entryKey, zone }, asked.clock)
  if (reason) return { type: 're-entry refused', reason }
  const [read] = await context.contacts(context.db, [{ account, contact: contact?.id ?? null }])
  const simulated = await simulateRun(context, {
    ...{ definition, contact: read ?? null, events: listedOf(asked, contact), responses: asked.responses },
    run: runOf(definition, asked, { node, contact: contact?.id ?? null, zone, entryKey }),
  })
  return { type: 'simulated', simulated, contact: contact && footprintOf(contact) }
}
