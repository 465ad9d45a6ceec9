import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import {
  openWebtaskRunRecorder,
  recordWebtaskRuns,
  trimWebtaskRuns,
  type WebtaskRunRecord,
} from '../../../src/features/webtasks/executions/records.ts'
import { parseContactId } from '../../../src/lib/ids.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { purgeExpiredRows } from '../../../src/service/retention.ts'
import { startWebtaskStage, WEBTASKS } from '../../support/stages/webtask-stage.ts'
import { eventually } from '../../support/wait.ts'

const stage = await startWebtaskStage()
const { answers, call, clock, context, execute, executeAll, host, own, seen, webtask } = stage
const { db } = context

async function contact(address: string): Promise<string> {
  const { status, body, text } = await call('POST', '/targets', { body: { Email: address } })
  assert.equal(status, 200, text)
  return body.id
}
const runsOf = async (id: number, query = '') => (await call('GET', `${WEBTASKS}/${id}/runs${query}`)).body
const failing =
  'export default ({ data }) => { log(data.n); if (data.n % 2) throw new Error("no " + data.n); return data.n }'

suite('webtask runs', () => {
  test('are listed newest first, filtered by period and outcome, in pages', async () => {
    const id = await webtask(failing)
    const since = clock.now()
    for (let n = 0; n < 5; n++) {
      clock.advance(1000)
      await execute(id, { data: { n }, stamp: { id: `018f0000-0000-7000-8000-00000000000${n}` } })
    }
    const all = await runsOf(id)
    const [last, before] = all
    assert.deepEqual(last, {
      id: '018f0000-0000-7000-8000-000000000004',
      date: new Date(since + 5000).toISOString(),
      origin: { type: 'api' },
      outcome: 'success',
      durationMs: last.durationMs,
      error: null,
      logs: last.logs,
    })
    assert.deepEqual(
      last.logs.map(({ level, text }: { level: string; text: string }) => [level, text]),
      [['info', '4']],
    )
    assert.deepEqual([before.outcome, before.error.type, before.error.message], ['error', 'script', 'no 3'])
    const ids = (runs: { id: string }[]) => runs.map((run) => Number(run.id.at(-1)))
    assert.deepEqual(ids(all), [4, 3, 2, 1, 0])
    assert.deepEqual(ids(await runsOf(id, '?outcome=error')), [3, 1])
    const at = (n: number) => new Date(since + 1000 * (n + 1)).toISOString()
    assert.deepEqual(ids(await runsOf(id, `?start=${at(1)}&end=${at(3)}`)), [2, 1])
    assert.deepEqual(ids(await runsOf(id, `?start=${since + 3000}&outcome=success`)), [4, 2])
    const first = await call('GET', `${WEBTASKS}/${id}/runs?limit=2`)
    const next = /<(.*)>/.exec(String(first.headers['link']))?.[1] ?? ''
    assert.deepEqual(
      [ids(first.body), ids((await call('GET', next)).body)],
      [
        [4, 3],
        [2, 1],
      ],
    )
    for (const query of ['?outcome=other', '?start=x', `?start=${at(3)}&end=${at(1)}`])
      assert.equal((await call('GET', `${WEBTASKS}/${id}/runs${query}`)).status, 400)
  })

  test('the last 1,000 of each outcome are retained for a week, and deleted with the webtask', async () => {
    const id = await webtask(failing)
    const now = clock.now()
    const run = (n: number): WebtaskRunRecord => ({
      webtask: { account: own.account, id },
      id: randomUUID(),
      at: now - 1_010_000 + n * 1000,
      origin: { type: 'api' },
      contacts: [],
      durationMs: 1,
      ...(n % 100 === 0 ? { outcome: 'error', error: { type: 'script' } } : { outcome: 'success', error: null }),
      logs: [],
    })
    await recordWebtaskRuns(
      db,
      Array.from({ length: 1100 }, (_, n) => run(n)),
    )
    assert.equal((await runsOf(id)).length, 1000)
    assert.equal((await runsOf(id, '?outcome=error')).length, 11)
    await trimWebtaskRuns(db, now)
    const count = async () => {
      const { rows } = await sql<{
        n: number
      }>`select count(*)::integer as n from webtask_runs where webtask = ${id}`.execute(db)
      return rows[0]?.n
    }
    assert.equal(await count(), 1011)
    clock.advance(7 * DAY_MS)
    assert.equal((await runsOf(id)).length, (await runsOf(id, `?start=${now}`)).length)
    await purgeExpiredRows(context, 'forgetWebtaskRuns', clock.now())
    assert.equal(await count(), (await runsOf(id)).length)
    await execute(id, { data: { n: 0 } })
    await call('DELETE', `${WEBTASKS}/${id}`)
    assert.equal(await count(), 0)
  })

  test('characters that jsonb cannot store are retained and returned', async () => {
    const id = await webtask('export default () => { log("a\\u0000\\ud800"); throw new Error("b\\u0000") }')
    const stamp = { id: randomUUID() }
    const { body } = await execute(id, { stamp })
    assert.deepEqual((await execute(id, { stamp })).body, body)
    const [run] = await runsOf(id)
    assert.deepEqual([run.error, run.logs], [body.value, body.logs])
  })

  test('stamps are deleted after a day', async () => {
    const id = await webtask('export default () => 1')
    const stamps = async () =>
      (await sql`select from webtask_stamps where account = ${own.account}`.execute(db)).rows.length
    await execute(id, { stamp: { id: randomUUID() } })
    await purgeExpiredRows(context, 'forgetStamps', clock.now())
    const before = await stamps()
    clock.advance(DAY_MS + 1)
    await execute(id, { stamp: { id: randomUUID() } })
    await purgeExpiredRows(context, 'forgetStamps', clock.now())
    assert.deepEqual([before > 0, await stamps()], [true, 1])
  })
})

suite('webtask runs of a contact', () => {
  const telling = `export default ({ contact, data }) => {
    log(contact ? contact.unicity : data.about)
    if (data.fail) throw new Error(contact.unicity)
    return { who: contact && contact.unicity }
  }`
  const address = 'ann.erased@orchard.example'

  test('are part of its export, and contain nothing personal after its erasure', async () => {
    const id = await webtask(telling)
    const who = await contact(address)
    const other = await contact('bob.stays@orchard.example')
    const receiver = { type: 'id', value: who }
    const stamps = [randomUUID(), randomUUID()]
    await execute(id, { receiver, stamp: { id: stamps[0] } })
    await execute(id, { receiver, data: { fail: true }, stamp: { id: stamps[1] } })
    await execute(id, { receiver: { type: 'id', value: other }, related: receiver })
    await executeAll(id, [
      { data: { about: `of ${address.toUpperCase()}` } },
      { receiver: { type: 'id', value: other } },
    ])
    const exported = (await call('GET', `/targets/${who}/export`)).body
    assert.deepEqual(
      exported.webtaskRuns.map(({ webtask: of, outcome }: { webtask: number; outcome: string }) => [of, outcome]),
      [
        [id, 'success'],
        [id, 'error'],
        [id, 'success'],
      ],
    )
    assert.equal((await call('DELETE', `/targets/${who}?erase=true`)).status, 204)
    const runs = await runsOf(id)
    assert.ok(!JSON.stringify(runs).toLowerCase().includes('erased'))
    const shown = runs.map(
      ({ outcome, error, logs }: { outcome: string; error: unknown; logs: { text: string }[] }) => [
        outcome,
        error,
        logs.map(({ text }) => text),
      ],
    )
    const ordered = shown.toSorted((one: unknown, two: unknown) => (JSON.stringify(one) < JSON.stringify(two) ? -1 : 1))
    assert.deepEqual(ordered, [
      ['error', { type: 'script' }, []],
      ['success', null, ['bob.stays@orchard.example']],
      ['success', null, []],
      ['success', null, []],
      ['success', null, []],
    ])
    const again = await execute(id, { stamp: { id: stamps[0] } })
    assert.deepEqual([again.body.type, again.body.value, again.body.logs], ['success', null, []])
    const failed = await execute(id, { stamp: { id: stamps[1] } })
    assert.deepEqual([failed.body.type, failed.body.value, failed.body.logs], ['error', { type: 'script' }, []])
    const { rows } = await sql`
      select from webtask_runs where account = ${own.account} and contacts @> ${[parseContactId(who)]}::bigint[]`.execute(
      db,
    )
    assert.equal(rows.length, 0)
  })

  test('that end after its erasure are stored empty', async () => {
    const id = await webtask(telling)
    const who = await contact('cat.erased@orchard.example')
    const number = parseContactId(who)!
    await call('DELETE', `/targets/${who}?erase=true`)
    await openWebtaskRunRecorder(db).add({
      webtask: { account: own.account, id },
      id: randomUUID(),
      at: clock.now(),
      origin: { type: 'api' },
      contacts: [number],
      outcome: 'error',
      durationMs: 1,
      error: { type: 'script', message: 'cat.erased' },
      logs: [{ level: 'info', at: 0, text: 'cat.erased' }],
    })
    const [run] = await runsOf(id)
    assert.deepEqual([run.error, run.logs], [{ type: 'script' }, []])
  })

  test('in progress during its erasure are stored empty', async () => {
    const id = await webtask(
      `export default async ({ contact }) => {
        log(contact.unicity)
        await http.fetch("http://${host}/")
        return contact.unicity
      }`,
      { scripting: { environment: { capabilities: ['http.fetch'], http: { allow: [`http://${host}`] } } } },
    )
    const who = await contact('eve.erased@orchard.example')
    const item = { receiver: { type: 'id', value: who }, stamp: { id: randomUUID() } }
    const before = seen.length
    let answer: () => void = () => assert.fail()
    answers.push((response) => {
      answer = () => void response.end('{}')
    })
    const run = execute(id, item)
    await eventually(() => seen.length > before)
    assert.equal((await call('DELETE', `/targets/${who}?erase=true`)).status, 204)
    answer()
    assert.equal((await run).body.value, 'eve.erased@orchard.example')
    assert.deepEqual((await execute(id, item)).body.value, null)
    assert.doesNotMatch(JSON.stringify(await runsOf(id)), /eve\.erased/)
  })

  test('are emptied when it is erased after its deletion', async () => {
    const id = await webtask(telling)
    const who = await contact('dan.erased@orchard.example')
    await execute(id, { receiver: { type: 'id', value: who } })
    assert.equal((await call('DELETE', `/targets/${who}`)).status, 204)
    assert.match(JSON.stringify(await runsOf(id)), /dan\.erased/)
    assert.equal((await call('DELETE', `/targets/${who}?erase=true`)).status, 204)
    assert.doesNotMatch(JSON.stringify(await runsOf(id)), /dan\.erased/)
  })
})
