import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import type { EventWait, RunEventRecord } from '../nodes/node-contract.ts'
import { isOpenRun, type StoredRun } from '../run-stepper/run.ts'
import type { WorkflowRunState } from '../run-stepper/run-state.ts'

/** Deletes what runs waited for at the node they have left; of ended ones their goals too. */
export async function deleteLeftWaits(tx: Db, drafts: readonly WorkflowRunState[]): Promise<void> {
  const departedStates = drafts.filter(({ waits }) => waits !== undefined)
  if (departedStates.length === 0) return
  await sql`${buildPreparedPrefix('drop-workflow-waits')}
    delete from workflow_waits w
    using unnest(
      ${departedStates.map(({ run }) => run.account)}::integer[], ${departedStates.map(({ run }) => run.id)}::uuid[],
      ${departedStates.map(({ run }) => !isOpenRun(run) || run.goal !== null)}::boolean[]) as g (account, run, whole)
    where w.account = g.account and w.run = g.run and (g.whole or not w.is_goal)`.execute(tx)
}

/** Builds the key by which a wait is found: the contact, its thread or a send. */
function buildWaitKey(
  run: StoredRun,
  { correlation, sendNode }: EventWait,
): { contact: number | null; key: string | null } {
  if (correlation === 'contact') return { contact: run.contact, key: null }
  if (correlation === 'thread') return { contact: null, key: run.thread }
  if (correlation === 'send') return { contact: null, key: run.sends?.[sendNode ?? ''] ?? null }
  return { contact: null, key: null }
}

type WaitOrigin = { at: Date | null; event: string | null; snapshot: string | null }

const CURRENT_ORIGIN: WaitOrigin = { at: null, event: null, snapshot: null }
const toEventOrigin = ({ id, timestamp }: RunEventRecord): WaitOrigin => ({
  at: new Date(timestamp),
  event: id,
  snapshot: null,
})

/** The start of a run: behind the event that started it. */
function findRunOrigin({ createdAt, event, startType }: StoredRun): WaitOrigin {
  const [id, timestamp] = [event?.['id'], event?.['timestamp']]
  if (
    startType !== 'listener' ||
    typeof id !== 'string' ||
    typeof timestamp !== 'number' ||
    timestamp > createdAt.getTime()
  )
    return { at: createdAt, event: null, snapshot: null }
  return { at: new Date(timestamp), event: id, snapshot: null }
}

/** From where a wait looks that names a place further back. */
function findEarlierOrigin(run: StoredRun, { since, sendNode }: EventWait, now: number): WaitOrigin {
  if (typeof since === 'object') return { at: new Date(now - since.backMs), event: null, snapshot: null }
  const sendTime = since === 'send' ? run.sends?.[`at ${sendNode ?? ''}`] : undefined
  return sendTime === undefined ? findRunOrigin(run) : { at: new Date(sendTime), event: null, snapshot: null }
}

/** The place from where a wait looks; null: here. A further visit of a node looks behind the event that it left by before. */
function findWaitOrigin({ run, mark }: WorkflowRunState, wait: EventWait, now: number): WaitOrigin {
  if (wait.since === 'previous')
    return mark === undefined ? run.mark : mark === 'here' ? CURRENT_ORIGIN : toEventOrigin(mark)
  if (wait.since === 'now') return CURRENT_ORIGIN
  const earlierOrigin = findEarlierOrigin(run, wait, now)
  const [lastAt, event] = run.sends?.[`after ${run.node}`]?.split(' ') ?? []
  return lastAt === undefined || Number(lastAt) < earlierOrigin.at!.getTime()
    ? earlierOrigin
    : { at: new Date(Number(lastAt)), event: event!, snapshot: null }
}

/** Registers what runs wait for. Stored events are looked at afterwards, in a transaction of its own (`search-events.ts`). */
export async function registerRunWaits(tx: Db, drafts: readonly WorkflowRunState[], now: number): Promise<void> {
  const waitRows = drafts.flatMap((draft) => {
    const { run, waits } = draft
    return (isOpenRun(run) ? (waits ?? []) : []).map((wait) => ({
      run,
      wait,
      ...buildWaitKey(run, wait),
      since: findWaitOrigin(draft, wait, now),
    }))
  })
  if (waitRows.length === 0) return
  await sql`${buildPreparedPrefix('register-workflow-waits')}
    insert into workflow_waits (account, run, id, node, workflow, version, type, correlation, contact, key,
      since_at, since_event, since_snapshot, until_at)
    select account, run, id, node, workflow, version, type, correlation, contact, key,
      coalesce(since_at, clock_timestamp()), since_event,
      case when since_at is null then pg_current_snapshot()::text || ' ' || pg_current_xact_id()::text else since_snapshot end, until_at
    from unnest(
      ${waitRows.map(({ run }) => run.account)}::integer[], ${waitRows.map(({ run }) => run.id)}::uuid[],
      ${waitRows.map(({ wait }) => wait.id)}::text[], ${waitRows.map(({ run }) => run.node)}::text[],
      ${waitRows.map(({ run }) => run.workflow)}::integer[], ${waitRows.map(({ run }) => run.version)}::integer[],
      ${waitRows.map(({ wait }) => wait.event.type)}::text[], ${waitRows.map(({ wait }) => wait.correlation)}::text[],
      ${waitRows.map(({ contact }) => contact)}::bigint[], ${waitRows.map(({ key }) => key)}::uuid[],
      ${waitRows.map(({ since }) => since.at)}::timestamptz[], ${waitRows.map(({ since }) => since.event)}::uuid[],
      ${waitRows.map(({ since }) => since.snapshot)}::text[], ${waitRows.map(({ run }) => run.wake)}::timestamptz[])
      as g (account, run, id, node, workflow, version, type, correlation, contact, key, since_at, since_event, since_snapshot, until_at)`.execute(
    tx,
  )
}

/** Stored events have been looked at: from now on what is published is matched as it comes. */
export async function markWaitsSearched(tx: Db, drafts: readonly WorkflowRunState[]): Promise<void> {
  const searchedStates = drafts.filter(({ stage, run }) => stage === 'waitsSearched' && isOpenRun(run))
  if (searchedStates.length === 0) return
  await sql`${buildPreparedPrefix('mark-workflow-waits')}
    update workflow_waits w set is_looked_at = true
    from unnest(${searchedStates.map(({ run }) => run.account)}::integer[], ${searchedStates.map(({ run }) => run.id)}::uuid[]) as g (account, run)
    where w.account = g.account and w.run = g.run and not w.is_goal`.execute(tx)
}
