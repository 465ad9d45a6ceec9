import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { createWorkflowWorker } from '../../../src/features/workflows/engine/worker.ts'
import { startRuns } from '../../../src/features/workflows/starts/start-runs.ts'
import { createUuidsV7 } from '../../../src/lib/ids.ts'
import { startHarness } from '../../support/harness.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'

const harness = await startHarness()
const stage = workflowStage(harness)
const { context, own, clock } = harness
const { db } = context

async function startMany(workflow: number, contacts: readonly (number | null)[]): Promise<void> {
  const key = { account: own.account, workflow, version: 1 }
  const definition = (await stage.engine.definitions.load(db, [key]))(key)!
  const stamps = createUuidsV7(contacts.length, clock.now())
  const starts = contacts.map((contact, n) => ({
    definition,
    contact,
    entryKey: null,
    node: definition.entry!,
    type: 'execution' as const,
    source: null,
    event: null,
    data: {},
    state: {},
    variables: {},
    depth: 0,
    id: null,
    after: null,
    zone: 'Europe/Paris',
    stamp: { id: stamps[n]!, thread: stamps[n]!, set: stamps[n]!, time: clock.now() },
  }))
  for (let from = 0; from < starts.length; from += 1000)
    await inTransaction(db, (tx) => startRuns(tx, starts.slice(from, from + 1000) as never, clock.now()))
}

async function outcomes(workflow: number): Promise<{ contact: number; outcome: string }[]> {
  const { rows } = await sql<{ contact: number; outcome: string }>`
    select contact, outcome from workflow_runs where account = ${own.account} and workflow = ${workflow}
    order by created_at, contact, id`.execute(db)
  return rows
}

const ends = ['a', 'b'].map((id) => ({ id, type: 'terminal', settings: { outcome: id } }))
const settings = { trace: 'none', concurrency: 100 }

describe('split and sample nodes', () => {
  test('a split sends half of 10,000 contacts each way, and each contact always the same way', async () => {
    const { rows } = await sql<{ id: number }>`
      insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
      select ${own.account}, '{}', name, name, decode(md5(name), 'hex'), now(), now()
      from generate_series(1, 10000) i, lateral (select 'c' || i || '@shop.example' as name) n returning id`.execute(db)
    const contacts = rows.map(({ id }) => id)
    const branches = ['a', 'b'].map((id) => ({ id, weight: 50, next: id }))
    const split = { id: 's', type: 'split', default: true, settings: { branches } }
    const workflow = await stage.activate({ settings, nodes: [split, ...ends] })
    await startMany(workflow, contacts)
    await stage.work()
    const first = await outcomes(workflow)
    const share = first.filter(({ outcome }) => outcome === 'a').length
    assert.equal(first.length, 10_000)
    assert.ok(share >= 4800 && share <= 5200, String(share))
    clock.advance(1000)
    await startMany(workflow, contacts.slice(0, 1000))
    await stage.work()
    const again = (await outcomes(workflow)).slice(10_000)
    const before = new Map(first.map(({ contact, outcome }) => [contact, outcome]))
    assert.equal(again.length, 1000)
    for (const { contact, outcome } of again) assert.equal(outcome, before.get(contact))
  })

  test('a sample of 100 takes exactly 100 runs with 8 concurrent workers', async () => {
    // biome-ignore lint/suspicious/noThenProperty: the interface names it so.
    const sample = { id: 's', type: 'sample', default: true, settings: { count: 100, then: 'a', else: 'b' } }
    const workflow = await stage.activate({ settings, nodes: [sample, ...ends] })
    await startMany(workflow, Array<null>(1500).fill(null))
    const workers = Array.from({ length: 8 }, () => createWorkflowWorker(stage.engine))
    await Promise.all(
      workers.map(async (worker) => {
        while ((await worker.work()) > 0);
        await worker.stop()
      }),
    )
    await stage.work()
    const all = await outcomes(workflow)
    assert.equal(all.length, 1500)
    assert.deepEqual([...new Set(all.map(({ outcome }) => outcome))].sort(), ['a', 'b'])
    assert.equal(all.filter(({ outcome }) => outcome === 'a').length, 100)
  })
})
