import { type Member, zip } from './zip.ts'

/** A cell as people type it, or the XML of its element without reference. */
export type Cell = string | number | boolean | null | { xml: string }

/** A sheet: rows from the first on, or its whole XML. */
export interface SheetOf {
  name: string
  rows?: Cell[][]
  xml?: string
  state?: 'hidden' | 'veryHidden'
}

/** The parts of a workbook other than its sheets. */
export interface WorkbookOptions {
  is1904?: boolean
  /** Codes of number formats: style 1 has the first of them. Numbers are built-in formats. */
  formats?: (string | number)[]
  /** The XML of its shared strings; else those of its cells. */
  strings?: string
  /** Parts that are left out, and those that are put in or replaced. */
  without?: string[]
  parts?: Member[]
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The letters of a column, from 0. */
export const lettersOf = (index: number): string =>
  (index >= 26 ? lettersOf(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

function cellXml(cell: Cell, reference: string, shared: (text: string) => number): string {
  if (cell === null) return ''
  if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${reference}"`)
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`
  return `<c r="${reference}" t="s"><v>${shared(cell)}</v></c>`
}

/** The XML of a sheet with these rows; null is a row that is not there. */
export function sheetXml(rows: readonly (readonly Cell[])[], shared: (text: string) => number = () => 0): string {
  const body = rows.map((cells, row) => {
    const inside = cells.map((cell, column) => cellXml(cell, `${lettersOf(column)}${row + 1}`, shared)).join('')
    return cells.length === 0 ? '' : `<row r="${row + 1}">${inside}</row>`
  })
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${body.join('')}</sheetData></worksheet>`
}

function stylesXml(formats: readonly (string | number)[]): string {
  const formatElements = formats.map((code, n) =>
    typeof code === 'string' ? `<numFmt numFmtId="${164 + n}" formatCode="${escaped(code)}"/>` : '',
  )
  const styleElements = formats.map(
    (code, n) => `<xf numFmtId="${typeof code === 'string' ? 164 + n : code}" fontId="0"/>`,
  )
  return `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts>${formatElements.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styleElements.join('')}</cellXfs></styleSheet>`
}

function relationsXml(relations: readonly (readonly [id: string, type: string, target: string])[]): string {
  const body = relations.map(
    ([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `${HEAD}<Relationships xmlns="${PACKAGE}">${body.join('')}</Relationships>`
}

/** A workbook as spreadsheets save it, `.xlsx`. */
export function workbook(sheets: readonly SheetOf[], options: WorkbookOptions = {}): Buffer {
  const { is1904 = false, formats = [], without = [], parts = [] } = options
  const texts: string[] = []
  const stringIndexes = new Map<string, number>()
  const shared = (text: string): number => {
    const index = stringIndexes.get(text) ?? texts.push(text) - 1
    stringIndexes.set(text, index)
    return index
  }
  const sheetParts = sheets.map(({ rows = [], xml }, n) => ({
    name: `xl/worksheets/sheet${n + 1}.xml`,
    data: xml ?? sheetXml(rows, shared),
  }))
  const sheetElements = sheets.map(
    ({ name, state }, n) =>
      `<sheet name="${escaped(name)}" sheetId="${n + 1}"${state ? ` state="${state}"` : ''} r:id="rId${n + 1}"/>`,
  )
  const strings = texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')
  const members = [
    { name: '[Content_Types].xml', data: `${HEAD}<Types/>` },
    { name: '_rels/.rels', data: relationsXml([['rId1', 'officeDocument', 'xl/workbook.xml']]) },
    {
      name: 'xl/workbook.xml',
      data: `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr date1904="${Number(is1904)}"/><sheets>${sheetElements.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: relationsXml([
        ...sheets.map((_, n) => [`rId${n + 1}`, 'worksheet', `worksheets/sheet${n + 1}.xml`] as const),
        ['rId900', 'styles', 'styles.xml'],
        ['rId901', 'sharedStrings', '/xl/sharedStrings.xml'],
      ]),
    },
    ...sheetParts,
    { name: 'xl/styles.xml', data: stylesXml(formats) },
    { name: 'xl/sharedStrings.xml', data: options.strings ?? `${HEAD}<sst xmlns="${MAIN}">${strings}</sst>` },
  ].map(({ name, data }) => ({ name, data: Buffer.from(data) }))
  const replacedNames = new Set([...without, ...parts.map(({ name }) => name)])
  return zip([...members.filter(({ name }) => !replacedNames.has(name)), ...parts])
}
