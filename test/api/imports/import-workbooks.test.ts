import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { formatRejectsCsv } from '../../../src/features/imports/run/executions.ts'
import { runImport } from '../../../src/features/imports/run/run-import.ts'
import { IMPORT_FILES } from '../../support/files/sample-files.ts'
import { tgz } from '../../support/files/tar.ts'
import { type Cell, workbook } from '../../support/files/workbook.ts'
import { zip } from '../../support/files/zip.ts'
import { startHarness } from '../../support/harness.ts'

const { call, context } = await startHarness()

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const FIELDS: Record<string, number> = { Email: (await call('GET', '/fields')).body[0].id }
for (const [name, type] of Object.entries({
  'First name': 'textField',
  Mobile: 'phone',
  Born: 'date',
  Spent: 'numeric',
  Share: 'numeric',
  Code: 'textField',
}))
  FIELDS[name] = (await call('POST', '/fields', { body: { name, type } })).body.id

const people = await readFile(join(IMPORT_FILES, 'people.xlsx'))
const headersOf = (name: string, type = XLSX) => ({
  'content-type': type,
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
})

/** Packs a workbook and a text into an archive. */
const packTar = (data: Buffer) =>
  tgz([
    { name: 'a.xlsx', data },
    { name: 'b.csv', data: Buffer.from('Email\n') },
  ])

let importCount = 0
async function importOf(more: object = {}): Promise<number> {
  return (await call('POST', '/imports', { body: { name: `Workbook ${++importCount}`, ...more } })).body.id
}

/** Runs an import of a file; returns the execution after it ended. */
async function run(
  file: Buffer,
  name: string,
  { query = '', ...more }: { query?: string; [member: string]: unknown } = {},
) {
  const id = await importOf(more)
  const path = `/imports/${id}/executions`
  const { status, body, text } = await call('POST', `${path}${query}`, { body: file, headers: headersOf(name) })
  assert.equal(status, 200, text)
  await runImport(context, { execution: body.id })
  return (await call('GET', `${path}/${body.id}`)).body
}

const countsOf = ({ created, updated, rejected, duplicates, skipped }: Record<string, number>) => [
  created,
  updated,
  rejected,
  duplicates,
  skipped,
]

async function contactOf(email: string) {
  const { status, body } = await call('GET', `/targets?unicity=${email}`)
  assert.equal(status, 200, email)
  return Object.fromEntries(Object.entries(FIELDS).map(([name, id]) => [name, body.fields[id]]))
}

/** A workbook of one sheet. */
const book = (rows: Cell[][], more = {}) => workbook([{ name: 'People', rows }], more)
const emailOf = (n: number) => `w${n}@example.org`

suite('a workbook is imported', () => {
  test('as another program wrote it: text, telephone numbers, dates, numbers and per cent as people see them', async () => {
    const done = await run(people, 'people.xlsx')
    assert.deepEqual([done.state, done.error, countsOf(done)], [1, null, [2, 0, 1, 0, 0]])
    const rejects = (await Array.fromAsync(formatRejectsCsv(context.db, done.id))).join('')
    assert.match(rejects, /^3;invalid-value;Email;not an address$/m)
    assert.deepEqual(done.warnings, ['Line 5 has a cell that shows an error, such as #N/A: it is read as empty.'])
    assert.deepEqual(done.progress, { bytes: people.length, lines: 3, total: people.length })
    assert.deepEqual(await contactOf('zoe@example.org'), {
      Email: 'zoe@example.org',
      'First name': 'Zoé',
      Mobile: '+33612345678',
      Born: '1990-02-28T00:00:00.000Z',
      Spent: 1.234,
      Share: 12.5,
      Code: null,
    })
    const carl = await contactOf('carl@example.org')
    assert.deepEqual([carl['First name'], carl['Spent'], carl['Share']], ['CARL', 0.3, null])
  })

  test('whatever its name, gzipped, and in an archive with text files', async () => {
    const files: [string, (data: Buffer) => Buffer | Promise<Buffer>][] = [
      ['renamed.csv', (data) => data],
      ['people.xlsm', (data) => data],
      ['people.xlsx.gz', gzipSync],
      [
        'people.zip',
        (data) =>
          zip([
            { name: 'a.xlsx', data },
            { name: 'b.csv', data: Buffer.from('Email\n') },
          ]),
      ],
      ['people.tgz', packTar],
      ['people.tar.gz', packTar],
    ]
    for (const [n, [name, pack]] of files.entries()) {
      const done = await run(await pack(book([['Email'], [`packed${n}@example.org`]])), name)
      assert.deepEqual([done.error, countsOf(done)], [null, [1, 0, 0, 0, 0]], name)
    }
  })

  test('in batches that continue after the lines that are committed', async () => {
    const rows = Array.from({ length: 12_000 }, (_, n) => [emailOf(n)])
    const id = await importOf()
    const { body } = await call('POST', `/imports/${id}/executions`, {
      body: book([['Email'], ...rows]),
      headers: headersOf('people.xlsx'),
    })
    await context.db
      .updateTable('import_executions')
      .set({ lines: 5000, created: 5000 })
      .where('id', '=', body.id)
      .execute()
    await runImport(context, { execution: body.id })
    const done = (await call('GET', `/imports/${id}/executions/${body.id}`)).body
    assert.deepEqual([done.state, countsOf(done), done.progress.lines], [1, [12_000, 0, 0, 0, 0], 12_000])
    assert.equal((await call('GET', `/targets?unicity=${emailOf(4999)}`)).status, 404)
    assert.equal((await call('GET', `/targets?unicity=${emailOf(5000)}`)).status, 200)
  })

  test('with its numbers read by the point that they have, whatever decimal mark the account sets for text', async () => {
    await call('PUT', '/settings/contacts', { body: { decimalMark: 'comma' } })
    const done = await run(
      book([
        ['Email', 'Spent'],
        ['n1@example.org', 1.234],
        ['n2@example.org', '1,234'],
      ]),
      'n.xlsx',
    )
    await call('PUT', '/settings/contacts', { body: { decimalMark: 'point' } })
    assert.deepEqual(
      [(await contactOf('n1@example.org'))['Spent'], (await contactOf('n2@example.org'))['Spent']],
      [1.234, 1.234],
    )
    assert.equal(done.warnings.length, 1)
    assert.match(done.warnings[0], /^Line 3 has "1,234"/)
  })

  test('with a warning of numbers that spreadsheets have changed', async () => {
    const cell = { xml: '<c><v>4111111111111111</v></c>' }
    const done = await run(
      book([
        ['Email', 'Code'],
        ['long@example.org', cell],
      ]),
      'n.xlsx',
    )
    assert.match(done.warnings[0], /^Line 2 has a number of more than 15 digits/)
    assert.equal((await contactOf('long@example.org'))['Code'], '4111111111111111')
  })

  test('by a dry run, which writes nothing', async () => {
    const done = await run(book([['Email'], ['dry@example.org']]), 'n.xlsx', { query: '?dryRun=true' })
    assert.deepEqual([done.dryRun, countsOf(done)], [true, [1, 0, 0, 0, 0]])
    assert.equal((await call('GET', '/targets?unicity=dry@example.org')).status, 404)
  })
})

suite('the cells of a workbook', () => {
  test('that people typed as text keep their leading zeros and plus signs; blank, merged and missing cells are empty', async () => {
    const rows: Cell[][] = [
      ['Email', 'First name', 'Mobile', 'Code'],
      ['t1@example.org', 'Ann', '0033612345678', '00612'],
      ['t2@example.org', null, 33612345679, { xml: '<c s="1"/>' }],
      ['t3@example.org', '', '+33 6 12 34 56 80', true],
    ]
    const done = await run(book(rows), 'n.xlsx')
    assert.deepEqual([done.warnings, countsOf(done)], [[], [3, 0, 0, 0, 0]])
    const contacts = await Promise.all([1, 2, 3].map((n) => contactOf(`t${n}@example.org`)))
    assert.deepEqual(
      contacts.map((contact) => [contact['First name'], contact['Mobile'], contact['Code']]),
      [
        ['Ann', '+33612345678', '00612'],
        [null, '+33612345679', null],
        [null, '+33612345680', 'TRUE'],
      ],
    )
  })

  test('are dates by their format in both date systems, and bare numbers by the dateUnit of their column', async () => {
    const fields = [
      { column: 'Email', field: FIELDS['Email'] },
      { column: 'Born', field: FIELDS['Born'], dateUnit: 'serial' },
    ]
    const features = [{ type: 'columns', fields }]
    const rows = (n: number, serial: number): Cell[][] => [
      ['Email', 'Born'],
      [`d${n}@example.org`, { xml: `<c s="1"><v>${serial}</v></c>` }],
      [`e${n}@example.org`, 45322],
    ]
    const formats = ['dd/mm/yyyy']
    for (const [n, file] of [
      book(rows(1, 45322), { formats }),
      book(rows(2, 43860), { formats, is1904: true }),
    ].entries()) {
      const done = await run(file, 'n.xlsx', { features })
      assert.deepEqual([done.error, countsOf(done)], [null, [2, 0, 0, 0, 0]])
      assert.equal((await contactOf(`d${n + 1}@example.org`))['Born'], '2024-01-31T00:00:00.000Z')
      assert.equal((await contactOf(`e${n + 1}@example.org`))['Born'], '2024-01-31T00:00:00.000Z')
    }
  })

  test('with a formula that has no stored value are empty, and the warning says what to do', async () => {
    const done = await run(
      book([
        ['Email', 'First name'],
        ['f1@example.org', { xml: '<c><f>A1</f><v/></c>' }],
      ]),
      'n.xlsx',
    )
    assert.deepEqual(done.warnings, [
      'Line 2 has a formula without a stored value: it is read as empty. Open the workbook in a spreadsheet program and save it there.',
    ])
  })
})

suite('the sheet of a workbook', () => {
  const two = (n: string) =>
    workbook([
      { name: 'One', rows: [['Email'], [`one${n}@example.org`]] },
      { name: 'Two', rows: [['Email'], [`two${n}@example.org`]] },
    ])
  const mapping = (sheet: string) => ({
    features: [{ type: 'columns', sheet, fields: [{ column: 'Email', field: FIELDS['Email'] }] }],
  })

  test('is the one that the mapping names', async () => {
    assert.deepEqual(countsOf(await run(two('a'), 'n.xlsx', mapping('two'))), [1, 0, 0, 0, 0])
    assert.equal((await call('GET', '/targets?unicity=onea@example.org')).status, 404)
    assert.equal((await call('GET', '/targets?unicity=twoa@example.org')).status, 200)
  })

  test('is the one that the import format names, which null removes', async () => {
    const binds = [{ columnIndex: 0, fieldId: FIELDS['Email'] }]
    const format = (await call('POST', '/importFormats', { body: { name: 'Sheets', binds, sheet: 'Two' } })).body
    assert.equal(format.sheet, 'Two')
    const binding = format.identifier.guid
    assert.deepEqual(countsOf(await run(two('b'), 'n.xlsx', { binding })), [1, 0, 0, 0, 0])
    assert.equal((await call('GET', '/targets?unicity=twob@example.org')).status, 200)
    const { body } = await call('PUT', `/importFormats/${binding}`, { body: { sheet: null } })
    assert.equal('sheet' in body, false)
  })

  test('that does not exist ends the run, with the names of those that do', async () => {
    const done = await run(two('c'), 'n.xlsx', mapping('Three'))
    assert.deepEqual(
      [done.state, done.error],
      [2, { type: 'sheet-missing', detail: 'There is no sheet "Three". The workbook has "One", "Two".' }],
    )
  })
})

suite('the preview of a workbook', () => {
  const preview = (file: Buffer, query = '', name = 'people.xlsx') =>
    call('POST', `/imports/preview${query}`, { body: file, headers: headersOf(name) })

  test('is the same for one that is renamed, gzipped or in an archive', async () => {
    const files: [string, Buffer][] = [
      ['people.csv', people],
      ['people.xlsx.gz', gzipSync(people)],
      ['people.zip', zip([{ name: 'people.xlsx', data: people }])],
      ['people.tgz', await tgz([{ name: 'people.xlsx', data: people }])],
    ]
    const { files: _, ...expected } = (await preview(people)).body
    for (const [name, data] of files) {
      const { files: names, ...actual } = (await preview(data, '', name)).body
      assert.deepEqual(actual, expected, name)
      assert.equal(names.length, 1)
    }
  })

  test('shows its sheets, the columns of the first one, and a mapping that imports it', async () => {
    const { status, body } = await preview(people)
    assert.equal(status, 200)
    assert.deepEqual([body.sheet, body.sheets, body.samples], ['People', ['People', 'Élèves'], []])
    assert.deepEqual(body.lines, [
      ['zoe@example.org', 'Zoé', '33612345678', '1990-02-28', '1.234', '12.5%'],
      ['not an address', 'Bob'],
      ['carl@example.org', 'CARL', '', '', '0.3'],
    ])
    assert.deepEqual(
      body.columns.map(({ heading, field, numbers }: Record<string, unknown>) => [heading, field, numbers]),
      ['Email', 'First name', 'Mobile', 'Born', 'Spent', 'Share'].map((name) => [name, FIELDS[name], undefined]),
    )
    assert.equal('sheet' in body.mapping.features[0], false)
  })

  test('shows the sheet that is asked for, which its mapping then names', async () => {
    const { body } = await preview(people, `?sheet=${encodeURIComponent('élèves')}`)
    assert.deepEqual([body.sheet, body.lines], ['Élèves', [['dora@example.org']]])
    assert.equal(body.mapping.features[0].sheet, 'Élèves')
    assert.equal((await preview(people, '?sheet=Gone')).body.type, 'urn:stentor:problem:sheet-missing')
  })

  test('of an import is of the sheet of its mapping, and of the first one if the file does not have it', async () => {
    const features = (sheet: string) => [{ type: 'columns', sheet, fields: [] }]
    for (const [sheet, previewedSheet, stays] of [
      ['Élèves', 'Élèves', true],
      ['Gone', 'People', false],
    ] as const) {
      const id = await importOf({ features: features(sheet) })
      await call('PUT', `/imports/${id}/source`, { body: people, headers: headersOf('people.xlsx') })
      const { body } = await call('GET', `/imports/${id}/source/preview`)
      assert.deepEqual([body.sheet, 'sheet' in body.mapping.features[0]], [previewedSheet, stays])
    }
  })

  test('of a text has no sheets', async () => {
    const { body } = await preview(Buffer.from('Email\na@example.org\n'), '', 'people.csv')
    assert.deepEqual([body.sheet, body.sheets], [null, []])
  })
})

suite('spreadsheets that are not read', () => {
  test('are refused with what to save them as', async () => {
    const id = await importOf()
    const put = (name: string, body: Buffer) => call('PUT', `/imports/${id}/source`, { body, headers: headersOf(name) })
    const old = await put('people.xls', Buffer.from('x'))
    assert.deepEqual(
      [old.status, old.body.detail],
      [415, '"people.xls" is not supported: save it as an Excel workbook (.xlsx) or as CSV.'],
    )
    const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
    const locked = await put('people.xlsx', compound)
    assert.deepEqual(
      [locked.status, locked.body.detail],
      [400, '"people.xlsx" is protected by a password. Save it without a password, or save the sheet as CSV.'],
    )
  })
})
