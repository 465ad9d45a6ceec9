import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { type WorkbookOptions, workbook } from '#test/support/files/workbook.ts'
import type { ImportLine } from '../run/lines.ts'
import { listUploadTexts } from './archives.ts'

let folder = ''
before(async () => void (folder = await mkdtemp(join(tmpdir(), 'stentor-programs-'))))
after(() => rm(folder, { recursive: true }))

let fileCount = 0
/** Reads the lines of the first sheet of a workbook from its XML. */
async function linesOf(xml: string, options: WorkbookOptions = {}): Promise<ImportLine[]> {
  const path = join(folder, `${++fileCount}`)
  await writeFile(path, workbook([{ name: 'A', xml }], options))
  const upload = { path, name: 'people.xlsx', maxUnpacked: 10 << 20, onRead: () => {} }
  const lines: ImportLine[] = []
  for (const text of await listUploadTexts(upload, join(folder, `scratch-${fileCount}`))) {
    const content = await text.open()
    assert.ok('workbook' in content)
    for await (const group of content.workbook.lines(undefined)) lines.push(...group)
  }
  return lines
}

const cellsOf = async (xml: string, options?: WorkbookOptions) =>
  (await linesOf(xml, options)).map(({ cells }) => cells)
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const sst = (...items: string[]) => `<sst xmlns="${MAIN}">${items.map((item) => `<si>${item}</si>`).join('')}</sst>`
const sheet = (rows: string) => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`

suite('a workbook is read as it is written by', () => {
  test('Excel: with extensions, rich text, shared formulas, merged cells and controls on the sheet', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="${MAIN}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac xr"
 xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
 xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision" xr:uid="{00000000-0001-0000-0000-000000000000}"><dimension ref="A1:G4"/>
<sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>
<sheetFormatPr defaultRowHeight="15" x14ac:dyDescent="0.25"/><cols><col min="1" max="1" width="30" hidden="1" customWidth="1"/></cols><sheetData>
<row r="1" spans="1:7" x14ac:dyDescent="0.25"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1" s="1" t="s"><v>1</v></c><c r="C1" s="1"/></row>
<row r="2" spans="1:7" hidden="1" x14ac:dyDescent="0.25"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s" cm="1"><v>3</v></c><c r="D2" s="2"><v>45322</v></c><c r="E2" t="b"><v>0</v></c><c r="F2" t="str"><f t="shared" ref="F2:F3" si="0">IF(E2,"yes","")</f><v></v></c><c r="G2"><v>33612345678</v></c></row>
<row r="3" spans="1:7" x14ac:dyDescent="0.25"><c r="A3" t="s"><v>4</v></c><c r="E3" t="b"><v>1</v></c><c r="F3" t="str"><f t="shared" si="0"/><v>yes</v></c><c r="G3"><v>3.3612345679E10</v></c></row>
<row r="4" spans="1:7" x14ac:dyDescent="0.25"><c r="A4" s="2"/><c r="B4" s="2"/></row></sheetData>
<autoFilter ref="A1:G3"><filterColumn colId="4"><filters><filter val="x"/></filters></filterColumn></autoFilter>
<mergeCells count="1"><mergeCell ref="B1:C1"/></mergeCells><conditionalFormatting sqref="A1"><cfRule type="cellIs" priority="1"><formula>1</formula></cfRule></conditionalFormatting>
<mc:AlternateContent><mc:Choice Requires="x14"><controls><control shapeId="1" r:id="rId9"><controlPr><anchor><from><xdr:col>1</xdr:col><xdr:row>9</xdr:row></from></anchor></controlPr></control></controls></mc:Choice></mc:AlternateContent></worksheet>`
    const strings = sst(
      '<t>Email</t>',
      '<r><rPr><b/><sz val="11"/></rPr><t>First</t></r><r><t xml:space="preserve"> name</t></r>',
      '<t>zoe@example.org</t>',
      '<t xml:space="preserve"> Zoé </t><phoneticPr fontId="1"/>',
      '<t>carl@example.org</t>',
    )
    assert.deepEqual(await cellsOf(xml, { strings, formats: ['@', 14] }), [
      ['Email', 'First name'],
      ['zoe@example.org', ' Zoé ', '', '2024-01-31', 'FALSE', '', '33612345678'],
      ['carl@example.org', '', '', '', 'TRUE', 'yes', '33612345679'],
    ])
  })

  test('LibreOffice: with attributes on each cell, formats of its own and an empty last row', async () => {
    const row = (n: number, cells: string) =>
      `<row r="${n}" customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false">${cells}</row>`
    const xml = sheet(
      row(1, '<c r="A1" s="0" t="s"><v>0</v></c><c r="B1" s="0"/><c r="C1" s="0" t="s"><v>1</v></c>') +
        row(
          2,
          '<c r="A2" s="1" t="s"><v>2</v></c><c r="B2" s="2" t="n"><v>45322</v></c><c r="C2" s="3" t="n"><v>0.5</v></c>',
        ) +
        row(
          3,
          '<c r="A3" s="1" t="str"><f aca="false">LOWER(&quot;X&quot;)</f><v>x</v></c><c r="C3" s="1" t="e"><f aca="false">NA()</f><v>#N/A</v></c>',
        ) +
        row(4, '<c r="A4" s="1" t="b"><f aca="false">TRUE()</f><v>1</v></c>') +
        row(1_048_576, '<c r="A1048576" s="0"/>'),
    )
    const strings = sst('<t xml:space="preserve">Email</t>', '<t xml:space="preserve">Share</t>', '<t>0612345678</t>')
    const lines = await linesOf(xml, { strings, formats: ['General', 'yyyy\\-mm\\-dd', '0.00%'] })
    assert.deepEqual(lines, [
      { number: 1, cells: ['Email', '', 'Share'] },
      { number: 2, cells: ['0612345678', '2024-01-31', '50%'] },
      { number: 3, cells: ['x'], warnings: ['error'] },
      { number: 4, cells: ['TRUE'] },
    ])
  })

  test('programs that do not calculate: formulas without a value are empty, and their rows have a warning', async () => {
    const cells = ['<c r="A1"><f>1+1</f><v/></c>', '<c r="A2"><f>1+1</f></c>', '<c r="A3" t="str"><f>""</f><v></v></c>']
    const rows = cells.map((cell, n) => `<row r="${n + 1}">${cell}<c r="B${n + 1}"><v>${n}</v></c></row>`)
    assert.deepEqual(await linesOf(sheet(rows.join(''))), [
      { number: 1, cells: ['', '0'], warnings: ['formula'] },
      { number: 2, cells: ['', '1'], warnings: ['formula'] },
      { number: 3, cells: ['', '2'] },
    ])
  })

  test('programs that follow the strict standard: with dates as text and other namespaces', async () => {
    const xml = `<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><sheetData><row r="1"><c r="A1" t="d" s="1"><v>2024-01-31</v></c><c r="B1" t="inlineStr"><is><t>007</t></is></c></row></sheetData></worksheet>`
    assert.deepEqual(await cellsOf(xml, { formats: [14] }), [['2024-01-31', '007']])
  })
})

suite('a workbook that nobody would write', () => {
  test('is read as far as its cells have a meaning', async () => {
    const cells = [
      ['<c t="unknown"><v>a</v></c>', 'a'],
      ['<c s="-1"><v>1</v></c>', '1'],
      ['<c s="x"><v>2</v></c>', '2'],
      ['<c s="99999999"><v>3</v></c>', '3'],
      ['<c s="1"><v>later</v></c>', 'later'],
      ['<c s="1"><v>-5</v></c>', '-5'],
      ['<c t="b"><v>maybe</v></c>', 'maybe'],
      ['<c t="inlineStr"><v>7</v></c>', ''],
      ['<c r="$A$1"><v>9</v></c>', '9'],
      ['<c><v><b>1</b>0</v></c>', '10'],
      ['<c><v><![CDATA[11]]></v></c>', '11'],
    ] as const
    const xml = sheet(`<row>${cells.map(([cell]) => cell).join('')}</row>`)
    assert.deepEqual(await cellsOf(xml, { formats: [14] }), [cells.map(([, text]) => text)])
    const twice = '<row r="3"><c r="A3"><v>1</v></c><c r="A3"><v>2</v></c></row><row r="1"><c r="A1"><v>3</v></c></row>'
    assert.deepEqual(await cellsOf(sheet(twice)), [['2'], ['3']])
  })

  test('is refused if a reference names no cell, row or text', async () => {
    const rows = [
      '<row r="0"/>',
      '<row r="x"/>',
      '<row><c r="ABCDEF1"><v>1</v></c></row>',
      '<row><c t="s"><v>-1</v></c></row>',
      '<row><c t="s"><v>0.5</v></c></row>',
      '<row><c t="s"><v>9007199254740993</v></c></row>',
    ]
    for (const row of rows) await assert.rejects(linesOf(sheet(row)), { kind: 'workbook-broken' }, row)
  })

  test('keeps at most the length of a line of a long shared string, and reads the other rows', async () => {
    const strings = sst('<t>a</t>', `<t>${'x'.repeat(8 << 20)}</t>`, '<t>b</t>')
    const row = (n: number) => `<row><c t="s"><v>${n}</v></c></row>`
    const lines = await linesOf(sheet([0, 1, 2].map(row).join('')), { strings })
    assert.deepEqual(lines, [
      { number: 1, cells: ['a'] },
      { number: 2, cells: [], fault: 'too-long' },
      { number: 3, cells: ['b'] },
    ])
  })

  test('is refused when a comment, an instruction, a tag or a declaration does not end', async () => {
    const long = 'x '.repeat(4 << 20)
    for (const opening of ['<!--', '<?x ', '<row r="', '<row ', '<![CDATA[', '<!x ']) {
      await assert.rejects(linesOf(`<worksheet><sheetData>${opening}${long}`), { kind: 'workbook-broken' }, opening)
    }
  })

  test('is refused when a few bytes unpack to very many, whatever they are', async () => {
    for (const filler of [' ', '<row r="1"/>', '<row r="1"><c/></row>', '<row r="1"><c r="XFD1"><v>1</v></c></row>']) {
      const xml = sheet(filler.repeat(Math.ceil((11 << 20) / filler.length)))
      await assert.rejects(linesOf(xml), { kind: 'unpacked-too-large' }, filler)
    }
  })

  test('is refused when its parts refer to others that are not in it', async () => {
    const relations = (target: string) =>
      `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="${target}"/></Relationships>`
    for (const target of ['../../../../etc/passwd', 'http://example.com/sheet.xml', '', 'file:///etc/passwd']) {
      const parts = [{ name: 'xl/_rels/workbook.xml.rels', data: Buffer.from(relations(target)) }]
      await assert.rejects(linesOf(sheet(''), { parts }), { kind: 'workbook-broken' }, target)
    }
  })
})
