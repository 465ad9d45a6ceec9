import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { startDueImports } from '../../../src/features/imports/run/starts.ts'
import { startHarness } from '../../support/harness.ts'

const { call, clock, context } = await startHarness()
let files = 0

const daily = {
  type: 'periodic',
  frequency: { occurs: { type: 'daily' }, periodicity: { type: 'once', value: { hour: 6 } } },
}

async function makeImport(scheduler: unknown, more: object = {}) {
  const { status, body, text } = await call('POST', '/imports', { body: { name: 'Nightly', scheduler, ...more } })
  assert.equal(status, 200, text)
  return body
}

async function upload(id: number): Promise<void> {
  const body = `Email\nperson${++files}@example.org\n`
  const answer = await call('PUT', `/imports/${id}/source`, { body, headers: { 'content-type': 'text/csv' } })
  assert.equal(answer.status, 200, answer.text)
}

/** Lets time pass to an instant and starts what is due; gives how many runs the import has had. */
async function runsAt(id: number, instant: string, { finish = true } = {}): Promise<number> {
  clock.set(instant)
  await startDueImports(context)
  const { body } = await call('GET', `/imports/${id}/executions`, { headers: { accept: 'application/json' } })
  for (const { id: execution, state } of finish ? body : []) if (state === 0) await runImport(context, { execution })
  return body.length
}

async function nextDate(id: number): Promise<string | null> {
  return (await call('GET', `/imports/${id}`)).body.scheduler.nextDate
}

suite("an import's scheduler", () => {
  test('is returned normalised, with the members that the service sets', async () => {
    clock.set('2026-03-01T10:00:00.000Z')
    const given = {
      type: 'Periodic',
      name: 'Every night',
      description: null,
      enabled: null,
      timeZone: 'europe/paris',
      frequency: {
        occurs: { type: 'WEEKLY', days: ['sunday', 'Mon', 'mon'] },
        periodicity: { type: 'once', value: { hour: 6, minute: '30' } },
      },
      validity: { start: { year: 2026, month: 3, date: 9, hour: 6, minute: 30, second: 0 }, end: '2027-01-01' },
      id: 7,
      nextDate: 'x',
    }
    const { id, scheduler } = await makeImport(given)
    assert.deepEqual(scheduler, {
      type: 'periodic',
      id,
      creationDate: '2026-03-01T10:00:00.000Z',
      nextDate: '2026-03-09T05:30:00.000Z',
      name: 'Every night',
      description: null,
      enabled: true,
      timeZone: 'Europe/Paris',
      frequency: {
        occurs: { type: 'weekly', days: ['Mon', 'Sun'] },
        periodicity: { type: 'once', value: { hour: 6, minute: 30, second: 0 } },
      },
      validity: given.validity,
    })
    clock.set('2026-03-02T10:00:00.000Z')
    assert.deepEqual((await call('PUT', `/imports/${id}`, { body: { scheduler } })).body.scheduler, scheduler)
    const off = await call('PUT', `/imports/${id}`, { body: { scheduler: { ...scheduler, enabled: false } } })
    assert.equal(off.body.scheduler.nextDate, null)
  })

  test("accepts a single day, an interval in minutes and the account's time zone", async () => {
    clock.set('2026-03-01T10:00:00.000Z')
    const monthly = { ...daily, frequency: { occurs: { type: 'monthly', days: 31 } } }
    assert.equal((await makeImport(monthly)).scheduler.nextDate, '2026-03-31T00:00:00.000Z')
    const often = {
      ...daily,
      frequency: { occurs: { type: 'daily' }, periodicity: { type: 'every', value: { minutes: 15 } } },
    }
    assert.equal((await makeImport(often)).scheduler.nextDate, '2026-03-01T10:15:00.000Z')
    await call('PUT', '/settings/contacts', { body: { timeZone: 'Asia/Tokyo' } })
    assert.equal((await makeImport(daily)).scheduler.nextDate, '2026-03-01T21:00:00.000Z')
    await call('PUT', '/settings/contacts', { body: { timeZone: 'UTC' } })
  })

  test('is refused with a pointer to its fault and a hint at valid values', async () => {
    const occurs = (value: unknown) => ({ ...daily, frequency: { occurs: value } })
    const periodicity = (value: unknown) => ({ ...daily, frequency: { occurs: { type: 'daily' }, periodicity: value } })
    const faults: [unknown, string][] = [
      [{ startDate: '2030-01-01T00:00:00.000Z' }, '/scheduler/type'],
      [{ type: 'hourly' }, '/scheduler/type'],
      [{ type: 'scheduled' }, '/scheduler/startDate'],
      [{ type: 'scheduled', startDate: 'soon' }, '/scheduler/startDate'],
      [{ type: 'periodic' }, '/scheduler/frequency'],
      [occurs({ type: 'yearly' }), '/scheduler/frequency/occurs/type'],
      [occurs({ type: 'weekly' }), '/scheduler/frequency/occurs/days'],
      [occurs({ type: 'weekly', days: [] }), '/scheduler/frequency/occurs/days'],
      [occurs({ type: 'weekly', days: ['Mon', 'Moonday', 'x'] }), '/scheduler/frequency/occurs/days/1'],
      [occurs({ type: 'monthly', days: [1, 32] }), '/scheduler/frequency/occurs/days/1'],
      [occurs({ type: 'monthly', days: 0 }), '/scheduler/frequency/occurs/days'],
      [periodicity({ type: 'twice' }), '/scheduler/frequency/periodicity/type'],
      [periodicity({ type: 'once', value: { hour: 24 } }), '/scheduler/frequency/periodicity/value/hour'],
      [periodicity({ type: 'every' }), '/scheduler/frequency/periodicity/value'],
      [periodicity({ type: 'every', value: { minutes: 0 } }), '/scheduler/frequency/periodicity/value/minutes'],
      [{ ...daily, validity: { start: 'x' } }, '/scheduler/validity/start'],
      [{ ...daily, validity: { start: { year: 2026, month: 2, date: 30 } } }, '/scheduler/validity/start/date'],
      [{ ...daily, validity: { start: '2026-02-02', end: '2026-02-01' } }, '/scheduler/validity/end'],
      [{ ...daily, timeZone: '+02:00' }, '/scheduler/timeZone'],
      [{ ...daily, enabled: 'yes' }, '/scheduler/enabled'],
      [{ ...daily, name: 5 }, '/scheduler/name'],
    ]
    for (const [scheduler, pointer] of faults) {
      const { status, body } = await call('POST', '/imports', { body: { name: 'x', scheduler } })
      assert.deepEqual([status, body.errors?.[0]?.pointer], [400, pointer], JSON.stringify(scheduler))
    }
    const { body } = await call('POST', '/imports', { body: { name: 'x', scheduler: occurs({ type: 'yearly' }) } })
    assert.match(body.errors[0].detail, /daily, weekly, monthly/)
  })
})

suite('a scheduler tick', () => {
  test('runs an upload once, then waits for the next upload', async () => {
    clock.set('2026-03-01T10:00:00.000Z')
    const { id } = await makeImport(daily)
    assert.equal(await runsAt(id, '2026-03-02T06:00:00.000Z'), 0)
    await upload(id)
    assert.equal(await runsAt(id, '2026-03-03T05:59:59.999Z'), 0)
    assert.equal(await nextDate(id), '2026-03-03T06:00:00.000Z')
    assert.equal(await runsAt(id, '2026-03-03T06:00:00.000Z'), 1)
    assert.equal(await nextDate(id), '2026-03-04T06:00:00.000Z')
    assert.equal(await runsAt(id, '2026-03-04T06:00:01.000Z'), 1)
    await upload(id)
    assert.equal(await runsAt(id, '2026-03-05T06:00:01.000Z'), 2)
  })

  test('is skipped while the import is running', async () => {
    clock.set('2026-03-01T10:00:00.000Z')
    const { id } = await makeImport(daily)
    await upload(id)
    assert.equal(await runsAt(id, '2026-03-02T06:00:00.000Z', { finish: false }), 1)
    await upload(id)
    assert.equal(await runsAt(id, '2026-03-03T06:00:00.000Z'), 1)
    assert.equal(await runsAt(id, '2026-03-03T07:00:00.000Z'), 1)
    assert.equal(await runsAt(id, '2026-03-04T06:00:00.000Z'), 2)
  })

  test('missed while no process ran causes one run if one is less than a day old', async () => {
    clock.set('2026-03-01T10:00:00.000Z')
    const often = {
      ...daily,
      frequency: { occurs: { type: 'daily' }, periodicity: { type: 'every', value: { minutes: 60 } } },
    }
    const { id } = await makeImport(often)
    await upload(id)
    assert.equal(await runsAt(id, '2026-03-02T10:30:00.000Z'), 1)
    assert.equal(await nextDate(id), '2026-03-02T11:00:00.000Z')
    await upload(id)
    assert.equal(await runsAt(id, '2026-03-05T11:30:00.000Z'), 2)
    const once = await makeImport({ type: 'scheduled', startDate: '2026-03-06T00:00:00Z' })
    await upload(once.id)
    assert.equal(await runsAt(once.id, '2026-03-07T00:00:00.000Z'), 0)
    assert.equal(await nextDate(once.id), null)
  })

  test('of a fixed date causes one run, whichever process is first', async () => {
    clock.set('2026-03-01T10:00:00.000Z')
    const { id } = await makeImport({ type: 'SCHEDULED', startDate: '2026-03-01T12:00:00+01:00' })
    assert.equal(await nextDate(id), '2026-03-01T11:00:00.000Z')
    await upload(id)
    clock.set('2026-03-01T11:00:00.500Z')
    await Promise.all([1, 2, 3, 4].map(() => startDueImports(context)))
    assert.equal(await runsAt(id, '2026-03-01T11:00:01.000Z'), 1)
    assert.equal(await nextDate(id), null)
    await upload(id)
    assert.equal(await runsAt(id, '2026-03-02T11:00:01.000Z'), 1)
  })

  test('never occurs for a disabled or removed scheduler', async () => {
    clock.set('2026-03-01T10:00:00.000Z')
    const [off, gone] = [await makeImport({ ...daily, enabled: false }), await makeImport(daily)]
    await upload(off.id)
    await upload(gone.id)
    await call('PUT', `/imports/${gone.id}`, { body: { scheduler: null } })
    assert.equal(await runsAt(off.id, '2026-03-02T06:00:00.000Z'), 0)
    assert.equal(await runsAt(gone.id, '2026-03-02T06:00:00.000Z'), 0)
  })
})
