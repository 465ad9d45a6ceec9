import { sql } from 'kysely'
import { buildPreparedPrefix, type Db } from '../../../database/connection/connect.ts'
import { isOpenRun, type StoredRun } from '../stepping/run.ts'
import type { WorkflowRunState } from '../stepping/run-state.ts'
import type { EventWait, RunEventRecord } from '../stepping/step.ts'

/** Deletes what runs waited for at the node they have left; of ended ones their goals too. */
export async function deleteLeftWaits(tx: Db, drafts: readonly WorkflowRunState[]): Promise<void> {
  const left = drafts.filter(({ waits }) => waits !== undefined)
  if (left.length === 0) return
  await sql`${buildPreparedPrefix('drop-workflow-waits')}
    delete from workflow_waits w
    using unnest(
      ${left.map(({ run }) => run.account)}::integer[], ${left.map(({ run }) => run.id)}::uuid[],
      ${left.map(({ run }) => !isOpenRun(run) || run.goal !== null)}::boolean[]) as g (account, run, whole)
    where w.account = g.account and w.run = g.run and (g.whole or not w.is_goal)`.execute(tx)
}

/** What a wait is found by: the contact, its thread or a send. */
function keyOf(run: StoredRun, { correlation, sendNode }: EventWait): { contact: number | null; key: string | null } {
  if (correlation === 'contact') return { contact: run.contact, key: null }
  if (correlation === 'thread') return { contact: null, key: run.thread }
  if (correlation === 'send') return { contact: null, key: run.sends?.[sendNode ?? ''] ?? null }
  return { contact: null, key: null }
}

type From = { at: Date | null; event: string | null; snapshot: string | null }

const HERE: From = { at: null, event: null, snapshot: null }
const behind = ({ id, timestamp }: RunEventRecord): From => ({ at: new Date(timestamp), event: id, snapshot: null })

/** The start of a run: behind the event that started it. */
function startOf({ createdAt, event, startType }: StoredRun): From {
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
function backTo(run: StoredRun, { since, sendNode }: EventWait, now: number): From {
  if (typeof since === 'object') return { at: new Date(now - since.backMs), event: null, snapshot: null }
  const stored = since === 'send' ? run.sends?.[`at ${sendNode ?? ''}`] : undefined
  return stored === undefined ? startOf(run) : { at: new Date(stored), event: null, snapshot: null }
}

/** The place from where a wait looks; null: here. A further visit of a node looks behind the event that it left by before. */
function sinceOf({ run, mark }: WorkflowRunState, wait: EventWait, now: number): From {
  if (wait.since === 'previous') return mark === undefined ? run.mark : mark === 'here' ? HERE : behind(mark)
  if (wait.since === 'now') return HERE
  const from = backTo(run, wait, now)
  const [at, event] = run.sends?.[`after ${run.node}`]?.split(' ') ?? []
  return at === undefined || Number(at) < from.at!.getTime()
    ? from
    : { at: new Date(Number(at)), event: event!, snapshot: null }
}

/** Registers what runs wait for. Stored events are looked at afterwards, in a transaction of its own (`search-events.ts`). */
export async function registerRunWaits(tx: Db, drafts: readonly WorkflowRunState[], now: number): Promise<void> {
  const made = drafts.flatMap((draft) => {
    const { run, waits } = draft
    return (isOpenRun(run) ? (waits ?? []) : []).map((wait) => ({
      run,
      wait,
      ...keyOf(run, wait),
      since: sinceOf(draft, wait, now),
    }))
  })
  if (made.length === 0) return
  await sql`${buildPreparedPrefix('register-workflow-waits')}
    insert into workflow_waits (account, run, id, node, workflow, version, type, correlation, contact, key,
      since_at, since_event, since_snapshot, until_at)
    select account, run, id, node, workflow, version, type, correlation, contact, key,
      coalesce(since_at, clock_timestamp()), since_event,
      case when since_at is null then pg_current_snapshot()::text || ' ' || pg_current_xact_id()::text else since_snapshot end, until_at
    from unnest(
      ${made.map(({ run }) => run.account)}::integer[], ${made.map(({ run }) => run.id)}::uuid[],
      ${made.map(({ wait }) => wait.id)}::text[], ${made.map(({ run }) => run.node)}::text[],
      ${made.map(({ run }) => run.workflow)}::integer[], ${made.map(({ run }) => run.version)}::integer[],
      ${made.map(({ wait }) => wait.event.type)}::text[], ${made.map(({ wait }) => wait.correlation)}::text[],
      ${made.map(({ contact }) => contact)}::bigint[], ${made.map(({ key }) => key)}::uuid[],
      ${made.map(({ since }) => since.at)}::timestamptz[], ${made.map(({ since }) => since.event)}::uuid[],
      ${made.map(({ since }) => since.snapshot)}::text[], ${made.map(({ run }) => run.wake)}::timestamptz[])
      as g (account, run, id, node, workflow, version, type, correlation, contact, key, since_at, since_event, since_snapshot, until_at)`.execute(
    tx,
  )
}

/** Stored events have been looked at: from now on what is published is matched as it comes. */
export async function markWaitsSearched(tx: Db, drafts: readonly WorkflowRunState[]): Promise<void> {
  const looked = drafts.filter(({ hasLooked, run, waits }) => hasLooked && isOpenRun(run) && waits === undefined)
  if (looked.length === 0) return
  await sql`${buildPreparedPrefix('mark-workflow-waits')}
    update workflow_waits w set is_looked_at = true
    from unnest(${looked.map(({ run }) => run.account)}::integer[], ${looked.map(({ run }) => run.id)}::uuid[]) as g (account, run)
    where w.account = g.account and w.run = g.run and not w.is_goal`.execute(tx)
}
