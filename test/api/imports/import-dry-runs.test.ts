import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { startDueImports } from '../../../src/features/imports/run/starts.ts'
import { purgeStaleUploads } from '../../../src/features/imports/upload/upload-cleanup.ts'
import { seeded } from '../../fakes/scripts/seeded.ts'
import { type Answer, startHarness } from '../../support/harness.ts'

const { call, clock, context, dataDir, own, other, makeKey } = await startHarness()
const { pool } = context

const EMAIL = (await call('GET', '/fields')).body[0].id
await call('POST', '/fields', { body: { name: 'Name', type: 'textField' } })
const PHONE = (await call('POST', '/fields', { body: { name: 'Phone', type: 'phone' } })).body.id
const CSV = { 'content-type': 'text/csv' }

let made = 0
async function makeImport(more: object = {}): Promise<number> {
  const answer = await call('POST', '/imports', { body: { name: `Dry ${++made}`, ...more } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

interface Form {
  body?: unknown
  headers?: Record<string, string>
}

/** Starts a run, dry or not, and works it off. */
async function run(id: number, form: Form, dryRun: boolean): Promise<Answer['body']> {
  const started = await call('POST', `/imports/${id}/executions${dryRun ? '?dryRun=true' : ''}`, form)
  assert.equal(started.status, 200, started.text)
  await runImport(context, { execution: started.body.id })
  return (await call('GET', `/imports/${id}/executions/${started.body.id}`)).body
}

async function rejects(id: number, execution: number): Promise<string> {
  return (await call('GET', `/imports/${id}/executions/${execution}/rejects`)).text
}

/** Everything of the account that a dry run must leave alone. */
async function everything(): Promise<unknown> {
  const tables = [
    'select id, fields, unicity, key, updated_at from contacts order by id',
    'select * from red_list order by account, channel, contact',
    'select * from bounce_flags order by account, contact, field',
    'select * from segment_members order by account, segment, contact',
    'select type, contact, data from notices order by 1, 2, 3::text',
    'select id, name, binding, features, source, scheduler, next_at, updated_at from imports order by id',
    'select id, path from import_uploads order by id',
    'select * from import_segments order by 1, 2, 3',
    'select * from import_fields order by 1, 2, 3',
    'select execution, key from import_keys order by 1, 2',
    'select execution, contact from import_members order by 1, 2',
    `select task_identifier from graphile_worker.jobs where task_identifier <> 'imports.run' order by id`,
  ]
  const found = []
  for (const text of tables) found.push((await pool.query(text)).rows)
  return found
}

const figures = ({
  state,
  created,
  updated,
  rejected,
  duplicates,
  skipped,
  blocked,
  warnings,
  error,
  progress,
}: Answer['body']) => ({
  state,
  created,
  updated,
  rejected,
  duplicates,
  skipped,
  blocked,
  warnings,
  error,
  lines: progress.lines,
})

suite('a dry run', () => {
  const text = 'Email;Name\nknown@a.example;New\nfresh@a.example;Ann\nbad;x\nfresh@a.example;Twice\n'
  const forms: [string, Form][] = [
    ['raw text', { body: text, headers: CSV }],
    [
      'a form',
      {
        body: `--b\r\ncontent-disposition: form-data; name="data"; filename="p.csv"\r\n\r\n${text}\r\n--b--\r\n`,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      },
    ],
    ['JSON', { body: { source: { filename: 'p.csv', data: text } } }],
    [
      'octets',
      { body: JSON.stringify({ name: 'p.csv', data: text }), headers: { 'content-type': 'application/octet-stream' } },
    ],
  ]
  for (const [title, form] of forms) {
    test(`sent as ${title}, it reports what a run would do and writes nothing`, async () => {
      await call('PUT', '/targets', { body: { Email: 'known@a.example', Name: 'Old' } })
      const id = await makeImport()
      const before = await everything()
      const done = await run(id, form, true)
      const { id: execution, startDate, endDate, content, source, ...rest } = done
      assert.deepEqual(rest, {
        import: id,
        dryRun: true,
        state: 1,
        progress: { bytes: rest.progress.total, lines: 4, total: rest.progress.total },
        created: 1,
        updated: 1,
        rejected: 1,
        duplicates: 1,
        skipped: 0,
        blocked: 0,
        warnings: [],
        error: null,
      })
      assert.ok(startDate <= endDate)
      assert.deepEqual([content.features, content.bindings, source.type], [[], null, 'file'])
      assert.match(source.filename, /^[0-9A-F]{10}_/)
      assert.equal(
        await rejects(id, execution),
        'line;reason;column;content\n4;invalid-value;Email;bad\n5;duplicate;Email;fresh@a.example\n',
      )
      assert.deepEqual(await everything(), before)
      assert.equal((await call('GET', `/imports/${id}`)).body.source.filename, null)
      assert.deepEqual(readdirSync(join(dataDir, 'imports', String(own.account), String(id))), [])
    })
  }

  test('of the stored file uses the definition in the request without storing it', async () => {
    const id = await makeImport()
    await call('PUT', `/imports/${id}/source`, { body: 'Email;State\nx@b.example;gone\n', headers: CSV })
    const before = await everything()
    const features = [{ type: 'statuses', column: 'State', map: { gone: 'redList' } }]
    const done = await run(id, { body: { name: 'Other name', features } }, true)
    assert.deepEqual([done.created, done.blocked, done.content.features], [1, 1, features])
    assert.deepEqual(await everything(), before)
    assert.equal((await run(id, {}, true)).blocked, 0)
    const bad = await call('POST', `/imports/${id}/executions?dryRun=true`, { body: { features: [{ type: 'x' }] } })
    assert.equal(bad.status, 400)
    assert.deepEqual(await everything(), before)
  })

  test("does not replace the last run's state or file and is listed separately", async () => {
    const id = await makeImport()
    await run(id, { body: 'Email\na@c.example\n', headers: CSV }, true)
    const state = () => call('GET', `/imports/${id}/executions`)
    const list = (query = '') =>
      call('GET', `/imports/${id}/executions${query}`, { headers: { accept: 'application/json' } })
    assert.equal((await state()).status, 404)
    assert.deepEqual((await list()).body, [])
    const wet = await run(id, { body: 'Email\nb@c.example\n', headers: CSV }, false)
    await run(id, { body: 'Name\nNo unicity\n', headers: CSV }, true)
    assert.deepEqual((await state()).body, { state: 1 })
    assert.deepEqual((await list()).body, [wet])
    const dry = (await list('?dryRun=true')).body
    assert.deepEqual(
      dry.map((one: Answer['body']) => [one.dryRun, one.state, one.error?.type ?? null]),
      [
        [true, 2, 'unicity-not-bound'],
        [true, 1, null],
      ],
    )
  })

  test('runs alongside a real run, one at a time, and can be cancelled', async () => {
    const id = await makeImport()
    const start = (query: string) =>
      call('POST', `/imports/${id}/executions${query}`, { body: 'Email\na@d.example\n', headers: CSV })
    const wet = await start('')
    const dry = await start('?dryRun=true')
    assert.deepEqual([wet.status, dry.status], [200, 200])
    const second = await start('?dryRun=true')
    assert.deepEqual([second.status, second.body.type], [409, 'urn:stentor:problem:import-running'])
    assert.equal((await call('DELETE', `/imports/${id}/executions/${dry.body.id}`)).status, 204)
    await runImport(context, { execution: dry.body.id })
    await runImport(context, { execution: wet.body.id })
    const { body } = await call('GET', `/imports/${id}/executions/${dry.body.id}`)
    assert.deepEqual([body.state, body.error.type], [2, 'cancelled'])
    assert.deepEqual((await call('GET', `/imports/${id}/executions`)).body, { state: 1 })
  })

  test('leaves the file for the scheduler and does not block its tick', async () => {
    clock.set('2026-06-01T10:00:00Z')
    const scheduler = { type: 'scheduled', startDate: '2026-06-01T10:05:00Z' }
    const id = await makeImport({ scheduler })
    await call('PUT', `/imports/${id}/source`, { body: 'Email\nsoon@e.example\n', headers: CSV })
    await run(id, {}, true)
    const open = await call('POST', `/imports/${id}/executions?dryRun=true`)
    clock.set('2026-06-01T10:05:01Z')
    await startDueImports(context)
    assert.deepEqual((await call('GET', `/imports/${id}/executions`)).body, { state: 0 })
    await runImport(context, { execution: open.body.id })
  })

  test('sends no report and no webhook', async () => {
    const url = 'https://hooks.example/x'
    const hook = await call('POST', '/webhooks', {
      body: { name: 'Ear', url, events: ['target.created', 'target.redlisted', 'import.completed'] },
    })
    assert.ok(hook.status < 300, hook.text)
    const features = [
      { type: 'report', sendFinalReport: true },
      { type: 'redList', destination: { mail: true } },
    ]
    const id = await makeImport({ features })
    const form = { body: 'Email\nheard@f.example\n', headers: CSV }
    const before = await everything()
    assert.equal((await run(id, form, true)).blocked, 1)
    assert.deepEqual(await everything(), before)
    assert.equal((await run(id, form, false)).blocked, 1)
    assert.notDeepEqual(await everything(), before)
    await call('DELETE', `/webhooks/${hook.body.id}`)
  })

  test('keeps the members of a segment that the import would empty', async () => {
    const { body: segment } = await call('POST', '/segments', { body: { type: 'static', name: 'Kept by dry runs' } })
    const features = [{ type: 'segmentation', segmentId: segment.id, emptyExisitingSegment: true }]
    const id = await makeImport({ features })
    await run(id, { body: 'Email\nmember@g.example\n', headers: CSV }, false)
    const members = (await call('GET', `/segments/${segment.id}/targets`)).body
    assert.equal(members.length, 1)
    await run(id, { body: 'Email\nother@g.example\n', headers: CSV }, true)
    assert.deepEqual((await call('GET', `/segments/${segment.id}/targets`)).body, members)
  })

  test('resumes after a stop and a cleanup with correct counts, and leaves no keys behind', async () => {
    const id = await makeImport()
    const lines = Array.from({ length: 6000 }, (_, n) => `p${n % 5500}@h.example\n`).join('')
    const started = await call('POST', `/imports/${id}/executions?dryRun=true`, {
      body: `Email\n${lines}`,
      headers: CSV,
    })
    const stop = new AbortController()
    stop.abort()
    await runImport(context, { execution: started.body.id }, stop.signal)
    clock.advance(2 * 3_600_000)
    await purgeStaleUploads(context)
    await runImport(context, { execution: started.body.id })
    const { body } = await call('GET', `/imports/${id}/executions/${started.body.id}`)
    assert.deepEqual([body.state, body.created, body.duplicates], [1, 5500, 500])
    const keys = await pool.query('select count(*) as n from import_keys where execution = $1', [started.body.id])
    assert.equal(keys.rows[0].n, 0)
  })

  test('is refused for the same reasons as a run', async () => {
    const id = await makeImport()
    const start = (path: string, key = own.key) => call('POST', `/imports/${path}/executions?dryRun=true`, { key })
    const none = await start(String(id))
    assert.deepEqual([none.status, none.body.type], [409, 'urn:stentor:problem:no-file'])
    assert.equal((await start(String(id), other.key)).status, 404)
    assert.equal((await start('999999')).status, 404)
    assert.equal((await start(String(id), await makeKey(own.account, ['read']))).status, 403)
    const odd = await call('POST', `/imports/${id}/executions?dryRun=maybe`)
    assert.equal(odd.status, 400)
    const file = await call('POST', `/imports/${id}/executions?dryRun=true`, {
      body: '<x/>',
      headers: { 'content-type': 'text/xml' },
    })
    assert.equal(file.status, 415)
  })
})

suite('dry run figures', () => {
  const WORDS = ['unsubscribed', 'CLEANED', 'complained', 'subscribed', 'gold', '']
  const map = { unsubscribed: 'redList', cleaned: 'hardUser', complained: 'reportAsSpam', subscribed: null, '': null }

  interface Random {
    below(limit: number): number
    pick<Item>(items: readonly Item[]): Item
  }

  function randomOf(seed: number): Random {
    const next = seeded(seed)
    const below = (limit: number): number => Math.floor(next() * limit)
    return { below, pick: (items) => items[below(items.length)]! }
  }

  /** A file of people, few enough that many lines meet, with faults. */
  function randomFile(random: Random, isLong: boolean): string {
    const people = 1 + random.below(40)
    const lines = Array.from({ length: random.below(120) }, () => {
      const person = random.below(people)
      const local = random.below(5) === 0 ? `P${person}` : `p${person}`
      const address = random.below(12) === 0 ? 'bad' : `${local}@random.example`
      const phone = random.pick(['', '', '0612345678', `06123456${10 + random.below(3)}`, 'x'])
      return [
        address,
        random.pick(['', 'Ann', 'Bob', `N${random.below(3)}`]),
        phone,
        random.pick(WORDS),
        isLong ? 'x'.repeat(40_000) : '',
      ].join(';')
    })
    return `Email;Name;Phone;Status\n${lines.join('\n')}\n`
  }

  function randomFeatures(random: Random): object[] {
    const maybe = (feature: object) => (random.below(2) === 0 ? [feature] : [])
    const rule = random.pick(['first', 'ignore', 'last'])
    return [
      ...maybe({ type: 'duplicate', rules: { [rule]: true } }),
      ...maybe({ type: 'database', updateExisting: random.below(3) > 0, crushData: random.below(2) === 0 }),
      ...maybe({ type: 'redList', destination: { mail: random.below(2) === 0, sms: random.below(2) === 0 } }),
      ...maybe({ type: 'statuses', column: 'Status', map, ...(random.below(2) === 0 && { field: PHONE }) }),
    ]
  }

  for (let seed = 1; seed <= 60; seed++) {
    test(`equal those of the run that follows (${seed})`, async () => {
      const random = randomOf(seed)
      const form = { body: randomFile(random, seed % 10 === 0), headers: CSV }
      const id = await makeImport({ features: randomFeatures(random) })
      const before = await everything()
      const dry = await run(id, form, true)
      assert.deepEqual(await everything(), before)
      const wet = await run(id, form, false)
      assert.deepEqual(figures(dry), figures(wet))
      assert.equal(await rejects(id, dry.id), await rejects(id, wet.id))
      const { created, updated, rejected, duplicates, skipped, progress } = wet
      assert.equal(created + updated + rejected + duplicates + skipped, progress.lines)
      // Some leave, and some lose what stops sends to them.
      for (let n = 0; n < 5; n++) {
        const { body } = await call('GET', `/targets?unicity=p${random.below(40)}%40random.example`)
        if (!body) continue
        if (random.below(2) === 0) await call('DELETE', `/targets/${body.id}`)
        else await call('DELETE', `/targets/${body.id}/bounces/${random.pick([EMAIL, PHONE])}`)
      }
    })
  }
})
