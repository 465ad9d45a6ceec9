import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { computeExperiments } from '../../../src/features/workflows/experiments/experiment-results.ts'
import { purgeExperimentVisits } from '../../../src/features/workflows/experiments/retention.ts'
import { startRuns } from '../../../src/features/workflows/starts/start-runs.ts'
import { estimateConversionRates } from '../../../src/lib/beta-distribution.ts'
import { createUuidsV7, formatContactId } from '../../../src/lib/ids.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const stage = workflowStage(harness)
const { context, own, clock, call } = harness
const { db } = context

/** Events are stamped by the database: visits are to be made at its time. */
const present = (): void => clock.set(Date.now())

/** Numbers of so many new contacts. */
async function makeContacts(count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with last as (select coalesce(max(id), 0) as n from contacts)
    insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
    select ${own.account}, '{}', name, name, decode(md5(name), 'hex'), now(), now()
    from last, generate_series(1, ${count}::integer) i, lateral (select 'c' || n + i || '@shop.example' as name) named
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Has contacts go through a workflow, each with its data. */
async function goThrough(workflow: number, contacts: readonly number[], dataOf: () => object): Promise<void> {
  const key = { account: own.account, workflow, version: 1 }
  const definition = (await stage.engine.definitions.load(db, [key]))(key)!
  const now = clock.now()
  const stamps = createUuidsV7(contacts.length, now)
  const starts = contacts.map((contact, n) => ({
    definition,
    contact,
    entryKey: null,
    node: definition.entry!,
    type: 'execution' as const,
    source: null,
    event: null,
    data: dataOf() as Record<string, unknown>,
    state: {},
    variables: {},
    depth: 0,
    id: null,
    after: null,
    zone: 'Europe/Paris',
    stamp: { id: stamps[n]!, thread: stamps[n]!, set: stamps[n]!, time: now },
  }))
  for (let from = 0; from < starts.length; from += 1000)
    await inTransaction(db, (tx) => startRuns(tx, starts.slice(from, from + 1000) as never, now))
  await stage.settle()
}

const path = (value: string) => ({ type: 'path', value })
/** Contacts buy or not, as their data says for the branch they took. */
// biome-ignore-start lint/suspicious/noThenProperty: the interface names it so.
const definition = (settings: object, id = 'exp') => ({
  settings: { trace: 'none', concurrency: 100 },
  nodes: [
    {
      id,
      type: 'experiment',
      default: true,
      settings: {
        branches: [
          { id: 'a', next: 'ifA' },
          { id: 'b', next: 'ifB' },
        ],
        metric: { type: 'custom', names: ['bought'] },
        ...settings,
      },
      next: 'end',
    },
    { id: 'ifA', type: 'if', settings: { condition: path('data.a'), then: 'buy', else: 'end' } },
    { id: 'ifB', type: 'if', settings: { condition: path('data.b'), then: 'buy', else: 'end' } },
    { id: 'buy', type: 'publish', event: 'bought', settings: {}, next: 'end' },
    { id: 'end', type: 'terminal', settings: {} },
  ],
})
// biome-ignore-end lint/suspicious/noThenProperty: the interface names it so.

const random = seeded(28)
/** 30 % buy of the first branch, 10 % of the second. */
const buyer = () => ({ a: random() < 0.3, b: random() < 0.1 })

async function found(workflow: number, node = 'exp') {
  const { status, body } = await call('GET', `/scripting/workflows/${workflow}/nodes/${node}/experiment`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const branchesOf = async (workflow: number, since = 0) => {
  const { rows } = await sql<{ branch: string; contact: number }>`
    select branch, contact from workflow_experiment_visits
    where account = ${own.account} and workflow = ${workflow} and at >= ${new Date(since)}`.execute(db)
  return rows
}
const shareOf = (rows: readonly { branch: string }[], branch: string) =>
  rows.filter((row) => row.branch === branch).length / rows.length

describe('workflow experiments: methods', () => {
  test('fixed: the better branch wins and gets later visits, and the same contacts are held out', async () => {
    const workflow = await stage.activate(definition({ holdout: 10, minimum: 1000 }))
    const contacts = await makeContacts(3000)
    present()
    await goThrough(workflow, contacts, buyer)
    assert.equal(await computeExperiments(db, clock.now()), 0)
    const before = await found(workflow)
    assert.deepEqual([before.winner, before.branches[0].counted], [null, 0])
    assert.ok(before.branches.every(({ visits }: { visits: number }) => visits > 1200 && visits < 1500))

    const later = clock.now() + 3 * DAY_MS
    await computeExperiments(db, later)
    const { winner, branches, holdout } = await found(workflow)
    assert.equal(winner.branch, 'a')
    assert.ok(winner.probability > 0.95)
    assert.equal(winner.since, new Date(later).toISOString())
    const [a, b] = branches
    assert.deepEqual([a.counted, b.counted], [a.visits, b.visits])
    assert.ok(Math.abs(a.rate - 0.3) < 0.06 && Math.abs(b.rate - 0.1) < 0.06, JSON.stringify(branches))
    assert.ok(a.interval.low < a.rate && a.rate < a.interval.high && b.interval.high < a.interval.low)
    assert.deepEqual([holdout.conversions, holdout.rate], [0, 0])
    assert.ok(Math.abs(holdout.visits / 3000 - 0.1) < 0.02)

    const first = await branchesOf(workflow)
    present()
    const since = clock.now()
    await goThrough(workflow, contacts, buyer)
    const second = await branchesOf(workflow, since)
    assert.deepEqual([...new Set(second.map(({ branch }) => branch))].sort(), ['', 'a'])
    const held = (rows: typeof first) =>
      rows
        .filter(({ branch }) => branch === '')
        .map(({ contact }) => contact)
        .sort()
    assert.deepEqual(held(second), held(first))
  })

  test('bandit: the better branch gets more than 70% of the last visits, and no branch falls below 5%', async () => {
    const workflow = await stage.activate(definition({ method: 'bandit', period: { unit: 'DAY', value: 1 } }))
    let half = 0
    for (let round = 0; round < 10; round++) {
      present()
      if (round === 5) half = clock.now()
      await goThrough(workflow, await makeContacts(1000), buyer)
      await computeExperiments(db, clock.now() + DAY_MS)
    }
    const last = await branchesOf(workflow, half)
    assert.equal(last.length, 5000)
    assert.ok(shareOf(last, 'a') > 0.7, String(shareOf(last, 'a')))
    assert.ok(shareOf(last, 'b') > 0.035, String(shareOf(last, 'b')))
    const { branches, winner } = await found(workflow)
    assert.deepEqual([winner, branches[1].share], [null, 0.05])
  })
})

describe('workflow experiments', () => {
  test('only conversions of the same contact, for the metric and within its period, are counted', async () => {
    const workflow = await stage.activate(definition({ period: { unit: 'DAY', value: 1 } }))
    const publisher = await stage.activate({
      nodes: [
        { id: 'buy', type: 'publish', default: true, event: path('data.name'), settings: {}, next: 'end' },
        { id: 'end', type: 'terminal', settings: {} },
      ],
    })
    const [first = 0, second = 0, third = 0, fourth = 0] = await makeContacts(4)
    const none = () => ({})
    present()
    await goThrough(publisher, [fourth], () => ({ name: 'bought' }))
    present()
    await goThrough(workflow, [first, second, fourth], none)
    clock.set(Date.now() - DAY_MS - 1000)
    await goThrough(workflow, [third], none)
    present()
    await goThrough(publisher, [first, first, third], () => ({ name: 'bought' }))
    await goThrough(publisher, [second], () => ({ name: 'looked' }))
    await computeExperiments(db, clock.now() + DAY_MS)
    const { branches } = await found(workflow)
    const sum = (name: string) => branches.reduce((n: number, one: Record<string, number>) => n + one[name]!, 0)
    assert.deepEqual([sum('visits'), sum('counted'), sum('conversions')], [4, 4, 1])
  })

  test('changing the metric starts a new experiment, and other accounts and other nodes return 404', async () => {
    const workflow = await stage.activate(definition({}))
    present()
    await goThrough(workflow, await makeContacts(10), buyer)
    const url = `/scripting/workflows/${workflow}/nodes/exp/experiment`
    const visits = async () =>
      (await found(workflow)).branches.reduce((n: number, one: { visits: number }) => n + one.visits, 0)
    assert.equal(await visits(), 10)
    const { nodes } = definition({ metric: { type: 'custom', names: ['looked'] } })
    assert.equal((await call('PUT', `/scripting/workflows/${workflow}/nodes`, { body: nodes })).status, 200)
    assert.equal(await visits(), 0)
    assert.equal((await call('GET', url, { key: harness.other.key })).status, 404)
    for (const node of ['none', 'end']) assert.equal((await call('GET', url.replace('/exp/', `/${node}/`))).status, 404)
  })

  test('a run that returns to the experiment keeps its branch', async () => {
    const { nodes } = definition({ method: 'bandit' })
    const again = [
      { ...nodes[0]!, next: 'nap', settings: { ...nodes[0]!.settings, branches: [{ id: 'a' }, { id: 'b' }] } },
      { id: 'nap', type: 'sleep', settings: { period: { unit: 'HOUR', value: 1 } }, next: 'exp' },
    ]
    const workflow = await stage.activate({ nodes: again })
    await goThrough(workflow, await makeContacts(20), buyer)
    for (let n = 0; n < 4; n++) {
      clock.advance(3_600_000)
      await stage.settle()
    }
    const byContact = Map.groupBy(await branchesOf(workflow), ({ contact }) => contact)
    for (const rows of byContact.values())
      assert.deepEqual([rows.length, new Set(rows.map(({ branch }) => branch)).size], [5, 1])
  })

  test('counted visits are deleted a day after their period except for open runs, and the figures stay the same', async () => {
    const given = definition({ minimum: 10, period: { unit: 'DAY', value: 1 } })
    const pause = { id: 'buy', type: 'sleep', settings: { period: { unit: 'DAY', value: 30 } }, next: 'end' }
    const nodes = given.nodes.map((node) => (node.id === 'buy' ? pause : node))
    const workflow = await stage.activate({ ...given, nodes })
    present()
    await goThrough(workflow, await makeContacts(200), buyer)
    const open = await db
      .selectFrom('workflow_runs')
      .select('id')
      .where('workflow', '=', workflow)
      .where('ended_at', 'is', null)
      .execute()
    assert.ok(open.length > 5)
    await computeExperiments(db, clock.now() + DAY_MS)
    const before = await found(workflow)
    await purgeExperimentVisits(db, clock.now() + 2 * DAY_MS - 1000)
    assert.equal((await branchesOf(workflow)).length, 200)
    await purgeExperimentVisits(db, clock.now() + 2 * DAY_MS + 1000)
    assert.equal((await branchesOf(workflow)).length, open.length)
    assert.deepEqual(await found(workflow), before)
  })

  test('a simulation takes the branch that a real visit would take', async () => {
    const workflow = await stage.activate(definition({ holdout: 50, minimum: 10 }))
    present()
    await goThrough(workflow, await makeContacts(300), buyer)
    await computeExperiments(db, clock.now() + 3 * DAY_MS)
    assert.equal((await found(workflow)).winner.branch, 'a')
    const held = new Set(
      (await branchesOf(workflow)).flatMap(({ branch, contact }) => (branch === '' ? [contact] : [])),
    )
    for (const { contact } of (await branchesOf(workflow)).slice(0, 20)) {
      const body = { receiver: { type: 'id', value: formatContactId(contact) }, data: { a: true } }
      const answer = await call('POST', `/scripting/workflows/${workflow}/simulation`, { body })
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.trace[0].next, held.has(contact) ? 'end' : 'ifA')
    }
    assert.equal((await branchesOf(workflow)).length, 300)
  })

  test('the probability of being the best branch follows Beta distributions', () => {
    const close = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-3, `${one} ${other}`)
    const probabilities = (...counts: [visits: number, conversions: number][]) =>
      estimateConversionRates(counts.map(([visits, conversions]) => ({ visits, conversions }))).map(
        ({ probability }) => probability,
      )
    for (const one of probabilities([0, 0], [0, 0], [0, 0], [0, 0])) close(one, 0.25)
    // Beta(2, 1) is above Beta(1, 1) with 2/3, above Beta(1, 2) with 5/6.
    close(probabilities([1, 1], [0, 0])[0]!, 2 / 3)
    close(probabilities([1, 1], [1, 0])[0]!, 5 / 6)
    const [one = 0, other = 0] = probabilities([1_000_000, 100_000], [1_000_000, 100_500])
    close(one + other, 1)
    close(other, 0.8803)
    const [{ interval } = assert.fail()] = estimateConversionRates([{ visits: 0, conversions: 0 }])
    close(interval.low, 0.025)
    close(interval.high, 0.975)
  })
})
