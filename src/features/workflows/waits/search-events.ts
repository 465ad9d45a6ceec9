import { sql } from 'kysely'
import { type Db, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { WORKFLOW_LISTENER_KIND } from '../definition/event-interests.ts'
import { readTypedRecords } from '../dispatch/event-records.ts'
import { findWaitPosition, type ReadyEventFilter } from '../engine/ready-definition.ts'
import type { RunEventRecord } from '../nodes/node-contract.ts'
import {
  type EffectHandlers,
  loadRunContacts,
  type RunEffectRequest,
  type RunStepTransaction,
} from '../run-stepper/effect-handlers.ts'
import { buildRunScope } from '../run-stepper/node-visit.ts'
import { listRunSendStamps } from '../run-stepper/run.ts'
import { addRunCount, type WorkflowRunState } from '../run-stepper/run-state.ts'
import type { EventSearchResult, StepperRequest } from '../run-stepper/stepper-requests.ts'
import { findWaitCandidates } from './wait-candidates.ts'
import { type OpenRunWait, WAIT_SEARCH_PAGE, type WaitCandidate, type WaitSearch } from './wait-search.ts'

async function findOpenWaits(tx: Db, requests: readonly EventSearchRequest[]): Promise<OpenRunWait[]> {
  const { rows } = await sql<OpenRunWait>`
    select w.account, w.run, w.id, w.node, w.version, w.type, w.is_goal as "isGoal"
    from unnest(${requests.map(({ draft }) => draft.run.account)}::integer[], ${requests.map(({ draft }) => draft.run.id)}::uuid[],
      ${requests.map(({ asked: searchRequest }) => searchRequest.isGoals === true)}::boolean[]) as k (account, run, goals)
    join workflow_waits w using (account, run)
    where w.is_goal = k.goals and w.event is null order by w.run, w.id`.execute(tx)
  return rows
}

type EventSearchRequest = RunEffectRequest<Extract<StepperRequest, { kind: 'searchEvents' }>>

/** Returns true if a run may be waiting for a hit that is not classified yet. */
async function hasUnsettledHits(
  tx: Db,
  runStates: readonly WorkflowRunState[],
  untils: readonly (number | null)[],
): Promise<Set<string>> {
  if (runStates.length === 0) return new Set()
  const { rows } = await sql<{ run: string }>`
    select distinct w.run from unnest(
      ${runStates.map(({ run }) => run.account)}::integer[], ${runStates.map(({ run }) => run.id)}::uuid[],
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

/**
 * Returns true if an event matches a filter. A filter that fails does not match, and the failure is reported. Throws if the sandbox has no
 * free capacity.
 */
export function isFilterMatch(
  filter: ReadyEventFilter,
  event: RunEventRecord,
  scope: () => Readonly<Record<string, unknown>>,
  countFilterFailure: () => void = () => undefined,
): boolean | Promise<boolean> {
  const handleFilterError = (error: unknown): false => {
    if (error instanceof ScriptFailure && error.type === 'busy') throw error
    countFilterFailure()
    return false
  }
  try {
    const isPassed = filter.passes(event, scope)
    return isPassed instanceof Promise ? isPassed.catch(handleFilterError) : isPassed
  } catch (error) {
    return handleFilterError(error)
  }
}

/**
 * Returns true if a further event may no longer match the waits of a run. At the same instant several events are retained, and their order
 * decides.
 */
export function isWaitSatisfied(
  needed: number,
  happened: readonly RunEventRecord[],
  { timestamp }: RunEventRecord,
): boolean {
  if (needed === 1) return happened.some((happenedEvent) => happenedEvent.timestamp !== timestamp)
  return happened.length >= needed
}

/** The order of candidates: by time, and of one event by the order of the waits in their node. */
function sortCandidates(
  candidates: readonly WaitCandidate[],
  requestByRun: ReadonlyMap<string, EventSearchRequest>,
): WaitCandidate[] {
  const computeWaitOrder = ({ run, wait }: WaitCandidate) => {
    const { draft } = requestByRun.get(run)!
    return findWaitPosition(draft.definition, draft.run.node, wait)
  }
  return candidates.toSorted(
    (leftCandidate, rightCandidate) =>
      leftCandidate.at.getTime() - rightCandidate.at.getTime() ||
      (leftCandidate.event < rightCandidate.event
        ? -1
        : leftCandidate.event > rightCandidate.event
          ? 1
          : computeWaitOrder(leftCandidate) - computeWaitOrder(rightCandidate)),
  )
}

/** Goes through the candidates of waits, page by page, until each has what it needs. */
async function searchCandidates(
  { tx, around }: RunStepTransaction,
  openRunWaits: readonly OpenRunWait[],
  requestByRun: ReadonlyMap<string, EventSearchRequest>,
): Promise<FoundEvents> {
  const foundEvents: FoundEvents = new Map(
    [...requestByRun.keys()].map((run) => [run, new Map<string, RunEventRecord>()]),
  )
  const isSearchDone = (run: string, wait: string): boolean => {
    const { draft } = requestByRun.get(run)!
    const runEvents = foundEvents.get(run)!
    return runEvents.has(wait) || runEvents.size + draft.happened.size >= draft.run.needed
  }
  let searches: WaitSearch[] = openRunWaits.map((wait) => ({
    ...wait,
    after: null,
    ...buildSearchBounds(requestByRun.get(wait.run)!),
  }))
  while (searches.length > 0) {
    const candidates = await findWaitCandidates(tx, searches)
    const accounts = [...new Set(searches.map(({ account }) => account))]
    const records = await readTypedRecords(tx, [...new Set(candidates.map(({ event }) => event))], accounts)
    for (const { run, wait, event } of sortCandidates(candidates, requestByRun)) {
      const { draft, asked: searchRequest } = requestByRun.get(run)!
      const runEvents = foundEvents.get(run)!
      const record = records.get(event)?.record
      const [node, id] = searchRequest.isGoals ? [wait, ''] : [draft.run.node, wait]
      const filter = draft.definition.filterOf(node, id)
      const needed = searchRequest.isGoals ? 1 : draft.run.needed
      if (
        !record ||
        !filter ||
        runEvents.has(wait) ||
        isWaitSatisfied(needed, [...draft.happened.values(), ...runEvents.values()], record)
      )
        continue
      const countFilterFailure = () => addRunCount(draft, 'node', node, 'filterFailed')
      if (
        await isFilterMatch(
          filter,
          record,
          () => ({ ...buildRunScope(draft, around), event: record }),
          countFilterFailure,
        )
      )
        runEvents.set(wait, record)
    }
    const pages = Map.groupBy(candidates, ({ run, wait }) => `${run} ${wait}`)
    searches = searches.flatMap((waitSearch) => {
      const page = pages.get(`${waitSearch.run} ${waitSearch.id}`) ?? []
      return page.length < WAIT_SEARCH_PAGE || isSearchDone(waitSearch.run, waitSearch.id)
        ? []
        : [{ ...waitSearch, after: page.at(-1)! }]
    })
  }
  return foundEvents
}

type FoundEvents = Map<string, Map<string, RunEventRecord>>

/** Looks for stored events that end the waits of runs, which are locked; an event that comes afterwards is matched as it comes. */
export function createEventSearch(performers: Pick<EffectHandlers, 'contact'>): EffectHandlers['searchEvents'] {
  return async (step, requests) => {
    const runStates = requests.map(({ draft }) => draft)
    const requestByRun = new Map(requests.map((request) => [request.draft.run.id, request]))
    const openRunWaits = await findOpenWaits(step.tx, requests)
    await loadRunContacts(step.tx, performers, runStates)
    const foundEvents = await searchCandidates(step, openRunWaits, requestByRun)
    return buildSearchResults(step, requests, foundEvents)
  }
}

/** Goals have been looked at: from now on what is published is matched as it comes. */
async function markGoalsSearched(tx: Db, runStates: readonly WorkflowRunState[]): Promise<void> {
  if (runStates.length === 0) return
  await sql`
    update workflow_waits w set is_looked_at = true
    from unnest(${runStates.map(({ run }) => run.account)}::integer[], ${runStates.map(({ run }) => run.id)}::uuid[]) as g (account, run)
    where w.account = g.account and w.run = g.run and w.is_goal`.execute(tx)
}

function buildSearchBounds({ draft, asked: searchRequest }: EventSearchRequest): Pick<WaitSearch, 'until' | 'sends'> {
  return { until: searchRequest.until, sends: listRunSendStamps(draft.run.sends) }
}

/** Finds the workflows that listen to new events which may still be published without notifying them. */
async function findPendingWorkflows(tx: Db, runStates: readonly WorkflowRunState[]): Promise<Set<string>> {
  const { rows } = await sql<{ account: AccountId; owner: string }>`
    select account, owner from listener_interests
    where kind = ${WORKFLOW_LISTENER_KIND} and since is null and account = any(${[...new Set(runStates.map(({ run }) => run.account))]}::integer[])`.execute(
    tx,
  )
  return new Set(rows.map(({ account, owner }) => `${account} ${owner}`))
}

async function buildSearchResults(
  { tx }: RunStepTransaction,
  requests: readonly EventSearchRequest[],
  foundEvents: FoundEvents,
): Promise<EventSearchResult[]> {
  const hasEnoughEvents = ({ draft }: EventSearchRequest) =>
    foundEvents.get(draft.run.id)!.size + draft.happened.size >= draft.run.needed
  const goals = requests.filter(({ asked: searchRequest }) => searchRequest.isGoals)
  const waitingRequests = requests.filter((request) => !request.asked.isGoals && !hasEnoughEvents(request))
  const dueRequests = waitingRequests.filter(({ asked: searchRequest }) => searchRequest.isDue)
  const unsettled = await hasUnsettledHits(
    tx,
    dueRequests.map(({ draft }) => draft),
    dueRequests.map(({ asked: searchRequest }) => searchRequest.until),
  )
  await recordHappenedWaits(
    tx,
    [...waitingRequests, ...goals].flatMap(({ draft: { run }, asked: searchRequest }) =>
      [...foundEvents.get(run.id)!].map(([wait, event]) => ({
        account: run.account,
        run: run.id,
        wait,
        event,
        isGoal: searchRequest.isGoals === true,
      })),
    ),
  )
  const earlyWorkflows = await findPendingWorkflows(
    tx,
    [...waitingRequests, ...goals].map(({ draft }) => draft),
  )
  const isEarly = ({ run }: WorkflowRunState) => earlyWorkflows.has(`${run.account} ${run.workflow}`)
  await markGoalsSearched(
    tx,
    goals.flatMap(({ draft }) => (isEarly(draft) ? [] : [draft])),
  )
  return requests.map(({ draft, asked: searchRequest }) => ({
    happened: searchRequest.isGoals ? new Map() : foundEvents.get(draft.run.id)!,
    isOpen: unsettled.has(draft.run.id),
    isEarly: isEarly(draft),
  }))
}
