import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { createNamedUuid } from '../../../lib/ids.ts'
import { storeVersionCounts, type WorkflowVersionCount } from '../counts/counts.ts'
import type { WorkflowEngineContext } from '../engine/context.ts'
import type { ReadyDefinition, ReadyListener } from '../engine/ready-definition.ts'
import type { ListenedEvent } from '../stepping/records.ts'
import { type ListenerMatch, moveOpenRuns } from '../waits/listener-moves.ts'
import { isFilterMatch } from '../waits/search-events.ts'
import { createStartScope, resolveEntryKeys } from './start-scope.ts'
import { type RunStart, startRuns } from './starts.ts'

/** Active workflows of accounts; their rows are locked, so that none is deactivated before the transaction ends. */
async function activeWorkflows(
  tx: Db,
  accounts: readonly number[],
): Promise<{ account: number; workflow: number; version: number }[]> {
  const { rows } = await sql<{ account: number; workflow: number; version: number }>`
    select account, id as workflow, version from workflows
    where account = any(${accounts}::integer[]) and state = 1 and deleted_at is null order by account, id for share`.execute(
    tx,
  )
  return rows
}

async function heardBy(
  context: WorkflowEngineContext,
  tx: Db,
  events: readonly ListenedEvent[],
  definitions: readonly ReadyDefinition[],
): Promise<{ heard: ListenerMatch[]; failures: WorkflowVersionCount[] }> {
  const byType = new Map<string, { definition: ReadyDefinition; listener: ReadyListener }[]>()
  for (const definition of definitions) {
    for (const listener of definition.listeners) {
      const key = `${definition.account} ${listener.filter.type}`
      byType.set(key, [...(byType.get(key) ?? []), { definition, listener }])
    }
  }
  const scopeOf = await createStartScope(context, tx, events, byType)
  const heard: ListenerMatch[] = []
  const failures: WorkflowVersionCount[] = []
  for (const event of events) {
    for (const { definition, listener } of event.types.flatMap(
      (type) => byType.get(`${event.row.account} ${type}`) ?? [],
    )) {
      const failed = () => failures.push(countOf(definition, listener, 'filterFailed', 1))
      const isHeard = isFilterMatch(listener.filter, event.record, () => scopeOf(event, definition), failed)
      // Most filters are known at once: waiting for each would cost more than they do.
      if (typeof isHeard === 'boolean' ? isHeard : await isHeard) heard.push({ event, definition, listener })
    }
  }
  return { heard, failures }
}

/** Whether there are open runs of the contact or thread. */
async function haveOpen(tx: Db, heard: readonly ListenerMatch[]): Promise<boolean[]> {
  if (heard.length === 0) return []
  const { rows } = await sql<{ nth: number }>`
    select g.nth from unnest(
      ${heard.map((_, nth) => nth)}::integer[], ${heard.map(({ definition }) => definition.account)}::integer[],
      ${heard.map(({ definition }) => definition.workflow)}::integer[],
      ${heard.map(({ event, listener }) => (listener.correlation === 'contact' ? event.row.contact : null))}::bigint[],
      ${heard.map(({ event, listener }) => (listener.correlation === 'thread' ? event.thread : null))}::uuid[])
      as g (nth, account, workflow, contact, thread)
    where exists (
      select from workflow_runs r where r.account = g.account and r.workflow = g.workflow and r.ended_at is null
        and (r.contact = g.contact or r.thread = g.thread))`.execute(tx)
  const open = new Set(rows.map(({ nth }) => nth))
  return heard.map((_, nth) => open.has(nth))
}

/** The start that an event asks for: one run of it, whatever is repeated. */
async function startOf(
  context: WorkflowEngineContext,
  tx: Db,
  heard: readonly ListenerMatch[],
  now: number,
): Promise<RunStart[]> {
  const keys = await resolveEntryKeys(
    context,
    tx,
    heard.map(({ event, definition }) => ({ definition, contact: event.row.contact, event: event.record })),
  )
  return heard.map(({ event, definition, listener }, index): RunStart => {
    const { account, workflow } = definition
    const stamp = createNamedUuid('listener', account, workflow, listener.id, event.row.event)
    return {
      definition,
      contact: event.row.contact,
      entryKey: keys[index]!.key,
      zone: keys[index]!.zone,
      node: listener.handler,
      type: 'listener',
      source: listener.id,
      event: event.record,
      data: {},
      state: {},
      variables: {},
      depth: event.row.depth,
      id: null,
      stamp: { id: stamp, thread: event.thread ?? stamp, set: stamp, time: now },
      after: { id: event.row.event, timestamp: event.record.timestamp },
    }
  })
}

/**
 * Parts what was heard into rounds that are decided one after the other: what one listener does with a contact or thread is seen
 * by the next, in the order of the events and of the listeners. Workflows that only start need no more than one.
 */
function roundsOf(heard: readonly ListenerMatch[]): ListenerMatch[][] {
  const workflowOf = ({ definition: { account, workflow } }: ListenerMatch) => `${account} ${workflow}`
  const looking = new Set(heard.filter(({ listener }) => listener.onOpen !== 'start').map(workflowOf))
  const next = new Map<string, number>()
  const rounds: ListenerMatch[][] = []
  for (const one of heard) {
    const workflow = workflowOf(one)
    const { row, thread } = one.event
    const keys = looking.has(workflow) ? [`${workflow} contact ${row.contact}`, `${workflow} thread ${thread}`] : []
    const round = Math.max(0, ...keys.map((key) => next.get(key) ?? 0))
    for (const key of keys) next.set(key, round + 1)
    rounds[round] = [...(rounds[round] ?? []), one]
  }
  return rounds
}

/** Starts, moves or passes over, as listeners ask for; no two of what was heard concern the same runs. */
async function decide(
  context: WorkflowEngineContext,
  tx: Db,
  heard: readonly ListenerMatch[],
  now: number,
): Promise<void> {
  const counts: WorkflowVersionCount[] = heard.map(({ definition, listener }) =>
    countOf(definition, listener, 'matched', 1),
  )
  const moving = heard.filter(({ listener }) => listener.onOpen === 'move' || listener.onOpen === 'moveOrStart')
  const moved = await moveOpenRuns(context, tx, moving, now)
  const skipping = heard.filter(({ listener }) => listener.onOpen === 'skip')
  const open = await haveOpen(tx, skipping)
  for (const [nth, { definition, listener }] of moving.entries()) {
    const { moved: n, lacking } = moved[nth]!
    if (n > 0) counts.push(countOf(definition, listener, 'moved', n))
    if (lacking > 0) counts.push(countOf(definition, listener, 'refused', lacking))
  }
  const starting = heard.filter((one) => {
    const { onOpen } = one.listener
    if (onOpen === 'start') return true
    if (onOpen === 'skip') return !open[skipping.indexOf(one)]
    const own = moved[moving.indexOf(one)]
    return onOpen === 'moveOrStart' && own!.moved + own!.lacking === 0
  })
  await storeVersionCounts(tx, counts, now)
  await startRuns(tx, await startOf(context, tx, starting, now), now)
}

/** Does what listeners of active workflows ask for, one event of a contact after the other. */
export async function startListenerRuns(
  context: WorkflowEngineContext,
  tx: Db,
  events: readonly ListenedEvent[],
  now: number,
): Promise<void> {
  const accounts = [...new Set(events.map(({ row }) => row.account))]
  const active = await activeWorkflows(tx, accounts)
  if (active.length === 0) return
  const definitions = await context.definitions.load(tx, active)
  const ready = active.flatMap((one) => definitions(one) ?? [])
  const { heard, failures } = await heardBy(context, tx, events, ready)
  await storeVersionCounts(tx, failures, now)
  for (const round of roundsOf(heard)) await decide(context, tx, round, now)
}

function countOf(
  { account, workflow, version }: ReadyDefinition,
  { id }: ReadyListener,
  name: string,
  n: number,
): WorkflowVersionCount {
  return { account, workflow, version, subject: 'listener', id, name, n }
}
