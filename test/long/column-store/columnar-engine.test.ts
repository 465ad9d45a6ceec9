import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { type Engine, engineClient, engineIsMissing, startEngine } from '../../fakes/column-store/columnar-engine.ts'
import { eventually } from '../../support/wait.ts'

const skip = await engineIsMissing()

const rowsOf = async <Row>(client: ClickHouseClient, query: string, parameters?: Record<string, unknown>) =>
  (await client.query({ query, format: 'JSONEachRow', query_params: parameters })).json<Row>()

const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => assert.fail('was not refused'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof ClickHouseError, String(error))
  return { code: error.code, type: error.type }
}

describe('columnar engine', { skip }, async () => {
  if (skip !== undefined) return
  const engine = await startEngine()
  const client = engineClient(engine.url)
  after(async () => {
    await client.close()
    await engine.stop()
  })

  test('returns what was inserted, with parameters of every kind', async () => {
    await client.command({ query: 'create table kinds (id UInt128, text String, at DateTime64(6)) order by id' })
    const awkward = 'a\tb\nc\\d\'e"f{g:String} ü'
    const rows = [
      { id: '340282366920938463463374607431768211455', text: awkward, at: '2026-01-02 03:04:05.000006' },
      { id: '1', text: '', at: '2026-01-01 00:00:00.000000' },
    ]
    await client.insert({ table: 'kinds', values: rows, format: 'JSONEachRow' })
    assert.deepEqual(
      await rowsOf(client, 'select toString(id) as id, text, at from kinds where text = {text: String}', {
        text: awkward,
      }),
      [rows[0]],
    )
    assert.deepEqual(
      await rowsOf(
        client,
        'select text from kinds where id in {ids: Array(UInt128)} and has({texts: Array(String)}, text)',
        {
          ids: [1n, 2n],
          texts: ['', awkward],
        },
      ),
      [{ text: '' }],
    )
    const many = Array.from({ length: 50_000 }, (_, id) => BigInt(id))
    const found = await client.query({
      query: 'select toUInt32(id) as id from kinds where id in {ids: Array(UInt128)}',
      format: 'JSONEachRow',
      query_params: { ids: many },
      use_multipart_params: true,
    })
    assert.deepEqual(await found.json(), [{ id: 1 }])
  })

  test('accepts input() rows, compressed bodies and settings for a statement', async () => {
    await client.command({ query: 'create table shaped (id UInt64, text String) order by id' })
    const packed = createClient({
      ...access(engine),
      compression: { request: true, response: true },
    })
    try {
      await packed.exec({
        query: `insert into shaped (id, text) select id * 10, upper(text) from input('id UInt64, text String') format TabSeparated`,
        values: Readable.from(['1\ta\n', '2\tb\n'], { objectMode: false }),
      })
      await packed.insert({
        table: 'shaped',
        values: Readable.from(['3\tc\n'], { objectMode: false }),
        format: 'TabSeparated',
      })
      assert.deepEqual(await rowsOf(packed, 'select toUInt32(id) as id, text from shaped order by id'), [
        { id: 3, text: 'c' },
        { id: 10, text: 'A' },
        { id: 20, text: 'B' },
      ])
      const sized = await packed.query({
        query: `select toUInt32(getSetting('max_block_size')) as size`,
        clickhouse_settings: { max_block_size: '77' },
        format: 'JSONEachRow',
      })
      assert.deepEqual(await sized.json(), [{ size: 77 }])
    } finally {
      await packed.close()
    }
  })

  test('reports errors with their code, even in the middle of an answer', async () => {
    assert.deepEqual(await refusalOf(client.query({ query: 'select * from nowhere' })), {
      code: '60',
      type: 'UNKNOWN_TABLE',
    })
    assert.deepEqual(await refusalOf(client.command({ query: 'create tabel x' })), { code: '62', type: 'SYNTAX_ERROR' })
    const nowhere = createClient({ ...access(engine), database: 'no' })
    assert.deepEqual(await refusalOf(nowhere.query({ query: 'select 1' })), { code: '81', type: 'UNKNOWN_DATABASE' })
    await nowhere.close()
    const halfway = await client.query({
      query: `select number, repeat('x', 100), throwIf(number = 300000) from numbers(400000)`,
      format: 'TabSeparated',
    })
    await assert.rejects(async () => {
      for await (const rows of halfway.stream()) assert.ok(rows.length > 0)
    })
    assert.deepEqual(await rowsOf(client, 'select 1 as one'), [{ one: 1 }], 'the next answer has nothing of it')
  })

  test('refuses a wrong password and an unknown user', async () => {
    for (const wrong of [{ password: 'other' }, { username: 'nobody' }]) {
      const stranger = createClient({ ...access(engine), ...wrong })
      assert.deepEqual(await refusalOf(stranger.query({ query: 'select 1' })), {
        code: '516',
        type: 'AUTHENTICATION_FAILED',
      })
      await stranger.close()
    }
  })

  test('stores a batch with the same token once, also in views', async () => {
    const settings = 'settings non_replicated_deduplication_window = 100'
    await client.command({ query: `create table named (id UInt64) order by id ${settings}` })
    await client.command({ query: `create table viewed (id UInt64) order by id ${settings}` })
    await client.command({ query: 'create materialized view view_of_named to viewed as select id from named' })
    const insert = (token: string, values: object[]) =>
      client.insert({
        table: 'named',
        values,
        format: 'JSONEachRow',
        clickhouse_settings: {
          insert_deduplication_token: token,
          deduplicate_blocks_in_dependent_materialized_views: 1,
        },
      })
    for (const token of ['a', 'a', 'b']) await insert(token, [{ id: 1 }, { id: 2 }])
    assert.deepEqual(
      await rowsOf(
        client,
        'select toUInt32(count()) as rows, (select toUInt32(count()) from viewed) as viewed from named',
      ),
      [{ rows: 4, viewed: 4 }],
    )
  })

  test('streams a large answer while answering other queries', async () => {
    const large = await client.query({
      query: `select number, repeat('y', 490) as text from numbers(100000)`,
      format: 'JSONEachRow',
    })
    let count = 0
    for await (const rows of large.stream()) {
      if (count === 0) assert.deepEqual(await rowsOf(client, 'select 2 as two'), [{ two: 2 }])
      count += rows.length
    }
    assert.equal(count, 100_000)
  })

  test('ends a statement when its caller disconnects', async () => {
    const { stream } = await client.exec({
      query: `select repeat('z', 490) from numbers(1000000000) format TabSeparated`,
    })
    for await (const _ of stream) break
    stream.destroy()
    await eventually(async () => (await rowsOf(client, 'select query from system.processes')).length === 1)
  })

  test('can be paused by refusing or hanging, and resumed', async () => {
    const impatient = createClient({ ...access(engine), request_timeout: 300 })
    for (const absence of ['refuse', 'hang'] as const) {
      await engine.pause(absence)
      assert.equal((await impatient.ping()).success, false)
      await engine.resume()
      assert.equal((await client.ping()).success, true)
    }
    await impatient.close()
  })

  test('can lose an answer on request, but not the rows', async () => {
    await client.command({ query: 'create table unanswered (id UInt64) order by id' })
    await engine.loseAnswer('unanswered')
    await assert.rejects(client.insert({ table: 'unanswered', values: [{ id: 1 }], format: 'JSONEachRow' }))
    assert.deepEqual(await rowsOf(client, 'select toUInt32(id) as id from unanswered'), [{ id: 1 }])
  })

  test('keeps databases separate', async () => {
    const own = await engine.createDatabase()
    const other = engineClient(own.url)
    await other.command({ query: 'create table apart (id UInt64) order by id' })
    assert.deepEqual(await refusalOf(client.query({ query: 'select * from apart' })), {
      code: '60',
      type: 'UNKNOWN_TABLE',
    })
    await other.close()
    await own.drop()
  })
})

describe('killed columnar engine', { skip }, async () => {
  if (skip !== undefined) return

  test('has every acknowledged row after a restart, in readable files', async () => {
    const first = await startEngine()
    const client = engineClient(first.url)
    await client.command({ query: 'create table kept (id UInt64, text String codec(NONE)) order by id' })
    let acknowledged = 0
    const insert = async () => {
      for (let id = 1; ; id++) {
        await client.insert({ table: 'kept', values: [{ id, text: `needle-${id}` }], format: 'JSONEachRow' })
        acknowledged = id
        if (id === 20) void first.kill()
      }
    }
    await assert.rejects(insert())
    await client.close()
    const second = await startEngine({ directory: first.directory, port: first.port })
    try {
      const again = engineClient(second.url)
      const [{ count }] = (await rowsOf<{ count: number }>(again, 'select toUInt32(count()) as count from kept')) as [
        { count: number },
      ]
      await again.close()
      assert.ok(
        acknowledged >= 20 && (count === acknowledged || count === acknowledged + 1),
        `${count}, ${acknowledged}`,
      )
      const { stdout } = await promisify(execFile)('grep', ['-rla', 'needle-1', second.directory])
      assert.match(stdout, /data\.bin/)
    } finally {
      await second.stop()
    }
  })
})

/** Quiet, as the errors here are meant. */
function access({ httpUrl: url, user: username, password }: Engine) {
  return { url, username, password, database: 'events', log: { level: ClickHouseLogLevel.OFF } }
}
