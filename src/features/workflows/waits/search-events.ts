import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { WORKFLOW_LISTENER_KIND } from '../definition/listening.ts'
import { findWaitPosition, type ReadyEventFilter } from '../engine/ready-definition.ts'
import {
  type EffectHandlers,
  loadRunContacts,
  type RunEffectRequest,
  type RunStepTransaction,
} from '../stepping/effect-handlers.ts'
import { readTypedRecords } from '../stepping/records.ts'
import { listRunSendStamps } from '../stepping/run.ts'
import { addRunCount, type WorkflowRunState } from '../stepping/run-state.ts'
import type { RunEventRecord } from '../stepping/step.ts'
import type { EventSearchResult, StepperRequest } from '../stepping/step-run.ts'
import { buildRunScope } from '../stepping/visits.ts'
import { findWaitCandidates } from './candidates.ts'
import { type OpenRunWait, WAIT_SEARCH_PAGE, type WaitCandidate, type WaitSearch } from './searches.ts'

async function openWaits(tx: Db, requests: readonly LookRequest[]): Promise<OpenRunWait[]> {
  const { rows } = await sql<OpenRunWait>`
    select w.account, w.run, w.id, w.node, w.version, w.type, w.is_goal as "isGoal"
    from unnest(${requests.map(({ draft }) => draft.run.account)}::integer[], ${requests.map(({ draft }) => draft.run.id)}::uuid[],
      ${requests.map(({ asked }) => asked.isGoals === true)}::boolean[]) as k (account, run, goals)
    join workflow_waits w using (account, run)
    where w.is_goal = k.goals and w.event is null order by w.run, w.id`.execute(tx)
  return rows
}

type LookRequest = RunEffectRequest<Extract<StepperRequest, { kind: 'look' }>>

/** Whether a hit that is not settled yet may be what a run waits for. */
async function unsettledFor(
  tx: Db,
  drafts: readonly WorkflowRunState[],
  untils: readonly (number | null)[],
): Promise<Set<string>> {
  if (drafts.length === 0) return new Set()
  const { rows } = await sql<{ run: string }>`
    select distinct w.run from unnest(
      ${drafts.map(({ run }) => run.account)}::integer[], ${drafts.map(({ run }) => run.id)}::uuid[],
      ${untils.map((until) => (until === null ? null : new Date(until)))}::timestamptz[]) as k (account, run, until_at)
    join workflow_waits w on w.account = k.account and w.run = k.run and not w.is_goal and w.event is null
      and (w.type like '%.hit' or w.type = 'rcs.interaction')
    join unsettled_hits u on u.at < k.until_at
    join events e on e.id = u.event and e.at = u.at and e.account = w.account and e.classification is null and not e.is_test
      and (w.correlation = 'none' or e.contact = w.contact or e.stamp = w.key or e.thread = w.key)`.execute(tx)
  return new Set(rows.map(({ run }) => run))
}

/** Writes down what has happened of waits whose runs go on waiting. */
export async function recordHappenedWaits(
  tx: Db,
  matches: readonly { account: AccountId; run: string; wait: string; isGoal: boolean; event: RunEventRecord }[],
): Promise<void> {
  if (matches.length === 0) return
  await sql`
    update workflow_waits w set event = g.event
    from unnest(
      ${matches.map(({ account }) => account)}::integer[], ${matches.map(({ run }) => run)}::uuid[], ${matches.map(({ wait }) => wait)}::text[],
      ${matches.map(({ isGoal }) => isGoal)}::boolean[], ${matches.map(({ event }) => toJsonbText(event))}::jsonb[]) as g (account, run, id, is_goal, event)
    where w.account = g.account and w.run = g.run and w.id = g.id and w.is_goal = g.is_goal`.execute(tx)
}

/** Whether an event is what a filter asks for; one that fails is not, and is told of. Throws when there is no place in the sandbox. */
export function isFilterMatch(
  filter: ReadyEventFilter,
  event: RunEventRecord,
  scope: () => Readonly<Record<string, unknown>>,
  failed: () => void = () => undefined,
): boolean | Promise<boolean> {
  const failure = (error: unknown): false => {
    if (error instanceof ScriptFailure && error.type === 'busy') throw error
    failed()
    return false
  }
  try {
    const isPassed = filter.passes(event, scope)
    return isPassed instanceof Promise ? isPassed.catch(failure) : isPassed
  } catch (error) {
    return failure(error)
  }
}

/** Whether a further event may still be what a run waits for: at one instant several are kept, and their order decides. */
export function isWaitSatisfied(
  needed: number,
  happened: readonly RunEventRecord[],
  { timestamp }: RunEventRecord,
): boolean {
  if (needed === 1) return happened.some((one) => one.timestamp !== timestamp)
  return happened.length >= needed
}

/** The order of candidates: by time, and of one event by the order of the waits in their node. */
function inOrder(candidates: readonly WaitCandidate[], byRun: ReadonlyMap<string, LookRequest>): WaitCandidate[] {
  const place = ({ run, wait }: WaitCandidate) => {
    const { draft } = byRun.get(run)!
    return findWaitPosition(draft.definition, draft.run.node, wait)
  }
  return candidates.toSorted(
    (one, other) =>
      one.at.getTime() - other.at.getTime() ||
      (one.event < other.event ? -1 : one.event > other.event ? 1 : place(one) - place(other)),
  )
}

/** Goes through the candidates of waits, page by page, until each has what it needs. */
async function search(
  { tx, around }: RunStepTransaction,
  open: readonly OpenRunWait[],
  byRun: ReadonlyMap<string, LookRequest>,
): Promise<Found> {
  const found: Found = new Map([...byRun.keys()].map((run) => [run, new Map<string, RunEventRecord>()]))
  const isDone = (run: string, wait: string): boolean => {
    const { draft } = byRun.get(run)!
    const own = found.get(run)!
    return own.has(wait) || own.size + draft.happened.size >= draft.run.needed
  }
  let searches: WaitSearch[] = open.map((wait) => ({ ...wait, after: null, ...searchOf(byRun.get(wait.run)!) }))
  while (searches.length > 0) {
    const candidates = await findWaitCandidates(tx, searches)
    const accounts = [...new Set(searches.map(({ account }) => account))]
    const records = await readTypedRecords(tx, [...new Set(candidates.map(({ event }) => event))], accounts)
    for (const { run, wait, event } of inOrder(candidates, byRun)) {
      const { draft, asked } = byRun.get(run)!
      const own = found.get(run)!
      const record = records.get(event)?.record
      const [node, id] = asked.isGoals ? [wait, ''] : [draft.run.node, wait]
      const filter = draft.definition.filterOf(node, id)
      const needed = asked.isGoals ? 1 : draft.run.needed
      if (
        !record ||
        !filter ||
        own.has(wait) ||
        isWaitSatisfied(needed, [...draft.happened.values(), ...own.values()], record)
      )
        continue
      const failed = () => addRunCount(draft, 'node', node, 'filterFailed')
      if (await isFilterMatch(filter, record, () => ({ ...buildRunScope(draft, around), event: record }), failed))
        own.set(wait, record)
    }
    const pages = Map.groupBy(candidates, ({ run, wait }) => `${run} ${wait}`)
    searches = searches.flatMap((one) => {
      const page = pages.get(`${one.run} ${one.id}`) ?? []
      return page.length < WAIT_SEARCH_PAGE || isDone(one.run, one.id) ? [] : [{ ...one, after: page.at(-1)! }]
    })
  }
  return found
}

type Found = Map<string, Map<string, RunEventRecord>>

/** Looks for stored events that end the waits of runs, which are locked; an event that comes afterwards is matched as it comes. */
export function createEventSearch(performers: Pick<EffectHandlers, 'contact'>): EffectHandlers['look'] {
  return async (step, requests) => {
    const drafts = requests.map(({ draft }) => draft)
    const byRun = new Map(requests.map((request) => [request.draft.run.id, request]))
    const open = await openWaits(step.tx, requests)
    await loadRunContacts(step.tx, performers, drafts)
    const found = await search(step, open, byRun)
    return answersOf(step, requests, found)
  }
}

/** Goals have been looked at: from now on what is published is matched as it comes. */
async function markGoals(tx: Db, drafts: readonly WorkflowRunState[]): Promise<void> {
  if (drafts.length === 0) return
  await sql`
    update workflow_waits w set is_looked_at = true
    from unnest(${drafts.map(({ run }) => run.account)}::integer[], ${drafts.map(({ run }) => run.id)}::uuid[]) as g (account, run)
    where w.account = g.account and w.run = g.run and w.is_goal`.execute(tx)
}

function searchOf({ draft, asked }: LookRequest): Pick<WaitSearch, 'until' | 'sends'> {
  return { until: asked.until, sends: listRunSendStamps(draft.run.sends) }
}

/** Whose workflows listen to something new that may still be published without their notice. */
async function notHeld(tx: Db, drafts: readonly WorkflowRunState[]): Promise<Set<string>> {
  const { rows } = await sql<{ account: AccountId; owner: string }>`
    select account, owner from listener_interests
    where kind = ${WORKFLOW_LISTENER_KIND} and since is null and account = any(${[...new Set(drafts.map(({ run }) => run.account))]}::integer[])`.execute(
    tx,
  )
  return new Set(rows.map(({ account, owner }) => `${account} ${owner}`))
}

async function answersOf(
  { tx }: RunStepTransaction,
  requests: readonly LookRequest[],
  found: Found,
): Promise<EventSearchResult[]> {
  const isOver = ({ draft }: LookRequest) => found.get(draft.run.id)!.size + draft.happened.size >= draft.run.needed
  const goals = requests.filter(({ asked }) => asked.isGoals)
  const waiting = requests.filter((request) => !request.asked.isGoals && !isOver(request))
  const due = waiting.filter(({ asked }) => asked.isDue)
  const unsettled = await unsettledFor(
    tx,
    due.map(({ draft }) => draft),
    due.map(({ asked }) => asked.until),
  )
  await recordHappenedWaits(
    tx,
    [...waiting, ...goals].flatMap(({ draft: { run }, asked }) =>
      [...found.get(run.id)!].map(([wait, event]) => ({
        ...{ account: run.account, run: run.id, wait, event },
        isGoal: asked.isGoals === true,
      })),
    ),
  )
  const early = await notHeld(
    tx,
    [...waiting, ...goals].map(({ draft }) => draft),
  )
  const isEarly = ({ run }: WorkflowRunState) => early.has(`${run.account} ${run.workflow}`)
  await markGoals(
    tx,
    goals.flatMap(({ draft }) => (isEarly(draft) ? [] : [draft])),
  )
  return requests.map(({ draft, asked }) => ({
    happened: asked.isGoals ? new Map() : found.get(draft.run.id)!,
    isOpen: unsettled.has(draft.run.id),
    isEarly: isEarly(draft),
  }))
}
