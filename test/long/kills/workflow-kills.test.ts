import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { mortalWorkers } from '../../support/processes/mortal-worker.ts'
import { startStage } from '../../support/stages/stage.ts'
import { workflowSends } from '../../support/stages/workflow-sends.ts'

const stage = await startStage()
const { call, context, clock, own } = stage
const { activate, begin, person, sending, settle } = workflowSends(stage)
const { db } = context

/** Workers that are killed; each leaves what it was doing at a random instant. */
const KILLS = 1000
/** Runs that are open at a time: a life is long enough for some of their steps. */
const OPEN = 4
const MAX_LIFE_MS = 70
const LEASE_MS = 30_000

const { live } = mortalWorkers(context)

const period = (unit: string, value: number) => ({ unit, value })
const published = (name: string) => ({ event: name, data: { type: 'literal', value: { name } } })

await call('PUT', '/settings/sending', { body: { testRequired: false } })
const mail = await sending()
const { contact } = await person()

const nodes = [
  { id: 'first', type: 'publish', default: true, ...published('first'), next: 'half' },
  {
    id: 'half',
    type: 'split',
    settings: {
      by: 'run',
      branches: [
        { id: 'a', weight: 50, next: 'rest' },
        { id: 'b', weight: 50, next: 'few' },
      ],
    },
  },
  { id: 'few', type: 'sample', settings: { count: 50 }, next: 'rest' },
  { id: 'rest', type: 'sleep', settings: { period: period('SECOND', 1) }, next: 'mail' },
  { id: 'mail', type: 'sendMail', settings: { action: mail }, next: 'second' },
  { id: 'second', type: 'publish', ...published('second'), next: 'answer' },
  {
    id: 'answer',
    type: 'wait',
    settings: { event: { type: 'custom', names: ['answer'] }, timeout: period('MINUTE', 5) },
    next: 'third',
  },
  { id: 'third', type: 'publish', ...published('third'), next: 'end' },
  { id: 'end', type: 'terminal', settings: { outcome: 'done' } },
]

async function openRuns(workflow: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from workflow_runs where workflow = ${workflow} and ended_at is null`.execute(db)
  return rows[0]!.n
}

/** Each run publishes three events and sends one message, capping counts it once, and each visit is in its trace once. */
async function assertOnce(workflow: number, runs: number): Promise<void> {
  const { rows: effects } = await sql<{ run: string; name: string; n: number }>`
    select stamp ->> 'id' as run, name, count(*) as n from notices
    where account = ${own.account} and name in ('first', 'second', 'third') group by 1, 2 having count(*) <> 1`.execute(
    db,
  )
  assert.deepEqual(effects, [], 'events that were not published once')
  const { rows: counts } = await sql<{ name: string; n: number }>`
    select name, count(*) as n from notices where account = ${own.account} and name in ('first', 'second', 'third') group by 1 order by 1`.execute(
    db,
  )
  assert.deepEqual(
    counts,
    ['first', 'second', 'third'].map((name) => ({ name, n: runs })),
  )
  const { rows: visits } = await sql`
    select t.run, e ->> 'node' as node from workflow_traces t, jsonb_array_elements(t.entries) e
    where t.account = ${own.account} group by 1, 2, e ->> 'visit' having count(*) <> 1`.execute(db)
  assert.deepEqual(visits, [], 'visits that are not in the trace once')
  const { rows: sent } = await sql`
    select count(*)::integer as executions, count(distinct thread)::integer as runs,
      (select count(*)::integer from messages where account = ${own.account}) as messages,
      (select sum(increment)::integer from workflow_increments where workflow = ${workflow}) as counted
    from events where account = ${own.account} and kind = 'executions'`.execute(db)
  assert.deepEqual(sent, [{ executions: runs, runs, messages: runs, counted: runs }], 'sends')
  const { rows: statuses } = await sql`
    select status, outcome, count(*)::integer as n from workflow_runs where workflow = ${workflow} group by 1, 2`.execute(
    db,
  )
  assert.deepEqual(statuses, [{ status: 'completed', outcome: 'done', n: runs }])
  const { rows: entered } = await sql<{ id: string; n: number }>`
    select entry as id, sum(n)::integer as n from workflow_count_deltas
    where workflow = ${workflow} and subject = 'node' and name = 'entered' group by 1 order by 1`.execute(db)
  const { few, ...others } = Object.fromEntries(entered.map(({ id, n }) => [id, n]))
  assert.deepEqual(others, {
    answer: runs,
    end: runs,
    first: runs,
    half: runs,
    mail: runs,
    rest: runs,
    second: runs,
    third: runs,
  })
  const { rows: taken } = await sql<{
    taken: number
  }>`select taken from workflow_samples where workflow = ${workflow}`.execute(db)
  assert.deepEqual(taken, [{ taken: Math.min(50, few ?? 0) }])
}

test(`workflow effects happen once although ${KILLS} workers are killed at random times`, async (t) => {
  const random = seeded(12)
  const workflow = await activate({
    nodes,
    capping: [{ threshold: 1_000_000, period: period('DAY', 1), nodes: ['mail'] }],
  })
  let runs = 0
  for (let n = 0; n < KILLS; n++) {
    for (let open = await openRuns(workflow); open < OPEN; open++, runs++) await begin(workflow, { contact })
    await live(random() * MAX_LIFE_MS)
    // What it had is free when its lease is over. Some of it is due later than that: runs stay in all phases.
    clock.advance(random() < 0.5 ? LEASE_MS + 1 : 200)
  }
  while ((await openRuns(workflow)) > 0) {
    clock.advance(10 * 60_000)
    await settle()
  }
  t.diagnostic(`${runs} runs`)
  await assertOnce(workflow, runs)
})
