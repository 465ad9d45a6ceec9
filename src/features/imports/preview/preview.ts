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

const PREVIEW_LINES = 20
const MAX_CELL_LENGTH = 1000
/** Sheets that are named. */
const MAX_SHEET_NAMES = 1000

/** A text as its first lines show it. */
interface TextPreview extends SampledText {
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

function isEmailOrPhone(cell: string): boolean {
  const text = cell.trim()
  const [, domain = ''] = /^[^\s@]+@([^\s@]+)$/.exec(text) ?? []
  return domain.slice(1, -1).includes('.') || /^\+?[\d .()/-]{6,}$/.test(text)
}

/** True if a first line contains headings: it names a field, or none of its cells looks like a value of a contact. */
function isHeaderLine(cells: readonly string[], shape: ContactShape): boolean {
  return cells.some((cell) => shape.find(cell.trim()) !== undefined) || !cells.some(isEmailOrPhone)
}

const MAX_SAMPLES = 10
const SAMPLE_LENGTH = 100

/** Cells that show whether an encoding is the right one: each adds a character beyond ASCII. */
function selectEncodingSamples(records: readonly ImportLine[]): string[] {
  const samples: string[] = []
  const characters = new Set<string>()
  for (const cell of records.flatMap(({ cells }) => cells)) {
    const newCharacters = Array.from(cell).filter((character) => character > '\x7f' && !characters.has(character))
    const [firstCharacter] = newCharacters
    if (firstCharacter === undefined) continue
    for (const character of newCharacters) characters.add(character)
    const sampleStart = Math.max(0, cell.indexOf(firstCharacter) - SAMPLE_LENGTH / 2)
    samples.push(cell.slice(sampleStart, sampleStart + SAMPLE_LENGTH).trim())
    if (samples.length === MAX_SAMPLES) break
  }
  return samples
}

/** The first lines of a text, and how it is read. */
type TextHead = Pick<TextPreview, 'name' | 'encoding' | 'samples' | 'separator' | 'sheet' | 'sheets'> & {
  records: ImportLine[]
}

async function readTextHead(peeked: PeekedText, encodingName: string): Promise<TextHead> {
  if ('lines' in peeked) return { name: peeked.name, ...readSheetHead(peeked) }
  const { name, head, isWhole } = peeked
  const encoding = resolveEncoding(head, encodingName)
  const text = (await Array.fromAsync(decodeByteStream([head], encoding))).join('')
  const dialect = detectDialect(text, { separator: undefined, name })
  const { separator } = dialect
  const reader = createCsvReader(dialect)
  const headLines = [...reader.read(text), ...(isWhole ? reader.end() : [])]
  const records = dropSeparatorLine(headLines, dialect).filter(({ fault }) => !fault)
  return { name, encoding, samples: selectEncodingSamples(records), separator, sheet: null, sheets: [], records }
}

/** A sheet says which characters it holds, and what its cells are. */
function readSheetHead({ lines, sheet, sheets }: PeekedSheet): Omit<TextHead, 'name'> {
  const records = lines.filter(({ fault }) => !fault)
  return { encoding: 'utf-8', samples: [], separator: ';', sheet, sheets, records }
}

async function buildTextPreview(peeked: PeekedText, shape: ContactShape, encodingName: string): Promise<TextPreview> {
  const { records, ...text } = await readTextHead(peeked, encodingName)
  const rows = records
    .slice(0, PREVIEW_LINES + 1)
    .map(({ cells }) => cells.map((cell) => cell.slice(0, MAX_CELL_LENGTH)))
  const hasHeader = rows[0] === undefined || isHeaderLine(rows[0], shape)
  const lines = rows.slice(hasHeader ? 1 : 0).slice(0, PREVIEW_LINES)
  const header = hasHeader ? (rows[0] ?? []).map(collapseToSingleLine) : []
  const width = Math.max(header.length, ...lines.map((line) => line.length))
  const columns = Array.from({ length: width }, (_, index) => ({
    heading: hasHeader ? (header[index]?.trim() ?? '') : null,
    cells: lines.map((line) => line[index] ?? ''),
  }))
  const dataRecords = records.slice(hasHeader ? 1 : 0)
  const questions = columns.map((_, index) => findColumnQuestions(listTextCells(dataRecords, index)))
  return { ...text, hasHeader, lines, columns, questions }
}

/** The columns of all texts, each heading once, with the cells of all; by place where there are no headings. */
function mergeColumns(texts: readonly TextPreview[]): SampledColumn[] {
  const columns = new Map<string, SampledColumn>()
  for (const text of texts) {
    const seenKeys = new Set<string>()
    for (const [index, { heading, cells }] of text.columns.entries()) {
      const key = heading === null ? `${index}` : `"${foldImportWord(heading)}`
      // Of two columns with one heading the first is meant, and one without any cannot be named.
      if (heading === '' || seenKeys.has(key)) continue
      seenKeys.add(key)
      columns.set(key, { heading, cells: [...(columns.get(key)?.cells ?? []), ...cells] })
    }
  }
  return [...columns.values()]
}

/** The choices of how a file is read. */
interface ReadingChoices {
  encoding: string
  /** Undefined: the first one. */
  sheet: string | undefined
}

/** Chooses the requested sheet; else that of the import if the workbook has it, and else the first one. */
function createSheetChooser(requestedSheet: string | undefined, storedSheet: string | undefined): ChooseSheet {
  return ({ sheets, find }) => {
    const sheet = requestedSheet === undefined ? find(storedSheet ?? '') : find(requestedSheet)
    if (requestedSheet !== undefined && sheet === undefined) throw missingSheetProblem(requestedSheet, sheets)
    return sheet ?? sheets[0] ?? ''
  }
}

/** The feature `columns` that a file seems to need. */
function buildColumnMapping(
  texts: readonly TextPreview[],
  shape: ContactShape,
  { encoding, sheet }: ReadingChoices,
): Extract<ImportFeature, { type: 'columns' }> {
  const columns = mergeColumns(texts)
  const rules = {
    separator: texts[0]?.separator ?? ';',
    dateOrder: undefined,
    decimalMark: undefined,
    normalization: {},
  }
  const readers = new Map<number, ValueReader>()
  const getCellReader = (field: ContactFieldDefinition): ValueReader => {
    const reader = readers.get(field.id) ?? createCellReader(field, shape, rules)
    readers.set(field.id, reader)
    return reader
  }
  const fieldsByColumn = guessColumnFields(columns, shape, getCellReader)
  const fields = columns.map(({ heading }, index) => ({
    column: heading ?? index,
    field: fieldsByColumn[index] ?? null,
  }))
  const header = texts.every(({ hasHeader }) => hasHeader)
  return { type: 'columns', header, ...toEncodingMember(encoding), ...(sheet !== undefined && { sheet }), fields }
}

function buildStatusesFeature([first, ...further]: ImportStatusRule[]): Extract<ImportFeature, { type: 'statuses' }>[] {
  return first ? [{ type: 'statuses', ...first, ...(further.length > 0 && { also: further }) }] : []
}

/** The field of phone numbers that a file fills, or else the first one. */
function findPhoneField({ fields }: ContactShape, mapped: readonly (number | null)[]): number | undefined {
  const phoneFields = fields.filter(({ type }) => type === 'phone')
  return (phoneFields.find(({ id }) => mapped.includes(id)) ?? phoneFields[0])?.id
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
  { kept: storedFeatures, asked: previewQuery }: { kept: readonly ImportFeature[]; asked: ImportPreviewQuery },
): Promise<ImportPreviewResult> {
  const keptColumns = findFeatureByType(storedFeatures, 'columns')
  const encoding = previewQuery.encoding || (keptColumns?.encoding ?? 'auto')
  const textPreviews: TextPreview[] = []
  for (const peeked of await peekUploadTexts(
    file,
    scratch,
    createSheetChooser(previewQuery.sheet || undefined, keptColumns?.sheet),
  )) {
    textPreviews.push(await buildTextPreview(peeked, shape, encoding))
  }
  const sheetName = textPreviews.find((text) => text.sheet !== null)?.sheet ?? ''
  const isChosenSheet = foldImportWord(sheetName) === foldImportWord(previewQuery.sheet || (keptColumns?.sheet ?? ''))
  const columnMapping = buildColumnMapping(textPreviews, shape, {
    encoding,
    sheet: sheetName !== '' && isChosenSheet ? sheetName : undefined,
  })
  const mappedFields = columnMapping.fields.map(({ field }) => field)
  const { vendor, rules } = recogniseVendor(textPreviews, findPhoneField(shape, mappedFields))
  const hasAddress = shape.fields.some(({ type }) => type === 'email' || type === 'phone')
  const statuses = hasAddress ? buildStatusesFeature(rules) : []
  const sortedTexts = sortByStatusWord(textPreviews, statuses[0] ? prepareStatusSources(statuses[0], shape) : [])
  const [firstText] = sortedTexts
  const foldColumnName = (column: string | number) => (typeof column === 'string' ? foldImportWord(column) : column)
  const findMappedField = (heading: string | null, index: number) =>
    columnMapping.fields.find(({ column }) => foldColumnName(column) === foldColumnName(heading ?? index))?.field ??
    null
  return {
    files: sortedTexts.map(({ name }) => name),
    encoding: firstText?.encoding ?? 'utf-8',
    samples: firstText?.samples ?? [],
    sheet: firstText?.sheet ?? null,
    sheets: (firstText?.sheets ?? []).slice(0, MAX_SHEET_NAMES),
    separator: (firstText?.separator ?? ';').charCodeAt(0),
    columns: (firstText?.columns ?? []).map(({ heading }, index) => ({
      index,
      heading,
      field: findMappedField(heading, index),
      ...firstText?.questions[index],
    })),
    lines: firstText?.lines ?? [],
    vendor,
    mapping: {
      binding: null,
      features: [
        ...storedFeatures.filter(({ type }) => type !== 'columns' && type !== 'statuses'),
        columnMapping,
        ...statuses,
      ],
    },
  }
}
