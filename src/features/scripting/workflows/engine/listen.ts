import { sql } from 'kysely'
import { type Db, json } from '../../../../database/connect.ts'
import { namedUuid } from '../../../../lib/ids.ts'
import type { EngineContext } from './context.ts'
import { countAll, type VersionCount } from './counts.ts'
import type { ReadyDefinition, ReadyListener } from './definition.ts'
import { passes } from './look.ts'
import type { ListenedEvent } from './records.ts'
import { entryKeyOf, startScope } from './start-scope.ts'
import { type Start, startRuns } from './starts.ts'

/** An event that a listener of a workflow is for. */
interface Heard {
  event: ListenedEvent
  definition: ReadyDefinition
  listener: ReadyListener
}

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
  context: EngineContext,
  tx: Db,
  events: readonly ListenedEvent[],
  definitions: readonly ReadyDefinition[],
): Promise<Heard[]> {
  const byType = new Map<string, { definition: ReadyDefinition; listener: ReadyListener }[]>()
  for (const definition of definitions) {
    for (const listener of definition.listeners) {
      const key = `${definition.account} ${listener.filter.type}`
      byType.set(key, [...(byType.get(key) ?? []), { definition, listener }])
    }
  }
  const scopeOf = await startScope(context, tx, events, byType)
  const heard: Heard[] = []
  for (const event of events) {
    for (const { definition, listener } of event.types.flatMap(
      (type) => byType.get(`${event.row.account} ${type}`) ?? [],
    )) {
      if (await passes(listener.filter, event.record, () => scopeOf(event, definition)))
        heard.push({ event, definition, listener })
    }
  }
  return heard
}

/** Moves open runs of the contact, or of the thread, to the handler; gives for each what was moved. */
async function moveOpen(tx: Db, heard: readonly Heard[], now: number): Promise<number[]> {
  if (heard.length === 0) return []
  const { rows } = await sql<{ nth: number; moved: number }>`
    with given as (
      select * from jsonb_to_recordset(${json(
        heard.map(({ event, definition, listener }, nth) => ({
          ...{ nth, account: definition.account, workflow: definition.workflow, handler: listener.handler },
          contact: listener.correlation === 'contact' ? event.row.contact : null,
          thread: listener.correlation === 'thread' ? event.thread : null,
          event: event.record,
        })),
      )}::jsonb) as g (nth integer, account integer, workflow integer, handler text, contact bigint, thread uuid, event jsonb)
    ), open as materialized (
      select r.account, r.id, g.nth, g.handler, g.event from given g
      join workflow_runs r on r.account = g.account and r.workflow = g.workflow and r.ended_at is null
        and (r.contact = g.contact or r.thread = g.thread)
      order by r.id for update of r
    ), told as (
      update workflow_runs r set moves = r.moves + 1,
        interrupt = jsonb_build_object('type', 'move', 'handler', o.handler, 'event', o.event)
      from open o where r.account = o.account and r.id = o.id
    ), due as (
      update workflow_timers t set due = ${new Date(now)} from open o
      where t.account = o.account and t.run = o.id and t.claimed_by is null and t.due is not null
    )
    select nth, count(*) as moved from open group by nth`.execute(tx)
  const moved = new Map(rows.map((row) => [row.nth, row.moved]))
  return heard.map((_, nth) => moved.get(nth) ?? 0)
}

/** Whether there are open runs of the contact or thread. */
async function haveOpen(tx: Db, heard: readonly Heard[]): Promise<boolean[]> {
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
async function startOf(context: EngineContext, tx: Db, heard: readonly Heard[], now: number): Promise<Start[]> {
  const keys = await entryKeyOf(
    context,
    tx,
    heard.map(({ event, definition }) => ({ definition, contact: event.row.contact, event: event.record })),
  )
  return heard.map(({ event, definition, listener }, index): Start => {
    const { account, workflow } = definition
    const stamp = namedUuid('listener', account, workflow, listener.id, event.row.event)
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

/** Starts, moves or passes over, as listeners of active workflows ask for events, one event after the other. */
export async function startListeners(
  context: EngineContext,
  tx: Db,
  events: readonly ListenedEvent[],
  now: number,
): Promise<void> {
  const accounts = [...new Set(events.map(({ row }) => row.account))]
  const active = await activeWorkflows(tx, accounts)
  if (active.length === 0) return
  const definitions = await context.definitions.load(tx, active)
  const ready = active.flatMap((one) => definitions(one) ?? [])
  const heard = await heardBy(context, tx, events, ready)
  const counts: VersionCount[] = heard.map(({ definition, listener }) => countOf(definition, listener, 'matched', 1))
  const moving = heard.filter(({ listener }) => listener.onOpen === 'move' || listener.onOpen === 'moveOrStart')
  const moved = await moveOpen(tx, moving, now)
  const skipping = heard.filter(({ listener }) => listener.onOpen === 'skip')
  const open = await haveOpen(tx, skipping)
  for (const [nth, { definition, listener }] of moving.entries()) {
    if (moved[nth]! > 0) counts.push(countOf(definition, listener, 'moved', moved[nth]!))
  }
  const starting = heard.filter((one) => {
    const { onOpen } = one.listener
    if (onOpen === 'start') return true
    if (onOpen === 'skip') return !open[skipping.indexOf(one)]
    return onOpen === 'moveOrStart' && moved[moving.indexOf(one)] === 0
  })
  await countAll(tx, counts, now)
  await startRuns(tx, await startOf(context, tx, starting, now), now)
}

function countOf(
  { account, workflow, version }: ReadyDefinition,
  { id }: ReadyListener,
  name: string,
  n: number,
): VersionCount {
  return { account, workflow, version, subject: 'listener', id, name, n }
}
