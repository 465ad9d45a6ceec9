import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { ClientBase } from 'pg'
import type { ServiceContext } from '../../../src/context.ts'
import type { ImportFeatureBody } from '../../../src/features/imports/definitions/feature-schemas.ts'
import type { ImportExecution } from '../../../src/features/imports/definitions/import-schemas.ts'
import { createImport } from '../../../src/features/imports/definitions/imports.ts'
import {
  cancelImportExecution,
  formatRejectsCsv,
  readImportExecution,
  startImportExecution,
} from '../../../src/features/imports/run/executions.ts'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { lockImportRun } from '../../../src/features/imports/run/run-lock.ts'
import { purgeStaleUploads } from '../../../src/features/imports/upload/upload-cleanup.ts'
import { purgeImportFiles, recordUpload, storeUpload } from '../../../src/features/imports/upload/uploads.ts'
import { IMPORT_FILES, noSharedData, SHARED_DATA } from '../../support/files/sample-files.ts'
import { zip } from '../../support/files/zip.ts'
import { startHarness } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const CHILD = fileURLToPath(new URL('../../fixtures/imports/run-import.ts', import.meta.url))
/** Lines that a run commits together here. */
const BATCH = 500

const { call, clock, context, dataDir, makeAccount, own, other } = await startHarness()
const { db, pool } = context

/** Ids of the fields of the account, by name. */
const fields: Record<string, number> = {}

before(async () => {
  const list = async (name: string, labels: string[]) => {
    const values = labels.map((value) => ({ value }))
    return (await call('POST', '/valueLists', { body: { name, values } })).body.id
  }
  const wanted = [
    { type: 'singleSelectList', name: 'Title', valueListId: await list('Titles', ['Mr', 'Ms']) },
    { type: 'textField', name: 'First name' },
    { type: 'textArea', name: 'Last name' },
    { type: 'phone', name: 'Mobile' },
    { type: 'date', name: 'Birth date' },
    { type: 'textField', name: 'Country' },
    { type: 'textField', name: 'Language' },
    {
      type: 'multipleSelectList',
      name: 'Tastes',
      valueListId: await list('Tastes', ['Wine', 'Books', 'Travel', 'Sport', 'Garden', 'Cinéma']),
    },
    { type: 'numeric', name: 'Spent' },
    { type: 'textField', name: 'Opt-in' },
  ]
  for (const body of wanted) assert.equal((await call('POST', '/fields', { body })).status, 200)
  for (const { id, name } of (await call('GET', '/fields')).body) fields[name] = id
})

interface Asked {
  execution: number
  import: number
  batchLines: number
}

let asked = 0

/** Makes an import with a file and asks for its run, which does not begin by itself here. */
async function ask(
  content: string | Buffer,
  features: ImportFeatureBody[] = [],
  account = own.account,
  name = 'people.csv',
): Promise<Asked> {
  const { id } = await createImport(db, account, { name: `Import ${++asked}`, features }, context)
  await upload(id, content, account, name)
  const { id: execution } = await startImportExecution(db, { account, id }, new Date(clock.now()))
  return { import: id, execution, batchLines: BATCH }
}

async function upload(id: number, content: string | Buffer, account: number, name: string): Promise<void> {
  const chunks = (async function* () {
    yield Buffer.from(content)
  })()
  const directory = { config: context.config, account, import: id }
  const file = await storeUpload(directory, { name, chunks }, 1e9)
  await recordUpload(db, directory, file, { now: new Date(clock.now()) })
}

function outcome({ import: id, execution }: Asked): Promise<ImportExecution> {
  return readImportExecution(db, { account: own.account, id }, execution)
}

async function run(
  content: string | Buffer,
  features: ImportFeatureBody[] = [],
  name?: string,
): Promise<ImportExecution> {
  const wanted = await ask(content, features, own.account, name)
  await runImport(context, wanted)
  return outcome(wanted)
}

/** The five counters, in the order of the interface. */
function countsOf({ created, updated, rejected, duplicates, skipped }: ImportExecution): number[] {
  return [created, updated, rejected, duplicates, skipped]
}

async function rejectsOf({ id }: ImportExecution): Promise<string[]> {
  return (await Array.fromAsync(formatRejectsCsv(db, id))).slice(1).map((line) => line.trimEnd())
}

interface Shown {
  id: string
  lastUpdateDate: string
  bounce: unknown[]
  redList: { mail?: { reason: number }; sms?: { reason: number } }
  /** By the name of the field. */
  values: Record<string, unknown>
}

async function contact(address: string): Promise<Shown> {
  const { status, body } = await call('GET', `/targets?unicity=${encodeURIComponent(address)}`)
  assert.equal(status, 200, address)
  const values = Object.fromEntries(Object.entries(fields).map(([name, id]) => [name, body.fields[id]]))
  return { ...body, values }
}

async function isKnown(address: string): Promise<boolean> {
  return (await call('GET', `/targets?unicity=${encodeURIComponent(address)}`)).status === 200
}

async function targetsCount(): Promise<number> {
  return (await call('GET', '/targets/count')).body.targetsCount
}

async function segment(name: string): Promise<number> {
  return (await call('POST', '/segments', { body: { type: 'static', name } })).body.id
}

async function members(id: number): Promise<string[]> {
  return (await call('GET', `/segments/${id}/targets`)).body
}

/** A file of so many people, of which `address` gives the addresses by number. */
function people(count: number, address: (n: number) => string): string {
  return `Email;Last name\n${Array.from({ length: count }, (_, n) => `${address(n)};Name ${n}\n`).join('')}`
}

/** A clock that does something when a run asks it for the nth time: a run asks once per batch it writes. */
function clockThat(nth: number, act: () => void): ServiceContext['clock'] {
  let asks = 0
  return {
    now: () => {
      if (++asks === nth) act()
      return clock.now()
    },
  }
}

/** Begins a transaction, and inserts a contact in it. */
async function beginContact(client: ClientBase, email: string): Promise<void> {
  await client.query('begin')
  await client.query(
    `insert into contacts (account, fields, unicity, key, hash, created_at, updated_at)
     values ($1, jsonb_build_object($2::text, $3::text), $3, $3, decode(md5($3), 'hex'), now(), now())`,
    [own.account, String(fields['Email']), email],
  )
}

suite('import runs of sample files', () => {
  test('each record of the messy file is created, rejected or a duplicate as expected', async () => {
    const content = await readFile(join(IMPORT_FILES, 'contacts-messy.csv'))
    const expected = (await readFile(join(IMPORT_FILES, 'contacts-messy-expected.csv'), 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
    const of = (word: string) => expected.filter((line) => line.split(';')[1]?.startsWith(word)).length
    const done = await run(content)
    assert.equal(done.state, 1)
    assert.deepEqual(countsOf(done), [of('created'), 0, of('rejected'), of('duplicate'), 0])
    assert.deepEqual(
      (await rejectsOf(done)).map((line) => line.split(';').slice(0, 3).join(';')),
      [
        '3;unicity-missing;Email',
        '4;invalid-value;Email',
        '6;invalid-value;Mobile',
        '7;invalid-value;Birth date',
        '10;unknown-label;Title',
        '12;unknown-label;Tastes',
        '14;invalid-value;Spent',
        // Record 16 holds a line break: from here on lines and records differ by one.
        '18;duplicate;Email',
        '24;too-long;First name',
        '26;invalid-value;Email',
        '27;invalid-value;Email',
      ],
    )
    assert.equal((await contact('messy8@example.com')).values['Title'], 'Mr')
    assert.deepEqual((await contact('messy10@example.com')).values['Tastes'], ['Wine', 'Books'])
    assert.equal((await contact('messy7@example.com')).values['Birth date'], '1990-02-01T00:00:00.000Z')
    assert.equal((await contact('messy12@example.com')).values['Spent'], 1234.5)
  })

  test('each contact of the messy file has the expected values', async () => {
    const expected: [address: string, field: string, value: unknown][] = [
      ['messy1@example.com', 'First name', 'Zoë'],
      ['messy4@example.com', 'Email', 'Messy4@example.com'],
      ['messy7@example.com', 'Birth date', '1990-02-01T00:00:00.000Z'],
      ['messy8@example.com', 'Title', 'Mr'],
      ['messy10@example.com', 'Tastes', ['Wine', 'Books']],
      ['messy12@example.com', 'Spent', 1234.5],
      ['messy14@example.com', 'Last name', 'He said "hi"; left'],
      ['messy15@example.com', 'Last name', 'two\r\nlines'],
      ['messy16@example.com', 'First name', '=HYPERLINK("x")'],
      ['messy17@example.com', 'Language', null],
      ['messy17@example.com', 'Tastes', []],
      ['messy18@example.com', 'Opt-in', 'yes'],
      ['messy19@example.com', 'First name', '𝒵oé 👩‍🚀'],
      ['ünïcode@häuser.example', 'Email', 'ünïcode@xn--huser-gra.example'],
      ["o'neil+tag@example.com", 'Last name', 'Line 22'],
    ]
    for (const [address, field, value] of expected) {
      assert.deepEqual((await contact(address)).values[field], value, `${address}: ${field}`)
    }
  })

  test('UTF-16 with tabs, Windows-1252 and zipped files of the same people give the same contacts', {
    skip: noSharedData,
  }, async () => {
    const file = await readFile(join(SHARED_DATA, 'contacts-300-windows-1252.csv'))
    const text = new TextDecoder('windows-1252').decode(file)
    const separated = (separator: string) =>
      text.replace(/[^;\r\n]+/g, (cell) => (cell.includes(separator) ? `"${cell}"` : cell)).replaceAll(';', separator)
    const files: [name: string, content: Buffer][] = [
      ['people.csv', file],
      ['people.txt', Buffer.from(`\ufeff${separated('\t')}`, 'utf16le')],
      ['people.zip', zip([{ name: 'people.csv', data: Buffer.from(separated(',')) }])],
    ]
    const addresses = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(';')[0] ?? '')
    const contacts: unknown[] = []
    for (const [name, content] of files) {
      const done = await run(content, [], name)
      assert.deepEqual([done.state, ...countsOf(done), done.warnings], [1, 300, 0, 0, 0, 0, []], name)
      contacts.push(await Promise.all(addresses.map(async (address) => (await contact(address)).values)))
      const body = { type: 'unicity', value: addresses.map((address) => [address]) }
      assert.equal((await call('DELETE', '/targets', { body })).status, 204)
    }
    assert.deepEqual(contacts[1], contacts[0])
    assert.deepEqual(contacts[2], contacts[0])
  })

  test('10,000 contacts are created, and the files of 300 of them change nothing', {
    skip: noSharedData,
  }, async () => {
    const first = await run(await readFile(join(SHARED_DATA, 'contacts-10k.csv')))
    assert.deepEqual([first.state, ...countsOf(first)], [1, 10_000, 0, 0, 0, 0])
    for (const name of ['contacts-300-windows-1252.csv', 'contacts-300-utf16-tab.csv']) {
      const again = await run(await readFile(join(SHARED_DATA, name)))
      assert.deepEqual([again.state, ...countsOf(again)], [1, 0, 0, 0, 0, 300], name)
    }
  })
})

suite('duplicate lines', () => {
  const file = (tag: string) =>
    `Email;Last name\n${tag}@dup.example;one\n${tag.toUpperCase()}@dup.example;two\nx\n${tag}@dup.example;three\n`

  for (const [rule, kept, listed] of [
    ['first', 'one', [3, 5]],
    ['ignore', 'one', []],
    ['last', 'three', [2, 3]],
  ] as const) {
    test(`${rule}: of three lines with the same key, "${kept}" wins, and the counters add up to the lines`, async () => {
      const done = await run(file(rule), [{ type: 'duplicate', rules: { [rule]: true } }])
      assert.deepEqual(countsOf(done), [1, 0, 1, 2, 0])
      assert.equal((await contact(`${rule}@dup.example`)).values['Last name'], kept)
      const lines = (await rejectsOf(done)).filter((line) => line.includes('duplicate'))
      assert.deepEqual(
        lines.map((line) => Number(line.split(';')[0])),
        listed,
      )
    })

    test(`${rule}: duplicates are found across batches, for new and known contacts`, async () => {
      const address = (n: number) => `${rule}${n % BATCH}@batches.example`
      const known = `${rule}0@batches.example`
      await call('PUT', '/targets', { body: { Email: known, 'Last name': 'before' } })
      const done = await run(people(2 * BATCH + 1, address), [{ type: 'duplicate', rules: { [rule]: true } }])
      assert.deepEqual([done.state, ...countsOf(done)], [1, BATCH - 1, 1, 0, BATCH + 1, 0])
      const counting = rule === 'last' ? 2 * BATCH : 0
      assert.equal((await contact(known)).values['Last name'], `Name ${counting}`)
      assert.equal((await rejectsOf(done)).length, rule === 'ignore' ? 0 : BATCH + 1)
    })
  }

  test('first: lines after a batch of new contacts are still duplicates of it or update known contacts', async () => {
    await call('PUT', '/targets', { body: { Email: 'known@second.example', 'Last name': 'before' } })
    const address = (n: number) => (n === BATCH + 2 ? 'known@second.example' : `n${n % (BATCH + 1)}@second.example`)
    const done = await run(people(2 * BATCH + 1, address))
    assert.deepEqual([done.state, ...countsOf(done)], [1, BATCH + 1, 1, 0, BATCH - 1, 0])
    assert.equal((await rejectsOf(done)).length, BATCH - 1)
    assert.equal((await contact('known@second.example')).values['Last name'], `Name ${BATCH + 2}`)
    assert.equal((await contact('n1@second.example')).values['Last name'], 'Name 1')
  })

  test('the first line wins without the duplicate feature', async () => {
    assert.deepEqual(countsOf(await run(file('plain'))), [1, 0, 1, 2, 0])
  })

  test('a rejected line does not make a later line with the same key a duplicate', async () => {
    const done = await run('Email;Spent\nlate@dup.example;much\nlate@dup.example;1\n')
    assert.deepEqual(countsOf(done), [1, 0, 1, 0, 0])
  })
})

suite('known contacts in an import', () => {
  const file = (address: string) => `Email;Last name;Spent\n${address};New;\n`
  const store = (address: string) =>
    call('PUT', '/targets', { body: { Email: address, 'Last name': 'Old', Spent: 5, Country: 'France' } })
  const shown = async (address: string) => {
    const { values } = await contact(address)
    return [values['Last name'], values['Spent'], values['Country']]
  }

  test('keep their values where cells are empty and take the other values', async () => {
    await store('Keep@known.example')
    clock.advance(60_000)
    const done = await run(file('KEEP@known.example'))
    assert.deepEqual(countsOf(done), [0, 1, 0, 0, 0])
    assert.deepEqual(await shown('keep@known.example'), ['New', 5, 'France'])
    const { values, lastUpdateDate } = await contact('keep@known.example')
    assert.equal(values['Email'], 'Keep@known.example')
    assert.equal(lastUpdateDate, new Date(clock.now()).toISOString())
  })

  test('lose the values of empty cells with crushData, in bound columns only', async () => {
    await store('crush@known.example')
    assert.deepEqual(
      countsOf(await run(file('crush@known.example'), [{ type: 'database', crushData: true }])),
      [0, 1, 0, 0, 0],
    )
    assert.deepEqual(await shown('crush@known.example'), ['New', null, 'France'])
  })

  test('new contacts store no empty values with crushData', async () => {
    await run(file('fresh@known.example'), [{ type: 'database', crushData: true }])
    assert.deepEqual(await shown('fresh@known.example'), ['New', null, null])
    const row = await db
      .selectFrom('contacts')
      .select('fields')
      .where('key', '=', 'fresh@known.example')
      .executeTakeFirstOrThrow()
    assert.deepEqual(Object.keys(row.fields as object), [String(fields['Email']), String(fields['Last name'])])
  })

  test('stay unchanged without updateExisting, but join the segment', async () => {
    await store('left@known.example')
    const id = await segment('left')
    const done = await run(file('left@known.example'), [
      { type: 'database', updateExisting: false },
      { type: 'segmentation', segmentId: id },
    ])
    assert.deepEqual(countsOf(done), [0, 0, 0, 0, 1])
    assert.deepEqual(await shown('left@known.example'), ['Old', 5, 'France'])
    assert.deepEqual(await members(id), [(await contact('left@known.example')).id])
  })

  test('are skipped and keep their update date when nothing changes', async () => {
    await store('same@known.example')
    const { lastUpdateDate } = await contact('same@known.example')
    clock.advance(60_000)
    assert.deepEqual(countsOf(await run('Email;Spent\nsame@known.example;5,0\n')), [0, 0, 0, 0, 1])
    assert.equal((await contact('same@known.example')).lastUpdateDate, lastUpdateDate)
  })

  test('lose the bounce flag of a changed address and keep that of an unchanged one', async () => {
    for (const tag of ['moved', 'stays']) {
      await call('PUT', '/targets', { body: { Email: `${tag}@flag.example`, Mobile: '0612345678' } })
      const { id } = await contact(`${tag}@flag.example`)
      assert.equal((await call('PUT', `/targets/${id}/bounces/${fields['Mobile']}`)).status, 204)
    }
    await run('Email;Mobile\nmoved@flag.example;0612345679\nstays@flag.example;06 12 34 56 78\n')
    assert.deepEqual((await contact('moved@flag.example')).bounce, [])
    assert.equal((await contact('stays@flag.example')).bounce.length, 1)
  })

  test('can be written concurrently without conflicts or duplicates', async () => {
    const count = 12 * BATCH
    const address = (n: number) => `both${n}@known.example`
    for (let n = 0; n < 50; n++) await store(address(n * 7))
    const before = await targetsCount()
    const wanted = await ask(people(count, address))
    const running = runImport(context, wanted)
    let isRunning = true
    const done = running.finally(() => {
      isRunning = false
    })
    let writes = 0
    async function writer(step: number): Promise<void> {
      for (let n = step; isRunning; n = (n + step) % count) {
        const body = [n, (n * 31) % count].map((one) => ({ Email: address(one), Country: `Country ${step}` }))
        const { status, body: answers } = await call('PUT', '/targets', { body })
        assert.equal(status, 200)
        for (const { type, contact: written } of answers) {
          assert.equal(type, 'success')
          if (writes++ % 20 !== 0) continue
          // Another writer may have been faster.
          assert.ok([204, 404].includes((await call('DELETE', `/targets/${written.id}`)).status))
        }
      }
    }
    await Promise.all([done, writer(4999), writer(6007), writer(7001)])
    const ended = await outcome(wanted)
    assert.equal(ended.state, 1)
    assert.equal(
      countsOf(ended).reduce((sum, n) => sum + n),
      count,
    )
    assert.ok(writes > 0)
    const { rows } = await pool.query<{ n: number; keys: number }>(
      `select count(*) as n, count(distinct key) as keys from contacts where key like 'both%@known.example'`,
    )
    assert.equal(rows[0]?.n, rows[0]?.keys)
    assert.equal(await targetsCount(), before - 50 + (rows[0]?.n ?? 0))
  })

  test('include a contact created while its batch is written, without a conflict', async () => {
    const wanted = await ask(people(10, (n) => `meanwhile${n}@known.example`))
    // An insert that is not committed: the run does not find the contact, and must wait when it inserts it too.
    const holder = await pool.connect()
    try {
      await beginContact(holder, 'meanwhile3@known.example')
      const running = runImport(context, wanted)
      await eventually(async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length > 0
      })
      await holder.query('commit')
      await running
    } finally {
      holder.release()
    }
    const done = await outcome(wanted)
    assert.deepEqual([done.state, ...countsOf(done)], [1, 9, 1, 0, 0, 0])
  })
})

suite('segments and red lists in an import', () => {
  test('every contact of an accepted line joins the segment and the red lists once', async () => {
    const id = await segment('joined')
    await call('PUT', '/targets', { body: { Email: 'old@joined.example' } })
    const done = await run('Email\nold@joined.example\nnew@joined.example\nbad\nnew@joined.example\n', [
      { type: 'segmentation', segmentId: id },
      { type: 'redList', destination: { email: true, sms: true } },
    ])
    assert.deepEqual(countsOf(done), [1, 0, 1, 1, 1])
    const both = [await contact('old@joined.example'), await contact('new@joined.example')]
    assert.deepEqual(
      await members(id),
      both.map((one) => one.id),
    )
    assert.equal((await call('GET', `/segments/${id}`)).body.targetsCount, 2)
    for (const { redList } of both) assert.deepEqual([redList.mail?.reason, redList.sms?.reason], [2, 2])
    const { body } = await call('GET', '/targets/redlist/mail')
    assert.deepEqual(body.at(-1).detail, { importId: done.import })
  })

  test('a segment that an import fills is joined with its contacts by index, whatever the planner knew before', async () => {
    const { account, key } = await makeAccount('PLAN001')
    const { body } = await call('POST', '/segments', { body: { type: 'static', name: 'Planned' }, key })
    // Statistics that list all accounts and segments, and not these.
    await sql`analyze contacts, segment_members`.execute(db)
    const features: ImportFeatureBody[] = [{ type: 'segmentation', segmentId: body.id }]
    const execution = await ask(
      people(10_000, (n) => `p${n}@planned.example`),
      features,
      account,
    )
    await runImport(context, execution)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, costs off, timing off) select from contacts c where c.account = ${account} and exists (
        select from segment_members m where m.segment = ${body.id} and m.contact = c.id)`.execute(db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.doesNotMatch(plan, /Rows Removed by Join Filter: \d{5}/, plan)
  })

  test('an emptied segment shows its old members until the run completes, then only the new ones', async () => {
    const id = await segment('emptied')
    await run('Email\nstays@emptied.example\nleaves@emptied.example\n', [{ type: 'segmentation', segmentId: id }])
    const before = await members(id)
    const wanted = await ask(
      people(BATCH + 1, (n) => (n === BATCH ? 'stays@emptied.example' : `e${n}@emptied.example`)),
      [{ type: 'segmentation', segmentId: id, emptyExisitingSegment: true }],
    )
    const stop = new AbortController()
    await runImport({ ...context, clock: clockThat(1, () => stop.abort()) }, wanted, stop.signal)
    assert.equal((await outcome(wanted)).progress.lines, BATCH)
    assert.deepEqual(await members(id), before)
    await runImport(context, wanted)
    const after = new Set(await members(id))
    assert.equal(after.size, BATCH + 1)
    assert.ok(after.has((await contact('stays@emptied.example')).id))
    assert.ok(!after.has((await contact('leaves@emptied.example')).id))
  })

  test('an emptied segment keeps its members when the run fails', async () => {
    const id = await segment('kept')
    await run('Email\nold@kept.example\n', [{ type: 'segmentation', segmentId: id }])
    const before = await members(id)
    const done = await run('Last name\nLee\n', [{ type: 'segmentation', segmentId: id, emptyExistingSegment: true }])
    assert.deepEqual([done.state, done.error?.type], [2, 'unicity-not-bound'])
    assert.deepEqual(await members(id), before)
  })

  test('a contact deleted while red-listed at their own request returns to the red list', async () => {
    await call('PUT', '/targets', { body: { Email: 'wish@memory.example' } })
    const { id } = await contact('wish@memory.example')
    await call('POST', `/targets/${id}/redlist/mail`, { body: { origin: 4 } })
    await call('DELETE', `/targets/${id}`)
    await run('Email\nwish@memory.example\nother@memory.example\n')
    assert.equal((await contact('wish@memory.example')).redList.mail?.reason, 4)
    assert.deepEqual((await contact('other@memory.example')).redList, {})
  })

  test('phone numbers are read with the countries of the normalization feature, in order', async () => {
    await run('Email;Mobile\nuk@phone.example;07400 123456\n', [
      { type: 'normalization', fields: { [String(fields['Mobile'])]: ['FRA', 'gb'] } },
    ])
    assert.equal((await contact('uk@phone.example')).values['Mobile'], '+447400123456')
  })
})

suite('interrupted imports', () => {
  for (const rule of ['first', 'last'] as const) {
    test(`a run stopped after each batch ends like an uninterrupted one (${rule})`, async () => {
      const address = (tag: string) => (n: number) =>
        n % 7 === 0 ? `same@${rule}${tag}.example` : `p${n}@${rule}${tag}.example`
      const features: ImportFeatureBody[] = [{ type: 'duplicate', rules: { [rule]: true } }]
      const whole = await run(people(3 * BATCH, address('whole')), features)
      const wanted = await ask(people(3 * BATCH, address('parts')), features)
      for (let stops = 0; (await outcome(wanted)).state === 0; stops++) {
        assert.ok(stops < 5)
        const stop = new AbortController()
        await runImport({ ...context, clock: clockThat(1, () => stop.abort()) }, wanted, stop.signal)
      }
      const parts = await outcome(wanted)
      assert.equal(parts.state, 1)
      assert.deepEqual(countsOf(parts), countsOf(whole))
      assert.deepEqual(parts.progress.lines, whole.progress.lines)
      assert.equal((await rejectsOf(parts)).length, (await rejectsOf(whole)).length)
    })
  }

  test('a run whose process is killed resumes after the last committed batch, with every contact once', async () => {
    const count = 8 * BATCH
    const lockedAddress = `k${3 * BATCH + 1}@killed.example`
    await call('PUT', '/targets', { body: { Email: lockedAddress } })
    const before = await targetsCount()
    const wanted = await ask(people(count, (n) => `k${n}@killed.example`))
    const url = String(pool.options.connectionString)
    // The fourth batch waits for a locked contact. An inserted one would lock a counter that batches may share.
    const holder = await pool.connect()
    try {
      await holder.query('begin')
      await holder.query('select from contacts where account = $1 and key = $2 for update', [
        own.account,
        lockedAddress,
      ])
      const child = spawn(process.execPath, [CHILD, url, dataDir, String(wanted.execution), String(BATCH)], {
        stdio: 'inherit',
      })
      await eventually(async () => (await outcome(wanted)).progress.lines >= 3 * BATCH || child.exitCode !== null)
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await holder.query('rollback')
    } finally {
      holder.release(true)
    }
    const { state, progress } = await outcome(wanted)
    assert.equal(state, 0)
    assert.ok(progress.lines < count)
    assert.equal(await targetsCount(), before + progress.lines)
    // The lock of the killed process is free when the server sees that its connection is gone.
    await eventually(async () => {
      await runImport(context, wanted)
      return (await outcome(wanted)).state !== 0
    })
    const done = await outcome(wanted)
    assert.deepEqual([done.state, ...countsOf(done)], [1, count - 1, 1, 0, 0, 0])
    assert.equal(await targetsCount(), before + count - 1)
  })

  test('a cancelled run stops after the current batch, which is kept', async () => {
    const count = 6 * BATCH
    const wanted = await ask(people(count, (n) => `c${n}@cancelled.example`))
    const place = { account: own.account, id: wanted.import }
    let cancelling: Promise<void> | undefined
    const during = clockThat(1, () => (cancelling = cancelImportExecution(db, place, wanted.execution)))
    await runImport({ ...context, clock: during }, wanted)
    await cancelling
    const done = await outcome(wanted)
    const [inserted = 0, ...others] = countsOf(done)
    assert.deepEqual([done.state, done.error?.type, ...others], [2, 'cancelled', 0, 0, 0, 0])
    // The word to stop may come a batch or two later than it was given.
    assert.ok(inserted >= BATCH && inserted < count && inserted % BATCH === 0, String(inserted))
    assert.ok(await isKnown(`c${inserted - 1}@cancelled.example`))
    assert.equal(await isKnown(`c${inserted}@cancelled.example`), false)
    await assert.rejects(cancelImportExecution(db, place, wanted.execution), { kind: 'execution-ended' })
  })

  test('a run cancelled before it begins changes nothing', async () => {
    const wanted = await ask('Email\nnever@cancelled.example\n')
    await cancelImportExecution(db, { account: own.account, id: wanted.import }, wanted.execution)
    await runImport(context, wanted)
    assert.deepEqual((await outcome(wanted)).state, 2)
    assert.equal(await isKnown('never@cancelled.example'), false)
  })

  test('a failing batch is retried, and five failures end the run but keep the earlier batches', async () => {
    const failing = (from: number, to: number): ServiceContext['clock'] => {
      let asks = 0
      return {
        now: () => {
          asks += 1
          if (asks >= from && asks < to) throw new Error('out of order')
          return clock.now()
        },
      }
    }
    const healed = await ask(people(BATCH + 1, (n) => `h${n}@failing.example`))
    await runImport({ ...context, clock: failing(2, 6) }, healed)
    assert.deepEqual([(await outcome(healed)).state, (await outcome(healed)).created], [1, BATCH + 1])
    const broken = await ask(people(BATCH + 1, (n) => `b${n}@failing.example`))
    await runImport({ ...context, clock: failing(2, 7) }, broken)
    const done = await outcome(broken)
    assert.deepEqual([done.state, done.error?.type, done.created], [2, 'batch-failed', BATCH])
  })

  test('a run continues when a field that it uses is deleted meanwhile', async () => {
    const file = people(BATCH + 1, (n) => `d${n}@changed.example`).replace('Last name', 'Nickname')
    const { body } = await call('POST', '/fields', { body: { type: 'textField', name: 'Nickname' } })
    const wanted = await ask(file)
    const stop = new AbortController()
    let deleting: Promise<unknown> | undefined
    const during = clockThat(1, () => (deleting = call('DELETE', `/fields/${body.id}`)))
    await runImport({ ...context, clock: during }, wanted, stop.signal)
    await deleting
    const done = await outcome(wanted)
    assert.deepEqual([done.state, ...countsOf(done)], [1, BATCH + 1, 0, 0, 0, 0])
    assert.match(done.warnings.join(), /"Nickname", matches no field/)
  })
})

suite('import locks', () => {
  test('a third run of an account waits until one of the others ends', async () => {
    const wanted = await ask('Email\nthird@locks.example\n')
    const busy = [-1, -2].map((id) => lockImportRun(pool, { id, account: own.account, cancelled: false }))
    const locks = await Promise.all(busy)
    await runImport(context, wanted)
    assert.equal((await outcome(wanted)).state, 0)
    const elsewhere = await ask('Email\nelsewhere@locks.example\n', [], other.account)
    await runImport(context, elsewhere)
    const place = { account: other.account, id: elsewhere.import }
    assert.equal((await readImportExecution(db, place, elsewhere.execution)).state, 1)
    for (const lock of locks) await lock?.release()
    await runImport(context, wanted)
    assert.equal((await outcome(wanted)).state, 1)
  })

  test('two concurrent processes execute a run once', async () => {
    const wanted = await ask(people(BATCH + 1, (n) => `t${n}@locks.example`))
    await Promise.all([runImport(context, wanted), runImport(context, wanted)])
    assert.deepEqual(countsOf(await outcome(wanted)), [BATCH + 1, 0, 0, 0, 0])
  })

  test('an import has one run at a time, and an ended run allows the next', async () => {
    const wanted = await ask('Email\nonce@locks.example\n')
    const again = () => startImportExecution(db, { account: own.account, id: wanted.import }, new Date(clock.now()))
    await assert.rejects(again(), { kind: 'import-running' })
    await runImport(context, wanted)
    assert.equal((await again()).state, 0)
  })
})

suite('import retention', () => {
  test("files and rejects are kept for the account's retention, and a pending run's file until it ends", async () => {
    const done = await run('Email\nbad\n')
    const waiting = await ask('Email\nwaits@retention.example\n')
    clock.advance(31 * 24 * 3600_000)
    await purgeImportFiles(db, context.config, new Date(clock.now()))
    const sourceOf = async (id: number) => (await call('GET', `/imports/${id}`)).body.source.filename
    assert.equal(await sourceOf(done.import), null)
    assert.ok(await sourceOf(waiting.import))
    assert.equal((await rejectsOf(done)).length, 1)
    clock.advance(60 * 24 * 3600_000)
    await purgeImportFiles(db, context.config, new Date(clock.now()))
    assert.deepEqual(await rejectsOf(done), [])
    await runImport(context, waiting)
    assert.equal((await outcome(waiting)).created, 1)
  })

  test('files left by dead processes are removed, and files in use are kept', async () => {
    const made = async (): Promise<Asked> => ask('Email\nswept@retention.example\n')
    const [kept, gone] = [await made(), await made()]
    const directory = (of: number) => join(dataDir, 'imports', String(own.account), String(of))
    const [file = ''] = await readdir(directory(kept.import))
    const old = new Date(clock.now() - 2 * 3600_000)
    const put = async (of: number, name: string, at: Date): Promise<void> => {
      await mkdir(join(directory(of), name), { recursive: true })
      await utimes(join(directory(of), name), at, at)
    }
    await put(kept.import, '0123456789.part', old)
    await put(kept.import, 'ABCDEF0123', old)
    await put(kept.import, '999999.unpacked', old)
    await put(kept.import, `${kept.execution}.unpacked`, old)
    await put(kept.import, 'AAAAAAAAAA.part', new Date(clock.now()))
    await put(kept.import, 'note of an operator', old)
    await utimes(join(directory(kept.import), file), old, old)
    await runImport(context, gone)
    await db.deleteFrom('imports').where('id', '=', gone.import).execute()
    await put(gone.import, '', old)
    await purgeStaleUploads(context)
    const left = [file, `${kept.execution}.unpacked`, 'AAAAAAAAAA.part', 'note of an operator']
    assert.deepEqual((await readdir(directory(kept.import))).sort(), left.sort())
    await assert.rejects(readdir(directory(gone.import)))
    await runImport(context, kept)
    assert.equal((await outcome(kept)).state, 1)
  })
})

suite('imports and devices', () => {
  test('a device that waits for a contact is attached when an import creates the contact', async () => {
    const { id: application } = (await call('POST', '/parameters/applications', { body: { name: 'Orchard app' } })).body
    const ids = ['uma', 'vic'].map(() => crypto.randomUUID())
    for (const [index, id] of ids.entries()) {
      const linked = { type: 'unicity', value: `${['uma', 'vic'][index]}@orchard.example` }
      const body = { id, application, gateway: { type: 'http', token: id }, linked }
      const { status } = await call('PUT', '/api/v1.0/ACME/001/subscriptions', { key: null, body })
      assert.equal(status, 200)
    }
    const done = await run('Email\numa@orchard.example\nwes@orchard.example\n')
    assert.equal(done.created, 2)
    const contacts = await Promise.all(ids.map(async (id) => (await call('GET', `/subscriptions/${id}`)).body.contact))
    assert.deepEqual(
      contacts.map((one) => one?.unicity ?? null),
      ['uma@orchard.example', null],
    )
  })

  test('at most 50 devices that wait for the same contact are attached by an import', async () => {
    const { id: application } = (await call('POST', '/parameters/applications', { body: { name: 'Pear app' } })).body
    const linked = { type: 'unicity', value: 'xia@orchard.example' }
    for (let n = 0; n < 52; n++) {
      const id = crypto.randomUUID()
      const body = { id, application, gateway: { type: 'http', token: id }, linked }
      assert.equal((await call('PUT', '/api/v1.0/ACME/001/subscriptions', { key: null, body })).status, 200)
    }
    assert.equal((await run('Email\nxia@orchard.example\n')).created, 1)
    const kept = await call('GET', '/targets/subscriptions?unicity=xia@orchard.example')
    assert.equal(kept.body.length, 50)
  })
})
