import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { ValueReader } from '../../contacts/values/values.ts'
import { createCellReader, listTextCells } from '../definitions/columns.ts'
import type { ImportFeature, ImportStatusRule } from '../definitions/feature-schemas.ts'
import { findFeatureByType } from '../definitions/features.ts'
import { foldImportWord } from '../definitions/file-features.ts'
import { prepareStatusSources, sortByStatusWord } from '../definitions/statuses.ts'
import { type ChooseSheet, type PeekedSheet, type PeekedText, peekUploadTexts } from '../files/archives.ts'
import { createCsvReader } from '../files/csv.ts'
import { detectDialect, dropSeparatorLine } from '../files/dialect.ts'
import { decodeByteStream, resolveEncoding, toEncodingMember } from '../files/encoding.ts'
import { missingSheetProblem } from '../files/file-problems.ts'
import { collapseToSingleLine, type ImportLine } from '../run/lines.ts'
import { guessColumnFields, type SampledColumn } from './column-guess.ts'
import { type ColumnQuestions, findColumnQuestions } from './column-questions.ts'
import type { ImportPreviewQuery, ImportPreviewResult } from './preview-schemas.ts'
import { recogniseVendor, type SampledText } from './vendors.ts'

const LINES = 20
const MAX_CELL = 1000
/** Sheets that are named. */
const SHEETS = 1000

/** A text as its first lines show it. */
interface LookedAt extends SampledText {
  encoding: string
  /** Cells with characters beyond ASCII. */
  samples: string[]
  separator: string
  /** That of a workbook which was looked at, and its sheets. */
  sheet: string | null
  sheets: string[]
  hasHeader: boolean
  lines: string[][]
  /** The questions about each column. */
  questions: ColumnQuestions[]
}

function isAddress(cell: string): boolean {
  const text = cell.trim()
  const [, domain = ''] = /^[^\s@]+@([^\s@]+)$/.exec(text) ?? []
  return domain.slice(1, -1).includes('.') || /^\+?[\d .()/-]{6,}$/.test(text)
}

/** Whether a first line holds headings: it names a field, or none of its cells looks like a value of a contact. */
function isHeader(cells: readonly string[], shape: ContactShape): boolean {
  return cells.some((cell) => shape.find(cell.trim()) !== undefined) || !cells.some(isAddress)
}

const SAMPLES = 10
const SAMPLE_LENGTH = 100

/** Cells that show whether an encoding is the right one: each adds a character beyond ASCII. */
function samplesOf(records: readonly ImportLine[]): string[] {
  const samples: string[] = []
  const characters = new Set<string>()
  for (const cell of records.flatMap(({ cells }) => cells)) {
    const fresh = Array.from(cell).filter((character) => character > '\x7f' && !characters.has(character))
    const [first] = fresh
    if (first === undefined) continue
    for (const character of fresh) characters.add(character)
    const start = Math.max(0, cell.indexOf(first) - SAMPLE_LENGTH / 2)
    samples.push(cell.slice(start, start + SAMPLE_LENGTH).trim())
    if (samples.length === SAMPLES) break
  }
  return samples
}

/** The first lines of a text, and how it is read. */
type ReadText = Pick<LookedAt, 'name' | 'encoding' | 'samples' | 'separator' | 'sheet' | 'sheets'> & {
  records: ImportLine[]
}

async function readHead(peeked: PeekedText, named: string): Promise<ReadText> {
  if ('lines' in peeked) return { name: peeked.name, ...readSheet(peeked) }
  const { name, head, isWhole } = peeked
  const encoding = resolveEncoding(head, named)
  const text = (await Array.fromAsync(decodeByteStream([head], encoding))).join('')
  const dialect = detectDialect(text, { separator: undefined, name })
  const { separator } = dialect
  const reader = createCsvReader(dialect)
  const lookedAt = [...reader.read(text), ...(isWhole ? reader.end() : [])]
  const records = dropSeparatorLine(lookedAt, dialect).filter(({ fault }) => !fault)
  return { name, encoding, samples: samplesOf(records), separator, sheet: null, sheets: [], records }
}

/** A sheet says which characters it holds, and what its cells are. */
function readSheet({ lines, sheet, sheets }: PeekedSheet): Omit<ReadText, 'name'> {
  const records = lines.filter(({ fault }) => !fault)
  return { encoding: 'utf-8', samples: [], separator: ';', sheet, sheets, records }
}

async function lookAt(peeked: PeekedText, shape: ContactShape, named: string): Promise<LookedAt> {
  const { records, ...text } = await readHead(peeked, named)
  const rows = records.slice(0, LINES + 1).map(({ cells }) => cells.map((cell) => cell.slice(0, MAX_CELL)))
  const hasHeader = rows[0] === undefined || isHeader(rows[0], shape)
  const lines = rows.slice(hasHeader ? 1 : 0).slice(0, LINES)
  const header = hasHeader ? (rows[0] ?? []).map(collapseToSingleLine) : []
  const width = Math.max(header.length, ...lines.map((line) => line.length))
  const columns = Array.from({ length: width }, (_, index) => ({
    heading: hasHeader ? (header[index]?.trim() ?? '') : null,
    cells: lines.map((line) => line[index] ?? ''),
  }))
  const data = records.slice(hasHeader ? 1 : 0)
  const questions = columns.map((_, index) => findColumnQuestions(listTextCells(data, index)))
  return { ...text, hasHeader, lines, columns, questions }
}

/** The columns of all texts, each heading once, with the cells of all; by place where there are no headings. */
function allColumns(texts: readonly LookedAt[]): SampledColumn[] {
  const columns = new Map<string, SampledColumn>()
  for (const text of texts) {
    const own = new Set<string>()
    for (const [index, { heading, cells }] of text.columns.entries()) {
      const key = heading === null ? `${index}` : `"${foldImportWord(heading)}`
      // Of two columns with one heading the first is meant, and one without any cannot be named.
      if (heading === '' || own.has(key)) continue
      own.add(key)
      columns.set(key, { heading, cells: [...(columns.get(key)?.cells ?? []), ...cells] })
    }
  }
  return [...columns.values()]
}

/** The choices of how a file is read. */
interface Chosen {
  encoding: string
  /** Undefined: the first one. */
  sheet: string | undefined
}

/** Chooses the requested sheet; else that of the import if the workbook has it, and else the first one. */
function sheetChoice(asked: string | undefined, kept: string | undefined): ChooseSheet {
  return ({ sheets, find }) => {
    const sheet = asked === undefined ? find(kept ?? '') : find(asked)
    if (asked !== undefined && sheet === undefined) throw missingSheetProblem(asked, sheets)
    return sheet ?? sheets[0] ?? ''
  }
}

/** The feature `columns` that a file seems to need. */
function mappingOf(
  texts: readonly LookedAt[],
  shape: ContactShape,
  { encoding, sheet }: Chosen,
): Extract<ImportFeature, { type: 'columns' }> {
  const columns = allColumns(texts)
  const rules = {
    separator: texts[0]?.separator ?? ';',
    ...{ dateOrder: undefined, decimalMark: undefined, normalization: {} },
  }
  const readers = new Map<number, ValueReader>()
  const readerOf = (field: ContactFieldDefinition): ValueReader => {
    const reader = readers.get(field.id) ?? createCellReader(field, shape, rules)
    readers.set(field.id, reader)
    return reader
  }
  const guessed = guessColumnFields(columns, shape, readerOf)
  const fields = columns.map(({ heading }, index) => ({ column: heading ?? index, field: guessed[index] ?? null }))
  const header = texts.every(({ hasHeader }) => hasHeader)
  return { type: 'columns', header, ...toEncodingMember(encoding), ...(sheet !== undefined && { sheet }), fields }
}

function statusesOf([first, ...further]: ImportStatusRule[]): Extract<ImportFeature, { type: 'statuses' }>[] {
  return first ? [{ type: 'statuses', ...first, ...(further.length > 0 && { also: further }) }] : []
}

/** The field of phone numbers that a file fills, or else the first one. */
function phoneField({ fields }: ContactShape, mapped: readonly (number | null)[]): number | undefined {
  const phones = fields.filter(({ type }) => type === 'phone')
  return (phones.find(({ id }) => mapped.includes(id)) ?? phones[0])?.id
}

/** A file to be looked at, and a folder to unpack workbooks into. */
export interface ImportPreviewFile {
  path: string
  name: string
  scratch: string
}

/**
 * A preview of a file, with the definition that would import it. `kept`: features of the import that do not depend on the file;
 * `asked`: the encoding and the sheet to read, by default those of the import, else the detected encoding and the first sheet. Reads
 * only the beginning of each text. Throws the Problems of `peekUploadTexts`, and `sheet-missing`.
 */
export async function buildImportPreview(
  { scratch, ...file }: ImportPreviewFile,
  shape: ContactShape,
  { kept, asked }: { kept: readonly ImportFeature[]; asked: ImportPreviewQuery },
): Promise<ImportPreviewResult> {
  const keptColumns = findFeatureByType(kept, 'columns')
  const encoding = asked.encoding || (keptColumns?.encoding ?? 'auto')
  const looked: LookedAt[] = []
  for (const peeked of await peekUploadTexts(
    file,
    scratch,
    sheetChoice(asked.sheet || undefined, keptColumns?.sheet),
  )) {
    looked.push(await lookAt(peeked, shape, encoding))
  }
  const sheetName = looked.find((text) => text.sheet !== null)?.sheet ?? ''
  const isChosen = foldImportWord(sheetName) === foldImportWord(asked.sheet || (keptColumns?.sheet ?? ''))
  const mapping = mappingOf(looked, shape, { encoding, sheet: sheetName !== '' && isChosen ? sheetName : undefined })
  const { vendor, rules } = recogniseVendor(
    looked,
    phoneField(
      shape,
      mapping.fields.map(({ field }) => field),
    ),
  )
  const hasAddress = shape.fields.some(({ type }) => type === 'email' || type === 'phone')
  const statuses = hasAddress ? statusesOf(rules) : []
  const texts = sortByStatusWord(looked, statuses[0] ? prepareStatusSources(statuses[0], shape) : [])
  const [first] = texts
  const placeOf = (column: string | number) => (typeof column === 'string' ? foldImportWord(column) : column)
  const fieldOf = (heading: string | null, index: number) =>
    mapping.fields.find(({ column }) => placeOf(column) === placeOf(heading ?? index))?.field ?? null
  return {
    files: texts.map(({ name }) => name),
    encoding: first?.encoding ?? 'utf-8',
    samples: first?.samples ?? [],
    sheet: first?.sheet ?? null,
    sheets: (first?.sheets ?? []).slice(0, SHEETS),
    separator: (first?.separator ?? ';').charCodeAt(0),
    columns: (first?.columns ?? []).map(({ heading }, index) => ({
      ...{ index, heading, field: fieldOf(heading, index) },
      ...first?.questions[index],
    })),
    lines: first?.lines ?? [],
    vendor,
    mapping: {
      binding: null,
      features: [...kept.filter(({ type }) => type !== 'columns' && type !== 'statuses'), mapping, ...statuses],
    },
  }
}
