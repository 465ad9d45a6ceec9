import { sql } from 'kysely'
import { type Db, json } from '../../../../database/connect.ts'
import type { AccountId } from '../../../../lib/account.ts'
import type { ReadyFilter } from './definition.ts'
import type { Draft } from './draft.ts'
import { sourceOf } from './event-sources.ts'
import type { Performers, Request, StepTransaction } from './performers.ts'
import { recordsOf } from './records.ts'
import type { EventRecord } from './step.ts'
import { scopeOf } from './visits.ts'
import type { Looked, Wanted } from './walk.ts'

/** A wait of which nothing has happened yet. */
interface OpenWait {
  account: AccountId
  run: string
  id: string
  node: string
  version: number
  type: string
}

/** A stored event that a wait may be for. */
interface Candidate {
  run: string
  wait: string
  event: string
  at: Date
}

/** Candidates of a wait that are looked at together. */
const PAGE = 50

async function openWaits(tx: Db, drafts: readonly Draft[]): Promise<OpenWait[]> {
  const { rows } = await sql<OpenWait>`
    select w.account, w.run, w.id, w.node, w.version, w.type
    from unnest(${drafts.map(({ run }) => run.account)}::integer[], ${drafts.map(({ run }) => run.id)}::uuid[]) as k (account, run)
    join workflow_waits w using (account, run)
    where not w.is_goal and w.event is null order by w.run, w.id`.execute(tx)
  return rows
}

/** What is looked for: a wait, its sources, and where the last page ended. */
interface Search extends Pick<OpenWait, 'account' | 'run' | 'id' | 'type'> {
  until: number | null
  after: Candidate | null
  sends: readonly string[]
}

/** The next stored events that waits may be for, in order. Each search has those of its own type and correlation. */
async function nextCandidates(tx: Db, searches: readonly Search[]): Promise<Candidate[]> {
  const given = searches.map(({ account, run, id, type, until, after, sends }) => {
    const source = sourceOf(type)
    return {
      ...{ account, run, id, sends },
      until_at: until === null ? null : new Date(until),
      after_at: after?.at ?? null,
      after_id: after?.event ?? null,
      channels: source.from === 'events' ? source.channels : [],
      kinds: source.from === 'events' ? source.kinds : [],
      is_notice: source.from === 'notices',
    }
  })
  // Each branch has an index of its own; the conditions behind them are the same.
  const follows = sql`(g.after_at is null or (e.at, e.id) > (g.after_at, g.after_id)) and (g.until_at is null or e.at < g.until_at)`
  const wanted = sql`e.account = w.account and e.at >= w.since_at - interval '20 seconds' and ${follows}
    and e.channel = any(g.channels) and e.kind = any(g.kinds) and not e.is_test and e.classification is null
    and not exists (select from unsettled_hits u where u.event = e.id)
    and workflow_is_behind(e.at, e.id, e.xmin, w.since_at, w.since_event, w.since_snapshot)`
  const { rows } = await sql<Candidate>`
    with given as (
      select * from jsonb_to_recordset(${json(given)}::jsonb) as g (
        account integer, run uuid, id text, sends uuid[], until_at timestamptz, after_at timestamptz, after_id uuid,
        channels text[], kinds text[], is_notice boolean))
    select g.run, g.id as wait, found.id as event, found.at
    from given g join workflow_waits w on w.account = g.account and w.run = g.run and w.id = g.id and not w.is_goal
    cross join lateral (
      select * from (
        (select e.id, e.at from events e where not g.is_notice and w.correlation = 'contact' and e.contact = w.contact and ${wanted}
         order by e.at, e.id limit ${PAGE})
        union
        (select e.id, e.at from events e where not g.is_notice and w.correlation in ('thread', 'send')
           and e.stamp = any(case w.correlation when 'send' then array[w.key] else g.sends || w.key end) and ${wanted}
         order by e.at, e.id limit ${PAGE})
        union
        (select e.id, e.at from events e join workflow_runs r on r.account = w.account and r.id = w.run
         where not g.is_notice and w.correlation = 'thread' and e.contact = r.contact and e.thread = w.key and ${wanted}
         order by e.at, e.id limit ${PAGE})
        union
        (select e.id, e.at from events e where not g.is_notice and w.correlation = 'none' and ${wanted}
         order by e.at, e.id limit ${PAGE})
        union
        (select n.id, uuid_extract_timestamp(n.id) from notices n
         where g.is_notice and n.account = w.account and n.type = w.type
           and (w.correlation = 'none' or w.correlation = 'contact' and n.contact = w.contact
             or w.correlation in ('thread', 'send') and (n.stamp ->> case w.correlation when 'send' then 'id' else 'thread' end)::uuid = w.key)
           and (g.after_at is null or n.id > g.after_id)
           and (g.until_at is null or uuid_extract_timestamp(n.id) < g.until_at)
           and uuid_extract_timestamp(n.id) >= w.since_at - interval '20 seconds'
           and workflow_is_behind(uuid_extract_timestamp(n.id), n.id, n.xmin, w.since_at, w.since_event, w.since_snapshot)
         order by n.id limit ${PAGE})
      ) every_one order by at, id limit ${PAGE}) found
    order by found.at, found.id`.execute(tx)
  return rows
}

/** Whether a hit that is not settled yet may be what a run waits for. */
async function unsettledFor(
  tx: Db,
  drafts: readonly Draft[],
  untils: readonly (number | null)[],
): Promise<Set<string>> {
  if (drafts.length === 0) return new Set()
  const { rows } = await sql<{ run: string }>`
    select distinct w.run from unnest(
      ${drafts.map(({ run }) => run.account)}::integer[], ${drafts.map(({ run }) => run.id)}::uuid[],
      ${untils.map((until) => (until === null ? null : new Date(until)))}::timestamptz[]) as k (account, run, until_at)
    join workflow_waits w on w.account = k.account and w.run = k.run and not w.is_goal and w.event is null and w.type like '%.hit'
    join unsettled_hits u on u.at < k.until_at
    join events e on e.id = u.event and e.at = u.at and e.account = w.account
      and (w.correlation = 'none' or e.contact = w.contact or e.stamp = w.key or e.thread = w.key)`.execute(tx)
  return new Set(rows.map(({ run }) => run))
}

/** Writes down what has happened of waits whose runs go on waiting. */
export async function writeHappened(
  tx: Db,
  matches: readonly { account: AccountId; run: string; wait: string; isGoal: boolean; event: EventRecord }[],
): Promise<void> {
  if (matches.length === 0) return
  await sql`
    update workflow_waits w set event = g.event
    from unnest(
      ${matches.map(({ account }) => account)}::integer[], ${matches.map(({ run }) => run)}::uuid[], ${matches.map(({ wait }) => wait)}::text[],
      ${matches.map(({ isGoal }) => isGoal)}::boolean[], ${matches.map(({ event }) => json(event))}::jsonb[]) as g (account, run, id, is_goal, event)
    where w.account = g.account and w.run = g.run and w.id = g.id and w.is_goal = g.is_goal`.execute(tx)
}

/** Whether an event is what a filter asks for; one that fails is not. */
export async function passes(
  filter: ReadyFilter,
  event: EventRecord,
  scope: () => Readonly<Record<string, unknown>>,
): Promise<boolean> {
  try {
    return await filter.passes(event, scope)
  } catch {
    return false
  }
}

/** Looks for stored events that end the waits of runs, which are locked; an event that comes afterwards is matched as it comes. */
export function createLook(performers: Pick<Performers, 'contact'>): Performers['look'] {
  return async (step, requests) => {
    const { tx, around } = step
    const drafts = requests.map(({ draft }) => draft)
    const byRun = new Map(requests.map((request) => [request.draft.run.id, request]))
    const open = await openWaits(tx, drafts)
    await loadContacts(step, performers, drafts)
    const found = new Map(drafts.map(({ run }) => [run.id, new Map<string, EventRecord>()]))
    let searches: Search[] = open.map((wait) => ({ ...wait, after: null, ...searchOf(byRun.get(wait.run)!) }))
    while (searches.length > 0) {
      const candidates = await nextCandidates(tx, searches)
      const records = await recordsOf(tx, [...new Set(candidates.map(({ event }) => event))])
      for (const { run, wait, event } of candidates) {
        const { draft } = byRun.get(run)!
        const own = found.get(run)!
        const record = records.get(event)?.record
        const filter = draft.definition.filterOf(draft.run.node, wait)
        if (!record || !filter || own.has(wait) || own.size + draft.happened.size >= draft.run.needed) continue
        if (await passes(filter, record, () => ({ ...scopeOf(draft, around), event: record }))) own.set(wait, record)
      }
      const pages = Map.groupBy(candidates, ({ run, wait }) => `${run} ${wait}`)
      searches = searches.flatMap((search) => {
        const page = pages.get(`${search.run} ${search.id}`) ?? []
        const { draft } = byRun.get(search.run)!
        const own = found.get(search.run)!
        const isDone = page.length < PAGE || own.has(search.id) || own.size + draft.happened.size >= draft.run.needed
        return isDone ? [] : [{ ...search, after: page.at(-1)! }]
      })
    }
    return answersOf(step, requests, found)
  }
}

function searchOf({ draft, asked }: Request<Extract<Wanted, { kind: 'look' }>>): Pick<Search, 'until' | 'sends'> {
  const stamps = Object.entries(draft.run.sends ?? {}).flatMap(([node, stamp]) =>
    node.startsWith('at ') ? [] : [stamp],
  )
  return { until: asked.until, sends: [...new Set(stamps)] }
}

async function loadContacts(
  { tx }: StepTransaction,
  { contact }: Pick<Performers, 'contact'>,
  drafts: readonly Draft[],
): Promise<void> {
  const without = drafts.filter((draft) => draft.contact === undefined)
  const values = await contact(tx, without)
  for (const [index, draft] of without.entries()) draft.contact = values[index] ?? null
}

async function answersOf(
  { tx }: StepTransaction,
  requests: readonly Request<Extract<Wanted, { kind: 'look' }>>[],
  found: ReadonlyMap<string, ReadonlyMap<string, EventRecord>>,
): Promise<Looked[]> {
  const isOver = ({ draft }: (typeof requests)[number]) =>
    found.get(draft.run.id)!.size + draft.happened.size >= draft.run.needed
  const waiting = requests.filter((request) => !isOver(request))
  const due = waiting.filter(({ asked }) => asked.until !== null)
  const unsettled = await unsettledFor(
    tx,
    due.map(({ draft }) => draft),
    due.map(({ asked }) => asked.until),
  )
  await writeHappened(
    tx,
    waiting.flatMap(({ draft: { run } }) =>
      [...found.get(run.id)!].map(([wait, event]) => ({
        account: run.account,
        run: run.id,
        wait,
        isGoal: false,
        event,
      })),
    ),
  )
  return requests.map(({ draft }) => ({ happened: found.get(draft.run.id)!, isOpen: unsettled.has(draft.run.id) }))
}
