import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { mortalWorkers } from '../../support/processes/mortal-worker.ts'
import { startStage } from '../../support/stages/stage.ts'
import { workflowSends } from '../../support/stages/workflow-sends.ts'

const stage = await startStage()
const { call, context, clock, own } = stage
const { activate, chain, begin, person, sending, settle, made } = workflowSends(stage)
const { db } = context
const { live } = mortalWorkers(context)

/** Workers that are killed; each leaves what it was doing at a random instant. */
const KILLS = 300
/** Runs that are open at a time: a life is long enough for some of their steps. */
const OPEN = 4
const MAX_LIFE_MS = 120
const LEASE_MS = 30_000

await call('PUT', '/settings/sending', { body: { testRequired: false } })
const { id: points } = await made('/fields', { name: 'Points', type: 'numeric' })
const mail = await sending()
const { contact, id: who } = await person({ Points: 0 })
const started = await chain([{ type: 'terminal', id: 'end', settings: { outcome: 'started' } }])

const source = `export default async ({ data, contact }) => {
  const me = { type: "id", value: contact.id };
  const { fields } = await targets.get(me);
  const made = targets.create({ Email: data.email, Points: 1 });
  targets.update({ type: "id", value: made }, { Points: 2 });
  targets.update(me, { Points: (fields.Points ?? 0) + 1 });
  const event = events.publish("script.wrote", { n: data.n });
  const sent = actions.execute("${mail}", { receiver: me });
  const run = workflows.execute(${started}, { data: { n: data.n } });
  return { made, event: event.id, sent: sent.id, run: run.id };
}`
const capabilities = ['targets.read', 'targets.write', 'events.publish', 'actions.send', 'workflows.execute']

async function openRuns(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from workflow_runs where account = ${own.account} and ended_at is null`.execute(db)
  return rows[0]!.n
}

/** What each run was told it has written is there, once, and nothing else is. */
async function assertOnce(workflow: number, runs: number): Promise<void> {
  const { rows: wrong } = await sql`
    select r.id, r.status, r.reason, r.variables -> 'out' as out, contacts.n as contacts, events.n as events, sends.n as sends, others.n as runs
    from workflow_runs r
    cross join lateral (
      select count(*) as n from contacts c
      where c.account = r.account and c.unicity = r.data ->> 'email' and c.fields ->> ${String(points)} = '2'
        and upper(lpad(to_base36(c.id), 8, '0')) = r.variables #>> '{out,made}') contacts
    cross join lateral (
      select count(*) as n from notices e
      where e.account = r.account and e.name = 'script.wrote' and e.stamp ->> 'id' = r.variables #>> '{out,event}' and e.data -> 'n' = r.data -> 'n') events
    cross join lateral (
      select count(*) as n from messages m where m.account = r.account and m.stamp = (r.variables #>> '{out,sent}')::uuid and m.thread = r.thread) sends
    cross join lateral (
      select count(*) as n from workflow_runs o
      where o.account = r.account and o.id = (r.variables #>> '{out,run}')::uuid and o.data -> 'n' = r.data -> 'n' and o.outcome = 'started') others
    where r.workflow = ${workflow}
      and (r.status, contacts.n, events.n, sends.n, others.n) is distinct from ('completed', 1, 1, 1, 1)`.execute(db)
  assert.deepEqual(wrong, [], 'runs whose writes are not there once')
  const { rows: all } = await sql`
    select (select count(*)::integer from contacts where account = ${own.account} and id <> ${contact}) as contacts,
      (select count(*)::integer from notices where account = ${own.account} and name = 'script.wrote') as events,
      (select count(*)::integer from messages where account = ${own.account}) as messages,
      (select count(*)::integer from events where account = ${own.account} and kind = 'executions') as executions,
      (select count(*)::integer from workflow_runs where workflow = ${workflow}) as runs,
      (select count(*)::integer from workflow_runs where workflow = ${started}) as started`.execute(db)
  assert.deepEqual(all, [{ contacts: runs, events: runs, messages: runs, executions: runs, runs, started: runs }])
}

test(`writes of workflow scripts are applied once although ${KILLS} workers are killed`, async (t) => {
  await sql`
    create function to_base36(number bigint) returns text language sql immutable as $$
      with recursive digits (rest, text) as (
        select number, '' union all
        select rest / 36, substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', (rest % 36)::integer + 1, 1) || text from digits where rest > 0)
      select text from digits where rest = 0 $$`.execute(db)
  const random = seeded(10)
  const workflow = await activate({
    scripting: { environment: { capabilities } },
    nodes: [
      { id: 'write', type: 'script', default: true, settings: { value: source, into: 'out' }, next: 'end' },
      { id: 'end', type: 'terminal', settings: { outcome: 'done' } },
    ],
  })
  let runs = 0
  for (let n = 0; n < KILLS; n++) {
    for (let open = await openRuns(); open < OPEN; open++, runs++)
      await begin(workflow, { contact, data: { n: runs, email: `n${runs}@orchard.example` } })
    await live(random() * MAX_LIFE_MS)
    clock.advance(random() < 0.5 ? LEASE_MS + 1 : 200)
  }
  while ((await openRuns()) > 0) {
    clock.advance(10 * 60_000)
    await settle()
  }
  t.diagnostic(`${runs} runs`)
  await assertOnce(workflow, runs)
  assert.ok((await call('GET', `/targets/${who}`)).body.fields[points] > 0)
})
