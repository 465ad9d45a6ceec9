import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { createNamedUuid } from '../../../lib/ids.ts'
import { storeVersionCounts, type WorkflowVersionCount } from '../counts/version-counts.ts'
import type { WorkflowEngineContext } from '../engine/engine-context.ts'
import type { ReadyDefinition, ReadyListener } from '../engine/ready-definition.ts'
import { type RunStart, startRuns } from '../starts/start-runs.ts'
import { createStartScope, resolveEntryKeys } from '../starts/start-scope.ts'
import { type ListenerMatch, moveOpenRuns } from '../waits/listener-moves.ts'
import { isFilterMatch } from '../waits/search-events.ts'
import type { ListenedEvent } from './event-records.ts'

/** Active workflows of accounts; their rows are locked, so that none is deactivated before the transaction ends. */
async function lockActiveWorkflows(
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

async function matchListeners(
  context: WorkflowEngineContext,
  tx: Db,
  events: readonly ListenedEvent[],
  definitions: readonly ReadyDefinition[],
): Promise<{ heard: ListenerMatch[]; failures: WorkflowVersionCount[] }> {
  const listenersByType = new Map<string, { definition: ReadyDefinition; listener: ReadyListener }[]>()
  for (const definition of definitions) {
    for (const listener of definition.listeners) {
      const key = `${definition.account} ${listener.filter.type}`
      listenersByType.set(key, [...(listenersByType.get(key) ?? []), { definition, listener }])
    }
  }
  const buildEventScope = await createStartScope(context, tx, events, listenersByType)
  const listenerMatches: ListenerMatch[] = []
  const failures: WorkflowVersionCount[] = []
  for (const event of events) {
    for (const { definition, listener } of event.types.flatMap(
      (type) => listenersByType.get(`${event.row.account} ${type}`) ?? [],
    )) {
      const countFilterFailure = () => failures.push(buildListenerCount(definition, listener, 'filterFailed', 1))
      const isMatch = isFilterMatch(
        listener.filter,
        event.record,
        () => buildEventScope(event, definition),
        countFilterFailure,
      )
      // Most filters are known at once: waiting for each would cost more than they do.
      if (typeof isMatch === 'boolean' ? isMatch : await isMatch) listenerMatches.push({ event, definition, listener })
    }
  }
  return { heard: listenerMatches, failures }
}

/** Finds whether the contact or thread of each match has open runs. */
async function findOpenRunFlags(tx: Db, listenerMatches: readonly ListenerMatch[]): Promise<boolean[]> {
  if (listenerMatches.length === 0) return []
  const { rows } = await sql<{ nth: number }>`
    select g.nth from unnest(
      ${listenerMatches.map((_, matchIndex) => matchIndex)}::integer[], ${listenerMatches.map(({ definition }) => definition.account)}::integer[],
      ${listenerMatches.map(({ definition }) => definition.workflow)}::integer[],
      ${listenerMatches.map(({ event, listener }) => (listener.correlation === 'contact' ? event.row.contact : null))}::bigint[],
      ${listenerMatches.map(({ event, listener }) => (listener.correlation === 'thread' ? event.thread : null))}::uuid[])
      as g (nth, account, workflow, contact, thread)
    where exists (
      select from workflow_runs r where r.account = g.account and r.workflow = g.workflow and r.ended_at is null
        and (r.contact = g.contact or r.thread = g.thread))`.execute(tx)
  const openPositions = new Set(rows.map(({ nth: matchIndex }) => matchIndex))
  return listenerMatches.map((_, matchIndex) => openPositions.has(matchIndex))
}

/** The start that an event asks for: one run of it, whatever is repeated. */
async function buildListenerStarts(
  context: WorkflowEngineContext,
  tx: Db,
  listenerMatches: readonly ListenerMatch[],
  now: number,
): Promise<RunStart[]> {
  const entryKeys = await resolveEntryKeys(
    context,
    tx,
    listenerMatches.map(({ event, definition }) => ({ definition, contact: event.row.contact, event: event.record })),
  )
  return listenerMatches.map(({ event, definition, listener }, index): RunStart => {
    const { account, workflow } = definition
    const stamp = createNamedUuid('listener', account, workflow, listener.id, event.row.event)
    return {
      definition,
      contact: event.row.contact,
      entryKey: entryKeys[index]!.key,
      zone: entryKeys[index]!.zone,
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
function splitIntoRounds(listenerMatches: readonly ListenerMatch[]): ListenerMatch[][] {
  const workflowOf = ({ definition: { account, workflow } }: ListenerMatch) => `${account} ${workflow}`
  const dependentWorkflows = new Set(
    listenerMatches.filter(({ listener }) => listener.onOpen !== 'start').map(workflowOf),
  )
  const nextRounds = new Map<string, number>()
  const rounds: ListenerMatch[][] = []
  for (const roundMatch of listenerMatches) {
    const workflow = workflowOf(roundMatch)
    const { row, thread } = roundMatch.event
    const keys = dependentWorkflows.has(workflow)
      ? [`${workflow} contact ${row.contact}`, `${workflow} thread ${thread}`]
      : []
    const round = Math.max(0, ...keys.map((key) => nextRounds.get(key) ?? 0))
    for (const key of keys) nextRounds.set(key, round + 1)
    rounds[round] = [...(rounds[round] ?? []), roundMatch]
  }
  return rounds
}

/** Starts, moves or passes over, as listeners ask for; no two of what was heard concern the same runs. */
async function applyListenerRound(
  context: WorkflowEngineContext,
  tx: Db,
  listenerMatches: readonly ListenerMatch[],
  now: number,
): Promise<void> {
  const counts: WorkflowVersionCount[] = listenerMatches.map(({ definition, listener }) =>
    buildListenerCount(definition, listener, 'matched', 1),
  )
  const movingMatches = listenerMatches.filter(
    ({ listener }) => listener.onOpen === 'move' || listener.onOpen === 'moveOrStart',
  )
  const movedCounts = await moveOpenRuns(context, tx, movingMatches, now)
  const skippingMatches = listenerMatches.filter(({ listener }) => listener.onOpen === 'skip')
  const openFlags = await findOpenRunFlags(tx, skippingMatches)
  for (const [matchIndex, { definition, listener }] of movingMatches.entries()) {
    const { moved: movedCount, lacking } = movedCounts[matchIndex]!
    if (movedCount > 0) counts.push(buildListenerCount(definition, listener, 'moved', movedCount))
    if (lacking > 0) counts.push(buildListenerCount(definition, listener, 'refused', lacking))
  }
  const startingMatches = listenerMatches.filter((candidateMatch) => {
    const { onOpen } = candidateMatch.listener
    if (onOpen === 'start') return true
    if (onOpen === 'skip') return !openFlags[skippingMatches.indexOf(candidateMatch)]
    const candidateMoves = movedCounts[movingMatches.indexOf(candidateMatch)]
    return onOpen === 'moveOrStart' && candidateMoves!.moved + candidateMoves!.lacking === 0
  })
  await storeVersionCounts(tx, counts, now)
  await startRuns(tx, await buildListenerStarts(context, tx, startingMatches, now), now)
}

/** Does what listeners of active workflows ask for, one event of a contact after the other. */
export async function startListenerRuns(
  context: WorkflowEngineContext,
  tx: Db,
  events: readonly ListenedEvent[],
  now: number,
): Promise<void> {
  const accounts = [...new Set(events.map(({ row }) => row.account))]
  const activeVersions = await lockActiveWorkflows(tx, accounts)
  if (activeVersions.length === 0) return
  const definitions = await context.definitions.load(tx, activeVersions)
  const readyDefinitions = activeVersions.flatMap((activeVersion) => definitions(activeVersion) ?? [])
  const { heard: listenerMatches, failures } = await matchListeners(context, tx, events, readyDefinitions)
  await storeVersionCounts(tx, failures, now)
  for (const round of splitIntoRounds(listenerMatches)) await applyListenerRound(context, tx, round, now)
}

function buildListenerCount(
  { account, workflow, version }: ReadyDefinition,
  { id }: ReadyListener,
  name: string,
  n: number,
): WorkflowVersionCount {
  return { account, workflow, version, subject: 'listener', id, name, n }
}
