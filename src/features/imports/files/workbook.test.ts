import assert from 'node:assert/strict'
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { lettersOf, sheetXml, type WorkbookOptions, workbook } from '#test/support/files/workbook.ts'
import { zip } from '#test/support/files/zip.ts'
import type { ImportLine } from '../run/lines.ts'
import { type ImportUpload, listUploadTexts, peekUploadTexts, verifyArchive } from './archives.ts'

let folder = ''
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'stentor-workbooks-'))))
after(() => rm(folder, { recursive: true }))

let pathCount = 0
async function uploadOf(data: Buffer, name = 'people.xlsx', maxUnpacked = 1 << 30): Promise<ImportUpload> {
  const path = join(folder, `upload-${++pathCount}`)
  await writeFile(path, data)
  return { path, name, maxUnpacked, onRead: () => {} }
}

/** The descriptors of this process that are open for a file. */
async function openFiles(path: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd')
  const targets = await Promise.all(descriptors.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => '')))
  return targets.filter((target) => target === path)
}

async function linesOfUpload(upload: ImportUpload, sheet?: string): Promise<ImportLine[]> {
  const lines: ImportLine[] = []
  for (const text of await listUploadTexts(upload, join(folder, `scratch-${++pathCount}`))) {
    const content = await text.open()
    assert.ok('workbook' in content, text.name)
    for await (const group of content.workbook.lines(sheet)) lines.push(...group)
  }
  return lines
}

const linesOf = async (data: Buffer, sheet?: string) => linesOfUpload(await uploadOf(data), sheet)
const cellsOf = async (data: Buffer, sheet?: string) => (await linesOf(data, sheet)).map(({ cells }) => cells)
/** The cells of a row of these cells. */
const rowOf = async (cells: string[], options: WorkbookOptions = {}) =>
  (await cellsOf(workbook([{ name: 'A', rows: [cells.map((xml) => ({ xml }))] }], options)))[0]

suite('the cells of a workbook', () => {
  test('are read whatever way their text is stored: shared, of several runs, inline or of a formula', async () => {
    const strings = `<sst><si><t>Zoé &amp; co</t></si><si><r><t xml:space="preserve">Anne </t></r><r><rPr><b/></rPr><t>Lee</t></r></si>
      <si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si><si><t>a_x000D_b_x005F_</t></si><si/></sst>`
    const shared = [0, 1, 2, 3, 4].map((index) => `<c t="s"><v>${index}</v></c>`)
    const others = [
      '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>',
      '<c t="str"><f>A1&amp;"x"</f><v>made</v></c>',
      '<c><f>1+1</f><v>2</v></c>',
      '<c t="b"><v>1</v></c>',
      '<c t="d"><v>2024-05-01T08:00:00</v></c>',
    ]
    assert.deepEqual(await rowOf([...shared, ...others], { strings }), [
      'Zoé & co',
      'Anne Lee',
      '東京',
      'a\rb_',
      '',
      'inline',
      'made',
      '2',
      'TRUE',
      '2024-05-01T08:00:00',
    ])
  })

  test('are read with elements that have a prefix, and in UTF-16', async () => {
    const xml =
      '<x:worksheet><x:sheetData><x:row><x:c t="inlineStr"><x:is><x:t>a</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>'
    assert.deepEqual(await cellsOf(workbook([{ name: 'A', xml }])), [['a']])
    const data = Buffer.from(`\ufeff${xml}`, 'utf16le')
    const parts = [{ name: 'xl/worksheets/sheet1.xml', data }]
    assert.deepEqual(await cellsOf(workbook([{ name: 'A' }], { parts })), [['a']])
  })

  test('are dates and times where their format says so, in the system of the workbook', async () => {
    const formats = [14, 'dd/mm/yyyy hh:mm', '0.0%', 'h:mm', '@']
    const row = ['45292', '45292.5', '0.125', '0.75', '33612345678'].map((v, n) => `<c s="${n + 1}"><v>${v}</v></c>`)
    assert.deepEqual(await rowOf(row, { formats }), [
      '2024-01-01',
      '2024-01-01T12:00:00',
      '12.5%',
      '18:00:00',
      '33612345678',
    ])
    assert.deepEqual(await rowOf(['<c s="1"><v>43830</v></c>'], { formats, is1904: true }), ['2024-01-01'])
  })

  test('that show an error are empty, and their row has a warning', async () => {
    const [line] = await linesOf(workbook([{ name: 'A', rows: [['a', { xml: '<c t="e"><v>#N/A</v></c>' }, 'b']] }]))
    assert.deepEqual(line, { number: 1, cells: ['a', '', 'b'], warnings: ['error'] })
  })

  test('keep their columns and rows, whatever is missing between them', async () => {
    const xml = `<worksheet><sheetData><row r="2"><c r="C2"><v>1</v></c><c r="AA2"><v>2</v></c></row>
      <row r="4"><c r="A4" s="1"/></row><row><c><v>3</v></c><c><v>4</v></c></row></sheetData></worksheet>`
    const lines = await linesOf(workbook([{ name: 'A', xml }]))
    assert.deepEqual(
      lines.map(({ number, cells }) => [number, cells.join(';')]),
      [
        [2, `;;1${';'.repeat(24)}2`],
        [5, '3;4'],
      ],
    )
    assert.deepEqual([25, 26, 701, 702].map(lettersOf), ['Z', 'AA', 'ZZ', 'AAA'])
  })
})

suite('the sheet that is read', () => {
  const rows = (text: string) => [[text]]
  const book = workbook([
    { name: 'Notes', rows: rows('hidden'), state: 'hidden' },
    { name: 'People', rows: rows('first') },
    { name: 'Été 2024', rows: rows('second') },
  ])

  test('is the first one that is not hidden, or the one that is named, in any case', async () => {
    assert.deepEqual(await cellsOf(book), [['first']])
    assert.deepEqual(await cellsOf(book, 'été 2024'), [['second']])
    assert.deepEqual(await cellsOf(book, 'Notes'), [['hidden']])
  })

  test('must exist', async () => {
    await assert.rejects(cellsOf(book, 'Gone'), {
      kind: 'sheet-missing',
      detail: 'There is no sheet "Gone". The workbook has "People", "Été 2024".',
    })
  })
})

suite('a workbook', () => {
  const book = workbook([{ name: 'A', rows: [['Email'], ['a@example.org']] }])
  const expected = [['Email'], ['a@example.org']]

  test('is found by its bytes: renamed, gzipped, and in archives', async () => {
    const member = { name: 'people.xlsx', data: book }
    const files: [string, Buffer][] = [
      ['people.xlsx', book],
      ['people.csv', book],
      ['people.xlsx.gz', gzipSync(book)],
      ['people.csv.gz', gzipSync(book)],
      ['people.zip', zip([member, { name: 'note.pdf', data: Buffer.from('x') }])],
      ['people.zip', zip([{ ...member, name: 'people.csv' }])],
    ]
    for (const [name, data] of files) {
      const upload = await uploadOf(data, name)
      await verifyArchive(upload)
      assert.deepEqual(
        (await linesOfUpload(upload)).map(({ cells }) => cells),
        expected,
        name,
      )
    }
  })

  test('is looked into by its first rows, without reading shared strings that they do not name', async () => {
    const many = Array.from({ length: 200_000 }, (_, n) => [`p${n}@example.org`])
    const large = workbook([{ name: 'A', rows: [['Email'], ...many] }])
    let unpacked = 0
    const upload = await uploadOf(large)
    const [peeked] = await peekUploadTexts(upload, join(folder, 'peeked'), ({ sheets }) => sheets[0] ?? '')
    assert.ok(peeked && 'lines' in peeked)
    for (const { cells } of peeked.lines) unpacked += cells.length
    assert.deepEqual([peeked.sheet, peeked.lines[1]?.cells], ['A', ['p0@example.org']])
    assert.ok(unpacked > 1000 && unpacked < 100_000, String(unpacked))
  })

  test('returns shared strings that do not fit in memory', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => [`${n}`.padEnd(200, 'é')])
    const lines = await cellsOf(workbook([{ name: 'A', rows: [...many, ...many.slice(0, 10)] }]))
    assert.equal(lines.length, 60_010)
    assert.deepEqual(lines.slice(59_999), [many[59_999], ...many.slice(0, 10)])
  })
})

suite('a workbook that cannot be read is refused with what to do', () => {
  const sheet = { name: 'A', rows: [['Email'], ['a@example.org']] }
  const book = (options: WorkbookOptions) => workbook([sheet], options)
  const ofXml = (xml: string) => workbook([{ name: 'A', xml }])
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])
  const entry = (name: string) => zip([{ name, data: Buffer.from('x') }])

  const uploads: [what: string, name: string, data: Buffer, kind: string][] = [
    ['a missing sheet', 'a.xlsx', book({ without: ['xl/worksheets/sheet1.xml'] }), 'workbook-broken'],
    ['missing relations', 'a.xlsx', book({ without: ['xl/_rels/workbook.xml.rels'] }), 'workbook-broken'],
    ['missing shared strings', 'a.xlsx', book({ without: ['xl/sharedStrings.xml'] }), 'workbook-broken'],
    ['a text by its name only', 'a.xlsx', Buffer.from('Email\na@example.org'), 'workbook-broken'],
    ['one with a password', 'a.xlsx', compound, 'workbook-encrypted'],
    ['an old one', 'a.csv', compound, 'workbook-unread'],
    ['an old one, gzipped', 'a.csv.gz', gzipSync(compound), 'workbook-unread'],
    ['one with a password in an archive', 'a.zip', zip([{ name: 'a.xlsx', data: compound }]), 'workbook-encrypted'],
    ['a binary one', 'a.xlsx', entry('xl/workbook.bin'), 'workbook-unread'],
    [
      'an OpenDocument one',
      'a.csv',
      zip([...['mimetype', 'content.xml'].map((name) => ({ name, data: Buffer.from('x') }))]),
      'workbook-unread',
    ],
    ['a document of another kind', 'a.xlsx', entry('word/document.xml'), 'archive-without-text'],
  ]
  for (const [what, name, data, kind] of uploads) {
    test(`at its upload: ${what}`, async () => {
      const upload = await uploadOf(data, name)
      await assert.rejects(verifyArchive(upload), { kind })
      assert.deepEqual(await openFiles(upload.path), [])
    })
  }

  const entities = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${sheetXml([['x']]).replace(/^.*\n/, '')}`
  const row = (inside: string) => `<worksheet><sheetData>${inside}</sheetData></worksheet>`
  const read: [what: string, data: Buffer, kind: string][] = [
    ['entities that expand', ofXml(entities), 'workbook-broken'],
    ['a million columns', ofXml(row(`<row>${'<c><v>1</v></c>'.repeat(1_000_000)}</row>`)), 'workbook-broken'],
    ['a column beyond the last', ofXml(row('<row><c r="XFE1"><v>1</v></c></row>')), 'workbook-broken'],
    ['a row beyond the last', ofXml(row('<row r="1048577"><c><v>1</v></c></row>')), 'workbook-broken'],
    ['elements without an end', ofXml('<a>'.repeat(100_000)), 'workbook-broken'],
    ['a tag without an end', ofXml(`<worksheet ${'a="b" '.repeat(1_000_000)}`), 'workbook-broken'],
    ['a sheet that ends too soon', ofXml('<worksheet><sheetData><row><c><v>1</v></c></row>'), 'workbook-broken'],
    ['a text that is not there', ofXml(row('<row><c t="s"><v>7</v></c></row>')), 'workbook-broken'],
    ['a sheet that is not XML', ofXml('Email;Name'), 'workbook-broken'],
  ]
  for (const [what, data, kind] of read) {
    test(`when it is read: ${what}`, async () => {
      await assert.rejects(linesOf(data), { kind })
    })
  }

  test('when it unpacks to more than is allowed, including by texts that many cells share', async () => {
    const strings = `<sst><si><t>${'x'.repeat(1 << 19)}</t></si></sst>`
    const cells = '<row><c t="s"><v>0</v></c></row>'.repeat(100)
    const bomb = workbook([{ name: 'A', xml: row(cells) }], { strings })
    const kind = 'unpacked-too-large'
    await assert.rejects(linesOfUpload(await uploadOf(bomb, 'a.xlsx', 10 << 20)), { kind })
    const endless = workbook([{ name: 'A' }], { strings: `<sst>${'<si><t>x</t></si>'.repeat(1_000_000)}</sst>` })
    await assert.rejects(linesOfUpload(await uploadOf(endless, 'a.xlsx', 1 << 20)), { kind })
  })

  test('a row of more than 1 MiB is one fault, and the rows after it are read', async () => {
    const xml = row(`<row><c t="inlineStr"><is><t>${'x'.repeat(3 << 20)}</t></is></c></row><row><c><v>1</v></c></row>`)
    const lines = await linesOf(ofXml(xml))
    assert.deepEqual(
      lines.map(({ number, cells, fault }) => [number, cells, fault]),
      [
        [1, [], 'too-long'],
        [2, ['1'], undefined],
      ],
    )
  })
})
