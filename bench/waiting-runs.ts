import { setTimeout as delay } from 'node:timers/promises'
import { formatContactId } from '../src/lib/ids.ts'
import { activeWorkflow, percentile, type WorkflowStage } from './workflow-stage.ts'

/** Rows of one statement. */
const BATCH = 100_000
const LOOK_MS = 100
const PATIENCE_MS = 60_000
/** Writing the new deadlines of 20,000 among 1,000,000 runs takes so long. */
const LEAD_MS = 30_000

/** A workflow whose runs stand at a wait with a deadline. */
const awaiting = {
  name: 'Awaiting an open',
  settings: { reentry: { mode: 'always' }, concurrency: 100 },
  nodes: [
    { id: 'pause', type: 'sleep', default: true, settings: { period: { unit: 'HOUR', value: 1 } }, next: 'opened' },
    {
      id: 'opened',
      type: 'wait',
      settings: { event: { type: 'action.hit', kinds: ['open'] }, timeout: { unit: 'DAY', value: 300 } },
      next: 'end',
    },
    { id: 'end', type: 'terminal', settings: { outcome: 'reminded' } },
  ],
}

/** Puts so many runs that wait for an event, each with a deadline within the next year; gives their workflow. */
export async function loadWaitingRuns(stage: WorkflowStage, count: number): Promise<number> {
  const { pool, service, contacts } = stage
  const workflow = await activeWorkflow(stage, awaiting)
  for (let done = 0; done < count; done += BATCH) {
    await pool.query(
      `with made as (
        insert into workflow_runs (account, id, workflow, version, contact, entry_key, status, node, phase, visit, entered_at, steps,
          visits, data, last, start_type, stamp, stamp_time, thread, set, mark_at, wake, expires_at, moves, created_at, updated_at)
        select $1, uuidv7(interval '-1 hour'), $2, 1, contact, key, 'waiting', 'opened', 'wait', 1, now(), 2,
          '{"pause":1,"opened":1}', '{"cart":{"id":4711,"lines":3}}', '{"node":"pause","outcome":"done","value":null,"error":null}',
          'execution', stamp, now(), stamp, stamp, now(), wake, now() + interval '365 days', 3, now() - interval '1 hour', now()
        from (
          select gen_random_uuid() as stamp, ($3::bigint[])[1 + n % $4] as contact, ($7::text[])[1 + n % $4] as key,
            now() + interval '1 day' + random() * interval '299 days' as wake
          from generate_series($5::integer, $6::integer) n offset 0) g
        returning account, id, thread, wake
      ), timers as (
        insert into workflow_timers (account, run, due) select account, id, wake from made
      ), traces as (
        insert into workflow_traces (account, run, seq, entries)
        select account, id, 1, '[{"seq":1,"node":"pause","type":"sleep","visit":1,"attempt":1,"outcome":"done","next":"opened"}]' from made
      )
      insert into workflow_waits (account, run, id, node, workflow, version, type, correlation, key, since_at, until_at, is_looked_at)
      select account, id, '', 'opened', $2, 1, 'action.hit', 'thread', thread, now(), wake, true from made`,
      [
        service.account,
        workflow,
        contacts,
        contacts.length,
        done + 1,
        Math.min(count, done + BATCH),
        contacts.map(formatContactId),
      ],
    )
  }
  await pool.query(
    `insert into workflow_entries (account, workflow, key, open, last_start)
     select account, workflow, entry_key, count(*), now() from workflow_runs where workflow = $1 group by 1, 2, 3`,
    [workflow],
  )
  for (const table of ['runs', 'timers', 'waits', 'traces', 'entries']) {
    await pool.query(`vacuum (analyze) workflow_${table}`)
  }
  return workflow
}

/**
 * Lets so many deadlines of waiting runs come in each second; gives how late each run's end was seen (milliseconds) by another
 * connection, which looks every 100 ms.
 */
export async function timerLateness(
  { pool, service: { account } }: WorkflowStage,
  workflow: number,
  { seconds, perSecond }: { seconds: number; perSecond: number },
): Promise<{ p99: number; last: number }> {
  const count = seconds * perSecond
  const first = Date.now() + LEAD_MS
  const { rows } = await pool.query<{ id: string; wake: Date }>(
    `with picked as (
      select id, $3::timestamptz + (row_number() over ()) * interval '1 second' / $4 as wake
      from (select id from workflow_runs where account = $1 and workflow = $2 and ended_at is null order by stamp limit $5) r
    ), timers as (
      update workflow_timers t set due = p.wake from picked p where t.account = $1 and t.run = p.id
    ), waits as (
      update workflow_waits w set until_at = p.wake from picked p where w.account = $1 and w.run = p.id
    )
    update workflow_runs r set wake = p.wake, moves = r.moves + 1 from picked p where r.account = $1 and r.id = p.id
    returning r.id, r.wake`,
    [account, workflow, new Date(first), perSecond, count],
  )
  if (Date.now() > first) throw new Error('the deadlines were not set in time')
  const awaited = new Map(rows.map(({ id, wake }) => [id, wake.getTime()]))
  const lateness: number[] = []
  let since = new Date()
  while (awaited.size > 0) {
    if (Date.now() > first + seconds * 1000 + PATIENCE_MS) throw new Error(`${awaited.size} deadlines did not fire`)
    await delay(LOOK_MS)
    const ended = await pool.query<{ id: string; at: Date }>(
      `select id, ended_at as at from workflow_runs where ended_at > $1::timestamptz - interval '2 seconds'`,
      [since],
    )
    const now = Date.now()
    for (const { id, at } of ended.rows) {
      const wake = awaited.get(id)
      if (at > since) since = at
      if (wake === undefined) continue
      awaited.delete(id)
      lateness.push(now - wake)
    }
  }
  return { p99: percentile(lateness, 0.99), last: Math.max(...lateness.slice(-100)) }
}
