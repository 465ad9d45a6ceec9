import type { Field } from '../../contacts/fields/field-schemas.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { Reader } from '../../contacts/values/values.ts'
import { cellReader, writtenCells } from '../definitions/columns.ts'
import type { Feature, StatusRule } from '../definitions/feature-schemas.ts'
import { featureOf } from '../definitions/features.ts'
import { foldedWord } from '../definitions/file-features.ts'
import { inStatusOrder, statusSources } from '../definitions/statuses.ts'
import { type Peeked, type PeekedSheet, peekTexts, type SheetChoice } from '../files/archives.ts'
import { csvReader } from '../files/csv.ts'
import { detectDialect, recordsOf } from '../files/dialect.ts'
import { decode, encodingMember, encodingOf } from '../files/encoding.ts'
import { sheetMissing } from '../files/file-problems.ts'
import { type Line, oneLine } from '../run/lines.ts'
import { guessFields, type SampledColumn } from './column-guess.ts'
import { type ColumnQuestions, columnQuestions } from './column-questions.ts'
import type { Preview, PreviewQuery } from './preview-schemas.ts'
import { recognise, type SampledText } from './vendors.ts'

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
function samplesOf(records: readonly Line[]): string[] {
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
  records: Line[]
}

async function readHead(peeked: Peeked, named: string): Promise<ReadText> {
  if ('lines' in peeked) return { name: peeked.name, ...readSheet(peeked) }
  const { name, head, isWhole } = peeked
  const encoding = encodingOf(head, named)
  const text = (await Array.fromAsync(decode([head], encoding))).join('')
  const dialect = detectDialect(text, { separator: undefined, name })
  const { separator } = dialect
  const reader = csvReader(dialect)
  const lookedAt = [...reader.read(text), ...(isWhole ? reader.end() : [])]
  const records = recordsOf(lookedAt, dialect).filter(({ fault }) => !fault)
  return { name, encoding, samples: samplesOf(records), separator, sheet: null, sheets: [], records }
}

/** A sheet says which characters it holds, and what its cells are. */
function readSheet({ lines, sheet, sheets }: PeekedSheet): Omit<ReadText, 'name'> {
  const records = lines.filter(({ fault }) => !fault)
  return { encoding: 'utf-8', samples: [], separator: ';', sheet, sheets, records }
}

async function lookAt(peeked: Peeked, shape: ContactShape, named: string): Promise<LookedAt> {
  const { records, ...text } = await readHead(peeked, named)
  const rows = records.slice(0, LINES + 1).map(({ cells }) => cells.map((cell) => cell.slice(0, MAX_CELL)))
  const hasHeader = rows[0] === undefined || isHeader(rows[0], shape)
  const lines = rows.slice(hasHeader ? 1 : 0).slice(0, LINES)
  const header = hasHeader ? (rows[0] ?? []).map(oneLine) : []
  const width = Math.max(header.length, ...lines.map((line) => line.length))
  const columns = Array.from({ length: width }, (_, index) => ({
    heading: hasHeader ? (header[index]?.trim() ?? '') : null,
    cells: lines.map((line) => line[index] ?? ''),
  }))
  const data = records.slice(hasHeader ? 1 : 0)
  const questions = columns.map((_, index) => columnQuestions(writtenCells(data, index)))
  return { ...text, hasHeader, lines, columns, questions }
}

/** The columns of all texts, each heading once, with the cells of all; by place where there are no headings. */
function allColumns(texts: readonly LookedAt[]): SampledColumn[] {
  const columns = new Map<string, SampledColumn>()
  for (const text of texts) {
    const own = new Set<string>()
    for (const [index, { heading, cells }] of text.columns.entries()) {
      const key = heading === null ? `${index}` : `"${foldedWord(heading)}`
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
function sheetChoice(asked: string | undefined, kept: string | undefined): SheetChoice {
  return ({ sheets, find }) => {
    const sheet = asked === undefined ? find(kept ?? '') : find(asked)
    if (asked !== undefined && sheet === undefined) throw sheetMissing(asked, sheets)
    return sheet ?? sheets[0] ?? ''
  }
}

/** The feature `columns` that a file seems to need. */
function mappingOf(
  texts: readonly LookedAt[],
  shape: ContactShape,
  { encoding, sheet }: Chosen,
): Extract<Feature, { type: 'columns' }> {
  const columns = allColumns(texts)
  const rules = {
    separator: texts[0]?.separator ?? ';',
    ...{ dateOrder: undefined, decimalMark: undefined, normalization: {} },
  }
  const readers = new Map<number, Reader>()
  const readerOf = (field: Field): Reader => {
    const reader = readers.get(field.id) ?? cellReader(field, shape, rules)
    readers.set(field.id, reader)
    return reader
  }
  const guessed = guessFields(columns, shape, readerOf)
  const fields = columns.map(({ heading }, index) => ({ column: heading ?? index, field: guessed[index] ?? null }))
  const header = texts.every(({ hasHeader }) => hasHeader)
  return { type: 'columns', header, ...encodingMember(encoding), ...(sheet !== undefined && { sheet }), fields }
}

function statusesOf([first, ...further]: StatusRule[]): Extract<Feature, { type: 'statuses' }>[] {
  return first ? [{ type: 'statuses', ...first, ...(further.length > 0 && { also: further }) }] : []
}

/** The field of phone numbers that a file fills, or else the first one. */
function phoneField({ fields }: ContactShape, mapped: readonly (number | null)[]): number | undefined {
  const phones = fields.filter(({ type }) => type === 'phone')
  return (phones.find(({ id }) => mapped.includes(id)) ?? phones[0])?.id
}

/** A file to be looked at, and a folder to unpack workbooks into. */
export interface PreviewedFile {
  path: string
  name: string
  scratch: string
}

/**
 * A preview of a file, with the definition that would import it. `kept`: features of the import that do not depend on the file;
 * `asked`: the encoding and the sheet to read, by default those of the import, else the detected encoding and the first sheet. Reads
 * only the beginning of each text. Throws the Problems of `peekTexts`, and `sheet-missing`.
 */
export async function previewFile(
  { scratch, ...file }: PreviewedFile,
  shape: ContactShape,
  { kept, asked }: { kept: readonly Feature[]; asked: PreviewQuery },
): Promise<Preview> {
  const keptColumns = featureOf(kept, 'columns')
  const encoding = asked.encoding || (keptColumns?.encoding ?? 'auto')
  const looked: LookedAt[] = []
  for (const peeked of await peekTexts(file, scratch, sheetChoice(asked.sheet || undefined, keptColumns?.sheet))) {
    looked.push(await lookAt(peeked, shape, encoding))
  }
  const sheetName = looked.find((text) => text.sheet !== null)?.sheet ?? ''
  const isChosen = foldedWord(sheetName) === foldedWord(asked.sheet || (keptColumns?.sheet ?? ''))
  const mapping = mappingOf(looked, shape, { encoding, sheet: sheetName !== '' && isChosen ? sheetName : undefined })
  const { vendor, rules } = recognise(
    looked,
    phoneField(
      shape,
      mapping.fields.map(({ field }) => field),
    ),
  )
  const hasAddress = shape.fields.some(({ type }) => type === 'email' || type === 'phone')
  const statuses = hasAddress ? statusesOf(rules) : []
  const texts = inStatusOrder(looked, statuses[0] ? statusSources(statuses[0], shape) : [])
  const [first] = texts
  const placeOf = (column: string | number) => (typeof column === 'string' ? foldedWord(column) : column)
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
