import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { compareWatchedSegments, watchSegments } from '../../../src/features/segments/members/watched.ts'
import { registerWorkflowInterests } from '../../../src/features/workflows/definition/event-interests.ts'
import { listTaskFailures, trackTaskFailures } from '../../../src/jobs/failures.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const stage = workflowStage(harness)
const { call, clock, context, own, other } = harness
const { account } = own
const { db } = context
await trackTaskFailures(db, { clock, log: { error: () => undefined }, registry: new Registry() })
const start = Date.now()
let days = 0
beforeEach(() => clock.set(start + ++days * 24 * 3_600_000))

const nodes = [
  { id: 'hold', type: 'sleep', default: true, settings: { period: { unit: 'DAY', value: 300 } }, next: 'end' },
  { id: 'end', type: 'terminal', settings: { outcome: 'held' } },
]
const settings = { reentry: { mode: 'always' }, concurrency: 100 }
const listening = (type: string, segment: number) => ({
  settings,
  nodes,
  listeners: [{ id: 'l', event: { type, segments: [segment] }, handler: 'hold' }],
})

const { body: field, status: made } = await call('POST', '/fields', { body: { type: 'numeric', name: 'Spent' } })
assert.equal(made, 200)
const spent: number = field.id
const emails = new Map<string, string>()

async function contact(Spent: number): Promise<{ id: string; number: number }> {
  const Email = `${randomUUID()}@shop.example`
  const { body, status, text } = await call('PUT', '/targets', { body: { Email, Spent } })
  assert.equal(status, 200, text)
  emails.set(body.id, Email)
  return { id: body.id, number: parseContactId(body.id)! }
}

async function spend({ id }: { id: string }, Spent: number): Promise<void> {
  const { status, text } = await call('PUT', `/targets/${id}`, { body: { Email: emails.get(id), Spent } })
  assert.equal(status, 200, text)
}

/** A segment of those who spent exactly so much. */
async function spenders(value: number): Promise<number> {
  const criteria = { all: [{ type: 'field', field: spent, operator: 'equals', value }] }
  const { body, status, text } = await call('POST', '/segments', {
    body: { type: 'dynamic', name: `Spent ${value}`, criteria },
  })
  assert.equal(status, 200, text)
  return body.id
}

const compare = () => compareWatchedSegments(db, clock.now())
/** Five minutes later. */
async function later(): Promise<void> {
  clock.advance(300_000)
  await compare()
}

async function notices(segment: number, of = account): Promise<[string, number][]> {
  const { rows } = await sql<{ type: string; contact: number }>`
    select type, contact from notices where account = ${of} and (data ->> 'segment')::integer = ${segment} order by id`.execute(
    db,
  )
  return rows.map(({ type, contact }) => [type, contact])
}

async function starters(workflow: number): Promise<number[]> {
  await stage.settle()
  const { rows } = await sql<{ contact: number }>`
    select contact from workflow_runs where workflow = ${workflow} order by id`.execute(db)
  return rows.map(({ contact }) => contact)
}

/** How many rows are kept of a segment: of itself, of members, of changes. */
async function kept(segment: number): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from watched_segments where segment = ${segment}
    union all select count(*)::integer from watched_members where segment = ${segment}
    union all select count(*)::integer from watched_changes where segment = ${segment}`.execute(db)
  return rows.map(({ n }) => n)
}

async function setState(workflow: number, state: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`update workflows set state = ${state} where account = ${account} and id = ${workflow}`.execute(tx)
    await registerWorkflowInterests(tx, { account, id: workflow })
  })
}

describe('dynamic segments watched by workflows', () => {
  test('a contact that starts to match starts a run, and existing members at the start of the watch do not', async () => {
    const segment = await spenders(1)
    const [early, ann] = [await contact(1), await contact(0)]
    const workflow = await stage.activate(listening('segment.entered', segment))
    await compare()
    assert.deepEqual(await starters(workflow), [])
    await spend(ann, 1)
    await compare()
    assert.deepEqual(await starters(workflow), [], 'not due yet')
    await later()
    assert.deepEqual(await starters(workflow), [ann.number])
    await later()
    await spend(early, 1)
    await later()
    assert.deepEqual(await starters(workflow), [ann.number])
    await spend(ann, 0)
    await later()
    await spend(ann, 1)
    await later()
    assert.deepEqual(await starters(workflow), [ann.number, ann.number])
  })

  test('a contact that no longer matches leaves the segment, and a deleted contact does not', async () => {
    const segment = await spenders(2)
    const [ann, bob, eve] = [await contact(2), await contact(2), await contact(0)]
    const workflow = await stage.activate(listening('segment.left', segment))
    await compare()
    await spend(ann, 0)
    await spend(eve, 2)
    assert.equal((await call('DELETE', `/targets/${bob.id}`)).status, 204)
    await later()
    assert.deepEqual(await starters(workflow), [ann.number])
    assert.deepEqual(
      (await notices(segment)).filter(([type]) => type === 'segment.left'),
      [['segment.left', ann.number]],
    )
    const { rows } = await sql<{ contact: number }>`
      select contact from watched_members where segment = ${segment}`.execute(db)
    assert.deepEqual(rows, [{ contact: eve.number }])
  })

  test('waits, races and goals watch their segments, also for open runs of a paused workflow', async () => {
    const [a, b, c, d] = [await spenders(31), await spenders(32), await spenders(33), await spenders(34)]
    const entered = (segment: number) => ({ type: 'segment.entered', segments: [segment] })
    const workflow = await stage.activate({
      nodes: [
        { id: 'goal', type: 'goal', settings: { event: entered(a) }, next: 'end' },
        { id: 'wait', type: 'wait', default: true, settings: { event: entered(b) }, next: 'race' },
        {
          id: 'race',
          type: 'wait.race',
          next: 'end',
          settings: { waits: [{ id: 'x', event: { type: 'segment.left', segments: [c] }, next: 'end' }] },
        },
        { id: 'off', type: 'terminal', settings: {} },
        { id: 'end', type: 'terminal', settings: {} },
      ],
      listeners: [{ id: 'l', enabled: false, event: entered(d), handler: 'wait' }],
    })
    const watched = async () => {
      const { rows } = await sql<{ segment: number }>`
        select segment from segment_watchers where owner = ${`workflow ${workflow}`} order by 1`.execute(db)
      return rows.map(({ segment }) => segment)
    }
    assert.deepEqual(await watched(), [a, b, c])
    const ann = await contact(0)
    const run = await stage.start(workflow, { contact: ann.number })
    assert.ok('id' in run || 'run' in run, JSON.stringify(run))
    await stage.settle()
    await compare()
    await setState(workflow, 0)
    assert.deepEqual(await watched(), [a, b, c])
    await setState(workflow, 1)
    await spend(ann, 32)
    await later()
    await stage.settle()
    const { rows } = await sql<{ node: string }>`
      select node from workflow_runs where workflow = ${workflow}`.execute(db)
    assert.deepEqual(rows, [{ node: 'race' }])
  })

  test('an unwatched segment retains no state, and a watch that resumes publishes no events for existing members', async () => {
    const segment = await spenders(4)
    await contact(4)
    await compare()
    assert.deepEqual(await kept(segment), [0, 0, 0])
    const workflow = await stage.activate(listening('segment.entered', segment))
    await compare()
    assert.deepEqual(await kept(segment), [1, 1, 0])
    await setState(workflow, 0)
    await contact(4)
    await setState(workflow, 1)
    await compare()
    assert.deepEqual(await kept(segment), [1, 2, 0], 'recorded before it is due')
    await later()
    assert.deepEqual(await notices(segment), [])
    await setState(workflow, 0)
    await compare()
    assert.deepEqual(await kept(segment), [0, 0, 0])
  })

  test('a deleted segment is forgotten, and no contact is reported as leaving it', async () => {
    const segment = await spenders(5)
    await contact(5)
    await watchSegments(db, account, 'workflow 999', [segment])
    await compare()
    assert.deepEqual(await kept(segment), [1, 1, 0])
    assert.equal((await call('DELETE', `/segments/${segment}`)).status, 204)
    await later()
    assert.deepEqual(await kept(segment), [0, 0, 0])
    assert.deepEqual(await notices(segment), [])
  })

  test('many changes are published once, in several transactions, by two processes comparing simultaneously', async () => {
    const segment = await spenders(6)
    const workflow = await stage.activate(listening('segment.left', segment))
    await compare()
    const ann = await contact(6)
    await later()
    // Known members of which only one is a contact that fits, and 11,000 that do not.
    await sql`
      insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
      select ${account}, '{}', 'c' || n, 'c' || n, decode(md5('c' || n), 'hex'), now(), now()
      from generate_series(1, 11000) n`.execute(db)
    await sql`
      insert into watched_members (segment, contact)
      select ${segment}::integer, id from contacts
      where account = ${account} and id > ${ann.number}`.execute(db)
    clock.advance(300_000)
    await Promise.all([compare(), compare()])
    await compare()
    const { rows } = await sql`
      select count(*)::integer as n, count(distinct contact)::integer as contacts, count(distinct xmin::text)::integer as transactions
      from notices where account = ${account} and type = 'segment.left' and (data ->> 'segment')::integer = ${segment}`.execute(
      db,
    )
    assert.deepEqual(rows, [{ n: 11_000, contacts: 11_000, transactions: 2 }])
    assert.deepEqual(await kept(segment), [1, 1, 0])
    await setState(workflow, 0)
  })

  test('a segment whose comparison fails does not block the others and is retried', async () => {
    const [broken, segment] = [await spenders(7), await spenders(8)]
    await stage.activate(listening('segment.entered', broken))
    await compare()
    await stage.activate(listening('segment.entered', segment))
    await compare()
    const { rows } = await sql<{ criteria: object }>`select criteria from segments where id = ${broken}`.execute(db)
    await sql`update segments set criteria = '{"type": "unheard-of"}' where id = ${broken}`.execute(db)
    const ann = await contact(8)
    clock.advance(300_000)
    await compare()
    const task = { task: 'compare watched segments', subject: `segment ${broken}` }
    const failing = async () =>
      (await listTaskFailures(db, clock.now())).map(({ task, subject }) => ({ task, subject }))
    assert.deepEqual(await failing(), [task])
    assert.deepEqual(await notices(segment), [['segment.entered', ann.number]])
    await sql`update segments set criteria = ${JSON.stringify(rows[0]!.criteria)}::jsonb where id = ${broken}`.execute(
      db,
    )
    const bob = await contact(7)
    clock.advance(60_000)
    await compare()
    assert.deepEqual(await notices(broken), [['segment.entered', bob.number]])
    assert.deepEqual(await failing(), [])
  })

  test('segments of another account and static segments are not watched', async () => {
    const { body } = await call('POST', '/segments', { key: other.key, body: { type: 'dynamic', name: 'Theirs' } })
    await call('PUT', '/targets', { key: other.key, body: { Email: 'ann@rival.example' } })
    await stage.activate(listening('segment.entered', body.id))
    await compare()
    assert.deepEqual(await kept(body.id), [0, 0, 0])
    await later()
    assert.deepEqual(await notices(body.id, other.account), [])
    const { body: fixed } = await call('POST', '/segments', { body: { type: 'static', name: 'Static' } })
    await stage.activate(listening('segment.entered', fixed.id))
    await compare()
    assert.deepEqual(await kept(fixed.id), [0, 0, 0])
  })
})
