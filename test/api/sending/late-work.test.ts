import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { leaseListenerPartitions } from '../../../src/features/listeners/partitions.ts'
import { formWebhookDeliveries, listBusyWebhooks } from '../../../src/features/webhooks/queue.ts'
import type { WatchedClock } from '../../../src/lib/time/clock-steps.ts'
import { endLateLeases, makeLateWorkDue, startLateWorkWatch } from '../../../src/service/late-work.ts'
import { rowsRead } from '../../support/database/rows-read.ts'
import { startStage } from '../../support/stages/stage.ts'
import { workflowStage } from '../../support/stages/workflow-stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startStage()
const { call, clock, context, gateway, sendDue, own } = stage
const { pool } = context
const HOUR = 3_600_000
const MINUTE = 60_000

const look = (hasStepped = false) => makeLateWorkDue(context, { now: clock.now(), hasStepped })
const at = (ms: number): Date => new Date(clock.now() + ms)

let made = 0
const action = await stage.validated(await stage.action())

/** A message that waits to be sent, and its address. */
async function message(): Promise<string> {
  const address = `late${++made}@clocks.example`
  const recipient = { type: 'unicity', value: [address] }
  await stage.contact(address)
  assert.equal((await call('POST', `/actions/${action}/execution`, { body: { recipient } })).status, 200)
  return address
}

/** Writes columns of what waits for an address. */
async function write(address: string, columns: string, values: unknown[]): Promise<void> {
  const { rowCount } = await pool.query(
    `update messages m set ${columns} from contacts c where c.id = m.contact and c.key = $1 and m.state = 'queued'`,
    [address, ...values],
  )
  assert.equal(rowCount, 1)
}

const sentTo = async (address: string): Promise<number> => {
  await sendDue()
  return gateway.to(address).length
}

/** A campaign to so many contacts, planned; nothing of it is sent. Gives their addresses. */
async function planned(size: number): Promise<{ action: number; addresses: string[] }> {
  const addresses = Array.from({ length: size }, () => `late${++made}@clocks.example`)
  const contacts: string[] = []
  for (const address of addresses) contacts.push(await stage.contact(address))
  const { action } = await stage.planned(await stage.segment(contacts), 2)
  return { action, addresses }
}

suite('after a clock was put back an hour', () => {
  test('a message that was to leave at once leaves at once', async () => {
    const address = await message()
    clock.advance(-HOUR)
    assert.equal(await sentTo(address), 0)
    await look()
    assert.equal(await sentTo(address), 1)
  })

  test('a campaign that was planned before goes on', async () => {
    const { addresses } = await planned(5)
    clock.advance(-HOUR)
    await sendDue()
    assert.equal(gateway.to(addresses[0]!).length, 0)
    await look()
    await sendDue()
    assert.deepEqual(
      addresses.map((address) => gateway.to(address).length),
      addresses.map(() => 1),
    )
  })

  test('a campaign with a speed goes on at its pace', async () => {
    const addresses = Array.from({ length: 4 }, () => `late${++made}@clocks.example`)
    const contacts: string[] = []
    for (const address of addresses) contacts.push(await stage.contact(address))
    const segment = await stage.segment(contacts)
    const scheduler = { type: 'asap', segments: { selected: [segment] }, speed: 60 }
    await stage.validated(await stage.action({ type: 'mailCampaign', scheduler }))
    await stage.advance()
    await stage.work()
    const received = () => addresses.filter((address) => gateway.to(address).length > 0).length
    await sendDue()
    assert.equal(received(), 1)
    clock.advance(-HOUR)
    await look(true)
    // Its next turn may be a minute away, and is no more.
    clock.advance(MINUTE)
    await sendDue()
    assert.equal(received(), 2)
    await sendDue()
    assert.equal(received(), 2)
    clock.advance(MINUTE)
    await sendDue()
    assert.equal(received(), 3)
    clock.advance(2 * MINUTE)
    await sendDue()
    assert.equal(received(), 4)
  })
})

suite('of messages that wait', () => {
  test('one that was tried is due if its moment is farther away than its longest delay after so many tries', async () => {
    const [once, often] = [await message(), await message()]
    await write(once, 'attempts = 1, not_before = $2', [at(HOUR)])
    await write(often, 'attempts = 9, not_before = $2', [at(HOUR)])
    await look()
    assert.deepEqual([await sentTo(once), await sentTo(often)], [1, 0])
    await write(often, 'not_before = $2', [at(73 * MINUTE)])
    await look()
    assert.equal(await sentTo(often), 1)
  })

  test('one within its delay, one with a moment of its own and one that pressure holds go on waiting', async () => {
    const [soon, own, held] = [await message(), await message(), await message()]
    await write(soon, 'attempts = 1, not_before = $2', [at(15_000)])
    await write(own, 'created_at = $2, not_before = $3', [at(0), at(7 * 24 * HOUR)])
    await write(held, `created_at = $2, not_before = $3, last_reply = 'enough', postponement = '{}'`, [at(0), at(HOUR)])
    await look(true)
    assert.deepEqual([await sentTo(soon), await sentTo(own), await sentTo(held)], [0, 0, 0])
    for (const address of [soon, own, held]) await write(address, 'not_before = $2, postponement = null', [at(0)])
    await sendDue()
  })

  test('one that was given back untried is due when the clock has just been put back, and not at every start', async () => {
    const address = await message()
    await write(address, `created_at = $2, not_before = $3, last_reply = 'a pace'`, [at(-1000), at(HOUR)])
    await look()
    assert.equal(await sentTo(address), 0)
    await look(true)
    assert.equal(await sentTo(address), 1)
  })

  for (const order of [
    ['machine', 'database'],
    ['database', 'machine'],
    ['machine', 'machine', 'database'],
  ] as const)
    test(`one that was given back untried is due after steps of ${order.join(', then ')}`, async () => {
      const step: ((clock: WatchedClock, ms: number) => void)[] = []
      const end = startLateWorkWatch(context, { sample() {}, onStep: (listener) => step.push(listener) })
      const address = await message()
      await write(address, `created_at = $2, not_before = $3, last_reply = 'a pace'`, [at(-1000), at(HOUR)])
      for (const stepped of order) step[0]!(stepped, -HOUR)
      await eventually(async () => (await sentTo(address)) === 1)
      await end()
    })

  test('those that are due already are not read, however many they are', async () => {
    const address = await message()
    await write(address, 'created_at = $2, not_before = $2', [at(-MINUTE)])
    await pool.query(
      `insert into messages (account, lane, channel, kind, sending, version, contact, stamp, thread, set, stamp_time, not_before, expires_at, created_at)
       select account, lane, channel, 'copy', sending, version, contact, gen_random_uuid(), thread, set, stamp_time, not_before, expires_at, created_at
       from messages m cross join generate_series(1, 20000)
       where contact = (select id from contacts where key = $1)`,
      [address],
    )
    await pool.query('vacuum analyze messages')
    const { inOrder, byIndex } = await context.db
      .transaction()
      .execute((tx) =>
        rowsRead(tx, 'messages', () => makeLateWorkDue({ ...context, db: tx }, { now: clock.now(), hasStepped: true })),
      )
    assert.ok(inOrder + byIndex < 100, `${inOrder} rows in order, ${byIndex} by an index`)
    await pool.query(`delete from messages where kind = 'copy'`)
    await sendDue()
  })
})

/** The moment of a row that waits, by its place in a table. */
async function momentOf(table: string, column: string, where: string, values: unknown[]): Promise<number | null> {
  const { rows } = await pool.query<{ at: Date | null }>(`select ${column} as at from ${table} where ${where}`, values)
  return rows[0]!.at?.getTime() ?? null
}

suite('what else waits for a time farther ahead than it ever does is due', () => {
  test('reports of SMS and of RCS', async () => {
    const values = [own.account, at(0), at(HOUR), at(MINUTE)]
    await pool.query(
      `insert into rcs_inbox (digest, account, report, received_at, next_at)
       values ('\\x01', $1, '{}', $2, $3), ('\\x02', $1, '{}', $2, $4)`,
      values,
    )
    await pool.query(
      `insert into sms_inbox (gateway, owner, kind, report, received_at, next_at)
       values ('late', $1, 'reply', '{}', $2, $3), ('soon', $1, 'reply', '{}', $2, $4)`,
      values,
    )
    await look()
    for (const table of ['rcs_inbox', 'sms_inbox']) {
      const { rows } = await pool.query(`select next_at as at from ${table} order by next_at`)
      assert.deepEqual(rows, [{ at: at(0) }, { at: at(MINUTE) }])
      await pool.query(`delete from ${table}`)
    }
  })

  test('deliveries to webhooks, by their tries, and the hold of a webhook', async () => {
    const body = { name: 'Shop', url: 'https://hook.example/', events: ['hits'] }
    const { id } = (await call('POST', '/webhooks', { body })).body
    const deliver = async (tries: number, ms: number): Promise<string> => {
      const { rows } = await pool.query<{ id: string }>(
        `insert into webhook_deliveries (webhook, id, events, at, tries, next_at)
         values ($1, $2, '{}', $3, $4, $5) returning id`,
        [id, randomUUID(), at(0), tries, at(ms)],
      )
      return rows[0]!.id
    }
    const [fresh, once, often] = [await deliver(0, HOUR), await deliver(1, HOUR), await deliver(8, HOUR)]
    const within = await deliver(1, 5000)
    await pool.query('update webhooks set hold_until = $2 where id = $1', [id, at(HOUR + MINUTE)])
    await look()
    const moments: (number | null)[] = []
    for (const delivery of [fresh, once, often, within])
      moments.push(await momentOf('webhook_deliveries', 'next_at', 'id = $1', [delivery]))
    assert.deepEqual(moments, [clock.now(), clock.now(), clock.now() + HOUR, clock.now() + 5000])
    assert.equal(await momentOf('webhooks', 'hold_until', 'id = $1', [id]), null)
    await call('DELETE', `/webhooks/${id}`)
  })

  test('events that a webhook gathers in batches', async () => {
    const body = { name: 'Batches', url: 'https://hook.example/', events: ['hits'], batch: { size: 10, waitMs: 5000 } }
    const { id } = (await call('POST', '/webhooks', { body })).body
    const queue = async (queuedAt: string): Promise<number> => {
      await pool.query(
        `insert into listener_queue (account, kind, listener, event, depth, queued_at)
         values ($1, 'webhook', $2, uuidv7(), 0, clock_timestamp() + $3::interval)`,
        [own.account, id, queuedAt],
      )
      const [webhook] = await listBusyWebhooks(context.db, at(0))
      const formed = await formWebhookDeliveries(context.db, [{ webhook: webhook!, room: 1 }], at(0))
      return formed.length
    }
    assert.equal(await queue('0 seconds'), 0)
    await pool.query('delete from listener_queue')
    assert.equal(await queue('1 hour'), 1)
    await call('DELETE', `/webhooks/${id}`)
  })

  test('jobs of the queue, but for those that are to run later', async () => {
    await pool.query(
      `select graphile_worker.add_job('archives.wipe', job_key => key) from unnest('{fresh,failed,waiting}'::text[]) key`,
    )
    await pool.query(
      `select graphile_worker.add_job('archives.wipe', job_key => 'later', run_at => now() + interval '1 hour')`,
    )
    const shift = (key: string, columns: string) =>
      pool.query(`update graphile_worker._private_jobs set ${columns} where key = $1`, [key])
    await shift(
      'fresh',
      `run_at = now() + interval '1 hour', created_at = now() + interval '1 hour', updated_at = now() + interval '1 hour'`,
    )
    await shift('failed', `run_at = now() + interval '1 hour', attempts = 3`)
    await shift('waiting', `run_at = now() + interval '15 seconds', attempts = 3`)
    await look()
    const { rows } = await pool.query(
      `select key, run_at <= now() as due from graphile_worker._private_jobs where key in ('fresh', 'failed', 'waiting', 'later') order by key`,
    )
    assert.deepEqual(rows, [
      { key: 'failed', due: true },
      { key: 'fresh', due: true },
      { key: 'later', due: false },
      { key: 'waiting', due: false },
    ])
    await pool.query(`select graphile_worker.remove_job(key) from unnest('{fresh,failed,waiting,later}'::text[]) key`)
  })

  test('runs of workflows that wait for their turn or another try, but not at a node', async () => {
    const { activate, start } = workflowStage(stage)
    const workflow = await activate({ nodes: [{ id: 'end', type: 'terminal', default: true }] })
    const runs: string[] = []
    for (const phase of ['enter', 'retry', 'wait']) {
      await start(workflow)
      const { rows } = await pool.query<{ run: string }>(
        `update workflow_timers set due = $1 where due <= $2 returning run`,
        [at(HOUR), at(0)],
      )
      await pool.query('update workflow_runs set phase = $2 where id = $1', [rows[0]!.run, phase])
      runs.push(rows[0]!.run)
    }
    const moments = () => Promise.all(runs.map((run) => momentOf('workflow_timers', 'due', 'run = $1', [run])))
    await look()
    assert.deepEqual(await moments(), [clock.now(), clock.now() + HOUR, clock.now() + HOUR])
    await look(true)
    assert.deepEqual(await moments(), [clock.now(), clock.now(), clock.now() + HOUR])
    await pool.query('update workflow_timers set claimed_by = gen_random_uuid(), due = $1', [at(HOUR)])
    await endLateLeases(context, clock.now())
    assert.deepEqual(await moments(), [clock.now(), clock.now(), clock.now()])
  })
})

test('partitions of a taker whose lease lasts longer than any does are free', async () => {
  await pool.query(
    `insert into listener_takers (kind, taker, leased_until) values ('late', gen_random_uuid(), clock_timestamp() + interval '1 hour')`,
  )
  assert.equal((await leaseListenerPartitions(context.db, { kind: 'late', taker: randomUUID() }, MINUTE)).length, 64)
})

test('claims and leases that last longer than any does are over, and others go on', async () => {
  const [late, living] = [await message(), await message()]
  await write(late, `state = 'claimed', claimed_by = gen_random_uuid(), lease_until = $2`, [at(HOUR)])
  await write(living, `state = 'claimed', claimed_by = gen_random_uuid(), lease_until = $2`, [at(5 * MINUTE)])
  await endLateLeases(context, clock.now())
  const lease = (address: string) =>
    momentOf('messages', 'lease_until', 'contact = (select id from contacts where key = $1)', [address])
  assert.deepEqual([await lease(late), await lease(living)], [clock.now(), clock.now() + 5 * MINUTE])
})

test('a campaign that is planned for next week is left alone', async () => {
  const segment = await stage.segment([await stage.contact('week@clocks.example')])
  const scheduler = { type: 'scheduled', startDate: at(7 * 24 * HOUR).toISOString(), segments: { selected: [segment] } }
  const id = await stage.validated(await stage.action({ type: 'mailCampaign', scheduler }))
  await look(true)
  await stage.settle()
  assert.equal(gateway.to('week@clocks.example').length, 0)
  assert.equal(await stage.state(id), 50)
})
