import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { IMPORT_FILES, noSharedData, SHARED_DATA } from '#test/support/files/sample-files.ts'
import { zip } from '#test/support/files/zip.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { ContactDefinitions } from '../../contacts/fields/definitions.ts'
import type { ContactFieldDefinition, FieldType } from '../../contacts/fields/field-schemas.ts'
import type { AcceptedLine, LineReject } from '../run/rows.ts'
import { type ImportReadTask, type ImportTextFormat, type LineBatch, readLineBatches } from './reader.ts'
import { readBatchesInThread } from './reader-thread.ts'

const TASTES = ['Wine', 'Books', 'Travel', 'Sport', 'Garden', 'Cinéma']

function field(
  id: number,
  type: FieldType,
  name: string,
  more: Partial<ContactFieldDefinition> = {},
): ContactFieldDefinition {
  return { id, type, name, isUnicity: false, isMandatory: false, isCriterion: true, ...more }
}

function list(id: number, name: string, labels: string[]) {
  const values = labels.map((value, place) => ({ index: place + 1, value }))
  return [id, { id, name, ordered: false, values }] as const
}

const definitions: ContactDefinitions = {
  listening: new Set(),
  awaitsDevices: false,
  foldsKeys: false,
  account: 1,
  version: 1,
  fields: [
    field(1, 'email', 'Email', { isUnicity: true, isMandatory: true }),
    field(2, 'singleSelectList', 'Title', { valueListId: 1 }),
    field(3, 'textField', 'First name'),
    field(4, 'textArea', 'Last name'),
    field(5, 'phone', 'Mobile'),
    field(6, 'date', 'Birth date'),
    field(7, 'textField', 'Country'),
    field(8, 'textField', 'Language'),
    field(9, 'multipleSelectList', 'Tastes', { valueListId: 2 }),
    field(10, 'numeric', 'Spent'),
    field(11, 'textField', 'Opt-in'),
  ],
  lists: new Map([list(1, 'Titles', ['Mr', 'Ms']), list(2, 'Tastes', TASTES)]),
  settings: {
    defaultCountry: 'FRA',
    timeZone: 'UTC',
    dateOrder: 'dmy',
    decimalMark: 'point',
    softBounce: { count: 5, days: 30 },
    forgetRedListOnDelete: false,
    importMaxBytes: 1e9,
    sourceRetentionDays: 30,
    rejectsRetentionDays: 90,
  },
}

const HEADER_FORMAT: ImportTextFormat = {
  separator: undefined,
  encoding: 'auto',
  dateOrder: undefined,
  binds: null,
  startAt: 1,
  mapping: null,
}

let folder = ''
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'stentor-reader-'))))
after(() => rm(folder, { recursive: true }))

function task(path: string, more: Partial<ImportReadTask> = {}): ImportReadTask {
  return {
    upload: { path, name: 'people.csv', maxUnpacked: 1e9 },
    scratch: join(folder, 'scratch'),
    format: HEADER_FORMAT,
    definitions,
    normalization: {},
    statuses: [],
    empties: false,
    keepsFirst: true,
    listsDuplicates: true,
    passed: 0,
    batchLines: 5000,
    ...more,
  }
}

interface Outcome {
  rows: AcceptedLine[]
  rejects: LineReject[]
  warnings: string[]
  last: LineBatch
}

/** The rows of a batch, read as COPY reads them. */
function rowsOf({ rows }: LineBatch): AcceptedLine[] {
  const unescaped = (cell: string): string =>
    cell.replace(/\\(.)/g, (_, character) => ({ t: '\t', n: '\n', r: '\r' })[character as string] ?? character)
  return Buffer.from(rows)
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [ordinal, number, unicity = '', key = '', fields = ''] = line.split('\t').map(unescaped)
      return { ordinal: Number(ordinal), line: Number(number), unicity, key, fields: JSON.parse(fields) }
    })
}

async function collect(batches: AsyncIterable<LineBatch>): Promise<Outcome> {
  const all = await Array.fromAsync(batches)
  const last = all.at(-1)
  assert.ok(last)
  return {
    rows: all.flatMap(rowsOf),
    rejects: all.flatMap(({ rejects }): LineReject[] => JSON.parse(rejects)),
    warnings: all.flatMap(({ warnings }) => warnings),
    last,
  }
}

async function read(content: string | Buffer, more: Partial<ImportReadTask> = {}): Promise<Outcome> {
  const path = join(folder, 'people.csv')
  await writeFile(path, content)
  return collect(readLineBatches(task(path, more)))
}

const valuesOf = ({ rows }: Outcome): unknown[] => rows.map(({ fields }) => fields)

suite('header line of an import', () => {
  test('identifies fields by id or by name in any case', async () => {
    const { rows } = await read('4;EMAIL\nLee;ann@shop.example\n')
    assert.deepEqual(rows, [
      {
        ordinal: 1,
        line: 2,
        unicity: 'ann@shop.example',
        key: 'ann@shop.example',
        fields: { 1: 'ann@shop.example', 4: 'Lee' },
      },
    ])
  })

  test('warns about columns with an unknown or repeated field', async () => {
    const { warnings, rows } = await read('Email;Shoe size;email\nann@shop.example;38;bob@shop.example\n')
    assert.deepEqual(warnings, [
      'Column 2, "Shoe size", matches no field and was not read.',
      'Column 3, "email", matches a field that an earlier column fills and was not read.',
    ])
    assert.deepEqual(rows[0]?.fields, { 1: 'ann@shop.example' })
  })

  const formats: [name: string, format: ImportTextFormat][] = [
    ['without the unicity', HEADER_FORMAT],
    ['bound without the unicity', { ...HEADER_FORMAT, binds: [{ columnIndex: 0, field: 3 }] }],
  ]
  for (const [name, format] of formats) {
    test(`refuses a file ${name}`, async () => {
      await assert.rejects(
        read('First name\nAnn\n', { format }),
        (error) => error instanceof Problem && error.kind === 'unicity-not-bound',
      )
    })
  }

  test('refuses a file without lines', async () => {
    await assert.rejects(read('\n\n'), (error) => error instanceof Problem && error.kind === 'unicity-not-bound')
  })
})

suite('numbers of a file', () => {
  const HEAD = 'Email;Spent\n'
  const fileOf = (cells: readonly string[]) => HEAD + cells.map((cell, n) => `p${n}@shop.example;${cell}\n`).join('')
  const spentOf = ({ rows }: Outcome) => rows.map(({ fields }) => (fields as unknown as Record<string, unknown>)['10'])
  const account = (decimalMark: 'comma' | 'point'): Partial<ImportReadTask> => ({
    definitions: { ...definitions, settings: { ...definitions.settings, decimalMark } },
  })
  const warningOf = (line: number, cell: string, mark: string) =>
    `Line ${line} has "${cell}" for the field "Spent", but the column does not show which decimal mark it uses: it was read with a ${mark}, as in the account settings.`

  test('are read by the decimal mark that another number of their column shows, whatever the setting of the account', async () => {
    for (const mark of ['comma', 'point'] as const) {
      const comma = await read(fileOf(['1.234', '1,234', '1.234,5']), account(mark))
      assert.deepEqual([spentOf(comma), comma.warnings], [[1234, 1.234, 1234.5], []])
      const point = await read(fileOf(['1,234', '$1,234,567', '1.234', '7 %']), account(mark))
      assert.deepEqual([spentOf(point), point.warnings], [[1234, 1234567, 1.234, 7], []])
    }
  })

  test('are read by the setting of the account when their column shows no mark, and the warnings say so once', async () => {
    const file = fileOf(['12', '1,234', '2.500', '3,500'])
    const comma = await read(file, account('comma'))
    assert.deepEqual([spentOf(comma), comma.warnings], [[12, 1.234, 2500, 3.5], [warningOf(3, '1,234', 'comma')]])
    const point = await read(file, account('point'))
    assert.deepEqual([spentOf(point), point.warnings], [[12, 1234, 2.5, 3500], [warningOf(3, '1,234', 'point')]])
    assert.deepEqual((await read(fileOf(['12', '7']))).warnings, [])
  })

  test('are warned of after the first megabyte too, when their column showed no mark', async () => {
    const cells = Array.from({ length: 60_000 }, (_, n) => `${n % 100}`)
    const { warnings, rejects } = await read(fileOf([...cells, '1,234']))
    assert.deepEqual([warnings, rejects], [[warningOf(60_002, '1,234', 'point')], []])
  })

  test('are read by the mark that a mapping or a format chooses for their column, without a warning', async () => {
    const file = fileOf(['1,234', '12.5'])
    const mapping = {
      header: true,
      fields: [
        { column: 'Email', field: 1 },
        { column: 'Spent', field: 10, decimalMark: 'comma' as const },
      ],
    }
    const binds = [
      { columnIndex: 0, field: 1 },
      { columnIndex: 1, field: 10, decimalMark: 'comma' as const },
    ]
    for (const format of [
      { ...HEADER_FORMAT, mapping },
      { ...HEADER_FORMAT, binds },
    ]) {
      const outcome = await read(file, { format })
      assert.deepEqual([spentOf(outcome), outcome.warnings], [[1.234, 12.5], []])
    }
  })

  test('are decided separately for each text of an archive', async () => {
    const path = join(folder, 'two.zip')
    const texts = { 'a.csv': ['1,234', '12,5'], 'b.csv': ['1,234', '12.5'], 'c.csv': ['1,234'] }
    const entries = Object.entries(texts).map(([name, cells]) => ({ name, data: Buffer.from(fileOf(cells)) }))
    await writeFile(path, zip(entries))
    const upload = { path, name: 'two.zip', maxUnpacked: 1e9 }
    const outcome = await collect(readLineBatches(task(path, { upload, keepsFirst: false })))
    assert.deepEqual(spentOf(outcome), [1.234, 12.5, 1234, 12.5, 1234])
    assert.deepEqual(outcome.warnings, [warningOf(2, '1,234', 'point').replace('Line 2', 'Line 2 of "c.csv"')])
  })
})

suite('column bindings of an import', () => {
  const binds = [
    { columnIndex: 2, field: 1 },
    { columnIndex: 0, field: 3 },
    { columnIndex: 1, field: null },
  ]

  test('skip the configured number of lines and read columns by position', async () => {
    const format = { ...HEADER_FORMAT, binds, startAt: 2, separator: ',' }
    const outcome = await read('title\nname,x,mail\nAnn,38,ann@shop.example\n', { format })
    assert.deepEqual(valuesOf(outcome), [{ 1: 'ann@shop.example', 3: 'Ann' }])
    assert.equal(outcome.rows[0]?.line, 3)
  })

  test('read from the first line when configured', async () => {
    const format = { ...HEADER_FORMAT, binds, startAt: 0, separator: ',' }
    assert.equal((await read('Ann,38,ann@shop.example\n', { format })).rows.length, 1)
  })

  test('use their own date order', async () => {
    const format = {
      ...HEADER_FORMAT,
      binds: [
        { columnIndex: 0, field: 1 },
        { columnIndex: 1, field: 6 },
      ],
    }
    const outcome = await read('a;b\nann@shop.example;02/01/1990\n', { format: { ...format, dateOrder: 'mdy' } })
    assert.deepEqual(outcome.rows[0]?.fields[6], '1990-02-01T00:00:00.000Z')
  })
})

suite('lines of an import', () => {
  test('are rejected with all faults at once and with the key that an erasure searches for', async () => {
    const { rows, rejects } = await read('Email;Title;Spent\nAnn@shop.example;Dr;much\n')
    assert.equal(rows.length, 0)
    assert.deepEqual(rejects, [
      {
        ordinal: 1,
        line: 2,
        position: 0,
        reason: 'unknown-label',
        column: 'Title',
        content: 'Dr',
        key: 'ann@shop.example',
      },
      {
        ordinal: 1,
        line: 2,
        position: 1,
        reason: 'invalid-value',
        column: 'Spent',
        content: 'much',
        key: 'ann@shop.example',
      },
    ])
  })

  test('without the unicity are rejected with that single fault', async () => {
    const { rejects } = await read('Email;Spent\n;1\n')
    assert.deepEqual(
      rejects.map(({ reason, column }) => [reason, column]),
      [['unicity-missing', 'Email']],
    )
  })

  test('lacking one of two unicity values are rejected for it and for their other faults', async () => {
    const fields = definitions.fields.map((one) => (one.id === 11 ? { ...one, isUnicity: true } : one))
    const { rejects } = await read('Email;Opt-in\nno address;\nann@shop.example;\n', {
      definitions: { ...definitions, fields },
    })
    assert.deepEqual(
      rejects.map(({ line, reason, column }) => [line, reason, column]),
      [
        [2, 'invalid-value', 'Email'],
        [2, 'unicity-missing', 'Opt-in'],
        [3, 'unicity-missing', 'Opt-in'],
      ],
    )
  })

  test('are rejected for an empty mandatory cell, a failed constraint or a key of more than 512 characters', async () => {
    const constraint = { operator: 1, value: '10' }
    const fields = definitions.fields.map((one) =>
      one.id === 3 ? { ...one, isUnicity: true } : one.id === 4 ? { ...one, isMandatory: true } : one,
    )
    const bounded = fields.map((one) => (one.id === 10 ? { ...one, constraint } : one))
    const { rejects } = await read(
      `Email;First name;Last name;Spent\na@shop.example;b;;5\na@shop.example;${'b'.repeat(600)};c;11\n`,
      { definitions: { ...definitions, fields: bounded } },
    )
    assert.deepEqual(
      rejects.map(({ line, reason, column }) => [line, reason, column]),
      [
        [2, 'mandatory-empty', 'Last name'],
        [2, 'constraint', 'Spent'],
        [3, 'too-long', 'Email + First name'],
      ],
    )
  })

  test('over 1 MiB are rejected and the following lines are read', async () => {
    const { rows, rejects } = await read(`Email;Last name\nx;${'y'.repeat(1 << 20)}\nann@shop.example;z\n`)
    assert.deepEqual(
      rejects.map(({ reason, line }) => [reason, line]),
      [['too-long', 2]],
    )
    assert.equal(rows[0]?.line, 3)
  })

  test('with an unclosed quote are rejected, and reading goes on at the next line with all cells', async () => {
    const lines = [
      'Email;Last name;Spent',
      'ann@shop.example;"z;1',
      'lone',
      'bob@shop.example;y;2',
      'cid@shop.example;x;3',
    ]
    const { rows, rejects } = await read(lines.join('\n'))
    assert.deepEqual(
      rejects.map(({ reason, line, content }) => [reason, line, content]),
      [
        [
          'invalid-value',
          2,
          'The quotes of this line are ambiguous: one is not closed, or text follows it in its cell.',
        ],
        ['invalid-value', 3, 'This line is ambiguous: line 2 opens a quote that is not closed.'],
      ],
    )
    assert.deepEqual(
      rows.map(({ line, fields }) => [line, fields[4]]),
      [
        [4, 'y'],
        [5, 'x'],
      ],
    )
  })

  test('with the same key count once, and the first one is kept', async () => {
    const { rows, rejects, last } = await read('Email;Last name\nann@shop.example;1\nANN@shop.example;2\n')
    assert.deepEqual(
      rows.map(({ fields }) => fields[4]),
      ['1'],
    )
    assert.deepEqual(
      rejects.map(({ reason, line, content }) => [reason, line, content]),
      [['duplicate', 3, 'ANN@shop.example']],
    )
    assert.equal(last.duplicates, 1)
  })

  test('with the same key are listed only on request, and all are kept when the last one counts', async () => {
    const content = 'Email;Last name\nann@shop.example;1\nANN@shop.example;2\n'
    assert.deepEqual((await read(content, { listsDuplicates: false })).rejects, [])
    assert.equal((await read(content, { keepsFirst: false })).rows.length, 2)
  })

  test('omit empty cells, or name the fields to empty, but never the unicity', async () => {
    const content = 'Email;Last name;Spent\nann@shop.example;;\n'
    assert.deepEqual(valuesOf(await read(content)), [{ 1: 'ann@shop.example' }])
    assert.deepEqual(valuesOf(await read(content, { empties: true })), [{ 1: 'ann@shop.example', 4: null, 10: null }])
  })

  test('contain nothing that PostgreSQL refuses in JSON', async () => {
    const content = iconv.encode('Email;Last name\nann@shop.example;a\0b\nbob@shop.example;x\ud800y\n', 'utf-16le', {
      addBOM: true,
    })
    const { rejects, rows } = await read(content)
    assert.ok(![JSON.stringify(rejects), JSON.stringify(rows)].some((text) => /\\u0000|\\ud[89a-f]/i.test(text)))
  })

  const surplus = (line: number): string => `Line ${line} has cells after the last column: they were not read.`
  const wide: [name: string, text: string, format: Partial<ImportTextFormat>, warned: number[]][] = [
    ['of one line', 'Email;Last name\nann@shop.example;a\nbob@shop.example;b;x\n', {}, [3]],
    ['of each line', 'Email;Last name\nann@shop.example;a;x\nbob@shop.example;b;;y\n', {}, [2, 3]],
    ['behind quotes', 'Email;Last name\n"ann@shop.example";"a";"x"\nbob@shop.example;b\n', {}, [2]],
    ['that are empty', 'Email;Last name\nann@shop.example;a;\nbob@shop.example;b; ;;\n', {}, []],
    [
      'of a file without headings',
      'ann@shop.example;a\nbob@shop.example;b\ncid@shop.example;c;x\n',
      {
        mapping: {
          header: false,
          fields: [
            { column: 0, field: 1 },
            { column: 1, field: 4 },
          ],
        },
      },
      [3],
    ],
    [
      'of columns that an import format does not bind',
      'title\nann@shop.example;a;x\nbob@shop.example;b;x\n',
      {
        binds: [
          { columnIndex: 0, field: 1 },
          { columnIndex: 1, field: 4 },
        ],
      },
      [],
    ],
    [
      'of columns that are bound beyond the others',
      'a;b\nann@shop.example;a\nbob@shop.example;b;x\n',
      {
        binds: [
          { columnIndex: 0, field: 1 },
          { columnIndex: 2, field: 4 },
        ],
      },
      [],
    ],
  ]
  for (const [name, text, format, warned] of wide) {
    test(`with surplus cells ${name} are read, and named if the cells hold text`, async () => {
      const { warnings, rejects, rows } = await read(text, { format: { ...HEADER_FORMAT, ...format } })
      assert.deepEqual(
        [warnings, rejects, rows.length],
        [warned.map(surplus), [], text.trim().split('\n').length - (format.mapping ? 0 : 1)],
      )
    })
  }

  test('are named with their text where an archive has several', async () => {
    const texts = ['a', 'b'].map((name) => ({
      name: `${name}.csv`,
      data: Buffer.from(`Email;Last name\n${name}@shop.example;x;${name === 'b' ? 'y' : ''}\n`),
    }))
    const { warnings } = await read(zip(texts), {
      upload: { ...task(join(folder, 'people.csv')).upload, name: 'a.zip' },
    })
    assert.deepEqual(warnings, ['Line 2 of "b.csv" has cells after the last column: they were not read.'])
  })

  const breaks: [column: string, cell: string, value: unknown][] = [
    ['Last name', 'two\r\nlines', 'two\r\nlines'],
    ['First name', 'two\nlines', 'two lines'],
    ['First name', ' a \r\n\r\n b\rc\n', 'a b c'],
    ['Title', 'M\nr', undefined],
    ['Company', 'Tea\nHouse', 1],
    ['Tastes', '\nWine|Books\n', [1, 2]],
    ['First name', '\nAnn\n', 'Ann'],
    ['Spent', '10\n200', undefined],
  ]
  for (const [column, cell, value] of breaks) {
    test(`with a line break in ${column}, ${JSON.stringify(cell)}, ${value === undefined ? 'are rejected' : 'are read'}`, async () => {
      const more: ContactDefinitions = {
        ...definitions,
        fields: [...definitions.fields, field(12, 'singleSelectList', 'Company', { valueListId: 3 })],
        lists: new Map([...definitions.lists, list(3, 'Companies', ['Tea House'])]),
      }
      const text = `Email;"${column.replace(' ', '\n')}"\nann@shop.example;"${cell}"\nbob@shop.example;\n`
      const { warnings, rejects, rows } = await read(text, { definitions: more })
      const { id } = more.fields.find(({ name }) => name === column)!
      assert.deepEqual(
        [rows.at(-1)?.key, rejects.length, value === undefined ? undefined : rows[0]?.fields[id]],
        ['bob@shop.example', value === undefined ? 1 : 0, value],
      )
      const isJoined = ['First name', 'Title', 'Company'].includes(column) && /\S\s*[\r\n]\s*\S/.test(cell)
      const line = column.includes(' ') ? 3 : 2
      assert.deepEqual(
        warnings,
        isJoined ? [`Line ${line} has a line break in a single-line field: it was replaced with a space.`] : [],
      )
    })
  }

  const damaged = (line: number): string =>
    `Line ${line} has bytes that are not valid in the encoding: each was replaced with "\uFFFD".`

  test('with bytes invalid in the encoding are read, and each is named', async () => {
    const filler = 'zoé@shop.example;Zoé\n'.repeat(3)
    const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
    const content = Buffer.concat([
      Buffer.from(`Email;Last name;`),
      bytes('Gr\xf6\xdfe\n'),
      Buffer.from(filler),
      bytes('ann@shop.example;Zo\xe9;x\n'),
      Buffer.from('bob@shop.example;Zoé;Größe\n'),
      bytes('cid@shop.example;b;"\n\xe9"\n'),
    ])
    const { warnings, rows, rejects } = await read(content)
    assert.deepEqual(
      warnings.filter((warning) => warning.startsWith('Line')),
      [damaged(1), damaged(5), damaged(7)],
    )
    assert.deepEqual(
      rows.map(({ line, fields }) => [line, fields[4]]),
      [
        [2, 'Zoé'],
        [5, 'Zo\uFFFD'],
        [6, 'Zoé'],
        [7, 'b'],
      ],
    )
    assert.deepEqual(
      rejects.map(({ reason }) => reason),
      ['duplicate', 'duplicate'],
    )
  })

  test('with invalid bytes after the first MiB are named as well', async () => {
    const filler = 'filler@shop.example;x\n'.repeat(60_000)
    const content = Buffer.from(`Email;Last name\n${filler}ann@shop.example;Zo\xe9\n`, 'latin1')
    const { warnings, rows } = await read(content)
    assert.deepEqual(warnings, [damaged(60_002)])
    assert.equal(rows.at(-1)?.fields[4], 'Zo\uFFFD')
  })

  test('with invalid bytes are named up to 20 per text, then a warning says that there are more', async () => {
    const lines = Array.from({ length: 25 }, (_, n) => Buffer.from(`é${n}@shop.example;`))
    const content = Buffer.concat([
      Buffer.from('Email;Last name\n'),
      ...lines.flatMap((line) => [line, Buffer.from([0xff, 0x0a])]),
      Buffer.from('zoé;Größe\n'),
    ])
    const { warnings } = await read(content, { batchLines: 4 })
    assert.deepEqual(warnings, [
      ...Array.from({ length: 20 }, (_, n) => damaged(n + 2)),
      'More lines have bytes that are not valid in the encoding: each was replaced with "\uFFFD".',
    ])
  })
})

suite('dialects of a file to import', () => {
  test('with a separator line read it neither as header nor as data, however their columns are found', async () => {
    const binds = [
      { columnIndex: 0, field: 1 },
      { columnIndex: 1, field: 4 },
    ]
    const header = 'Email|Last name\n'
    const files: [string, Partial<ImportTextFormat>][] = [
      [`sep=|\n${header}ann@shop.example|Lee;x\n`, {}],
      [`\ufeff"sep=|"\r\n${header}ann@shop.example|Lee;x\n`, {}],
      [`sep=|\n${header}ann@shop.example|Lee;x\n`, { binds }],
      [`sep=|\n${header}ann@shop.example|Lee;x\n`, { binds, separator: ';' }],
      [`sep=|\n${header}ann@shop.example|Lee;x\n`, { binds, startAt: 2 }],
      ['sep=|\nann@shop.example|Lee;x\n', { binds, startAt: 0 }],
    ]
    for (const [text, format] of files) {
      const outcome = await read(text, { format: { ...HEADER_FORMAT, ...format } })
      assert.deepEqual(valuesOf(outcome), [{ 1: 'ann@shop.example', 4: 'Lee;x' }], JSON.stringify([text, format]))
      assert.deepEqual([outcome.rejects, outcome.warnings], [[], []])
      assert.equal(outcome.rows[0]?.line, text.trim().split('\n').length)
    }
  })

  const quotings: [string, string][] = [
    ['backslashes before quotes', '"Lee \\"the; Great\\""'],
    ['blanks before quotes', ' "Lee ""the; Great"""'],
    ['doubled quotes', '"Lee ""the; Great"""'],
  ]
  for (const [name, cell] of quotings) {
    test(`with ${name} keep their columns`, async () => {
      const { rows, rejects } = await read(`Email;Last name;Spent\nann@shop.example;${cell};5\nbob@shop.example;Bo;6\n`)
      assert.deepEqual(
        [rows.map(({ fields }) => fields), rejects],
        [
          [
            { 1: 'ann@shop.example', 4: 'Lee "the; Great"', 10: 5 },
            { 1: 'bob@shop.example', 4: 'Bo', 10: 6 },
          ],
          [],
        ],
      )
    })
  }
})

suite('batches of an import', () => {
  const content = `Email\n${Array.from({ length: 25 }, (_, n) => `p${n}@shop.example\n`).join('')}`

  test('have at most the configured number of data lines and count from the beginning of the file', async () => {
    const path = join(folder, 'batches.csv')
    await writeFile(path, content)
    const batches = await Array.fromAsync(readLineBatches(task(path, { batchLines: 10 })))
    assert.deepEqual(
      batches.map(({ lines, accepted }) => [lines, accepted]),
      [
        [10, 10],
        [20, 10],
        [25, 5],
      ],
    )
    assert.equal(batches.at(-1)?.bytes, content.length)
  })

  test('resume after the committed lines', async () => {
    const { rows } = await read(content, { passed: 20 })
    assert.deepEqual(
      rows.map(({ ordinal, line }) => [ordinal, line]),
      [21, 22, 23, 24, 25].map((n) => [n, n + 1]),
    )
  })

  test('are the same when read in a thread', async () => {
    const path = join(folder, 'thread.csv')
    await writeFile(path, content)
    const some = task(path, { batchLines: 10 })
    assert.deepEqual(await Array.fromAsync(readBatchesInThread(some)), await Array.fromAsync(readLineBatches(some)))
  })

  test('read in a thread fail with the problem that makes the file unreadable', async () => {
    const path = join(folder, 'none.csv')
    await writeFile(path, 'Last name\nLee\n')
    await assert.rejects(
      Array.fromAsync(readBatchesInThread(task(path))),
      (error) => error instanceof Problem && error.kind === 'unicity-not-bound',
    )
  })
})

suite('contacts in different file formats', () => {
  const people = 'Email;Last name;Tastes\nzoe@shop.example;Größe;Wine|Cinéma\nali@shop.example;Œuvre €;Books\n'
  const expected = [
    { 1: 'zoe@shop.example', 4: 'Größe', 9: [1, 6] },
    { 1: 'ali@shop.example', 4: 'Œuvre €', 9: [2] },
  ]
  const files: [string, Buffer][] = [
    ['UTF-16 with tabs', iconv.encode(people.replaceAll(';', '\t'), 'utf-16le', { addBOM: true })],
    ['Windows-1252 with semicolons', iconv.encode(people, 'windows-1252')],
    ['gzipped UTF-8 with commas', gzipSync(people.replaceAll(';', ','))],
    ['UTF-8 with bars, labels with commas', Buffer.from(people.replaceAll('|', ',').replaceAll(';', '|'))],
  ]
  for (const [name, content] of files) {
    test(`are the same when read from a file in ${name}`, async () =>
      assert.deepEqual(valuesOf(await read(content)), expected))
  }
})

suite('import sample files', () => {
  const people = async (name: string, folder = SHARED_DATA): Promise<Outcome> =>
    collect(readLineBatches(task(join(folder, name))))

  test('10,000 valid contacts are read without a fault or warning', { skip: noSharedData }, async () => {
    const { rows, rejects, warnings } = await people('contacts-10k.csv')
    assert.deepEqual([rows.length, rejects, warnings], [10_000, [], []])
  })

  test('files in other encodings contain the same contacts as the first', { skip: noSharedData }, async () => {
    const known = new Map((await people('contacts-10k.csv')).rows.map(({ key, fields }) => [key, fields]))
    for (const name of ['contacts-300-windows-1252.csv', 'contacts-300-utf16-tab.csv']) {
      const { rows, rejects } = await people(name)
      assert.deepEqual([rows.length, rejects], [300, []], name)
      for (const { key, fields } of rows) assert.deepEqual(fields, known.get(key), name)
    }
  })

  test('each record of the messy file has its expected outcome', async () => {
    const { rows, rejects } = await people('contacts-messy.csv', IMPORT_FILES)
    const lines = (await readFile(join(IMPORT_FILES, 'contacts-messy-expected.csv'), 'utf8'))
      .trim()
      .split('\n')
      .slice(1)
    const expected = lines.map((line) => line.split(';') as [string, string])
    const outcomes = new Map<number, string>([
      ...rows.map(({ ordinal }) => [ordinal + 1, 'created'] as const),
      ...rejects.map(
        ({ ordinal, reason }) => [ordinal + 1, reason === 'duplicate' ? 'duplicate' : 'rejected'] as const,
      ),
    ])
    for (const [record, what] of expected) {
      assert.equal(outcomes.get(Number(record)), what.split(/[: ]/)[0], `record ${record}`)
    }
    assert.equal(outcomes.size, expected.length)
  })

  test('values of the messy file are stored as expected', async () => {
    const { rows } = await people('contacts-messy.csv', IMPORT_FILES)
    const value = (record: number, id: number) => rows.find(({ ordinal }) => ordinal === record - 1)?.fields[id]
    const expected: [record: number, field: number, value: unknown][] = [
      [5, 1, 'Messy4@example.com'],
      [8, 6, '1990-02-01T00:00:00.000Z'],
      [9, 2, 1],
      [11, 9, [1, 2]],
      [13, 10, 1234.5],
      [15, 4, 'He said "hi"; left'],
      [16, 4, 'two\r\nlines'],
      [18, 3, '=HYPERLINK("x")'],
      [19, 8, undefined],
      [20, 11, 'yes'],
      [21, 3, '𝒵oé 👩‍🚀'],
      [22, 1, 'ünïcode@xn--huser-gra.example'],
    ]
    for (const [record, id, wanted] of expected) assert.deepEqual(value(record, id), wanted, `record ${record}`)
  })
})
