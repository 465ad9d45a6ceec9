import { toStorableText } from '../../../lib/text/storable.ts'
import type { FieldType } from '../../contacts/fields/field-schemas.ts'
import type { StoredFields, StoredValue } from '../../contacts/fields/identity.ts'
import { type ContactIdentity, identifyContactValues } from '../../contacts/records/flat-map.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { ImportColumn } from '../definitions/columns.ts'
import type { StatusMarkReader } from '../definitions/statuses.ts'
import { collapseToSingleLine, type ImportLine } from './lines.ts'

/** One fault of a rejected line. */
export interface LineReject {
  /** The data line's place in the run, from 1, and the line of the file it stands on. */
  ordinal: number
  line: number
  /** Position of this fault among the faults of the line, from 0. */
  position: number
  reason: string
  /** Name of the field, or of the unicity fields. */
  column: string
  content: string
  key: string | null
}

/** An accepted line. */
export interface AcceptedLine extends ContactIdentity {
  ordinal: number
  line: number
  /** Values of the bound fields as a JSON text; empty cells are absent, or null where they shall empty the field. */
  fields: string
  /** Effect of the status of the line, as a JSON array of `LineStatusMark`; absent if the import does not have statuses. */
  marks?: string
}

/** The cells of a row of the staging table. */
export function formatStagedCells({ ordinal, line, unicity, key, fields, marks }: AcceptedLine): (string | number)[] {
  const cells = [ordinal, line, unicity, key, fields]
  return marks === undefined ? cells : [...cells, marks]
}

const MAX_CONTENT_CHARACTERS = 1000

/** Characters that a JSON text holds as they are. */
const PLAIN_JSON_PATTERN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/** The JSON text of a value. Most are plain, and need only quotes. */
function toJson(value: StoredValue): string {
  return typeof value === 'string' && PLAIN_JSON_PATTERN.test(value) ? `"${value}"` : JSON.stringify(value)
}

/** The reason why a line has no readable cells; undefined if they are readable. */
function describeLineFault({ fault, opened }: ImportLine): { reason: string; content: string } | undefined {
  switch (fault) {
    case 'too-long':
      return { reason: 'too-long', content: 'The line is longer than 1 MiB.' }
    case 'open-quote':
      return {
        reason: 'invalid-value',
        content: 'The quotes of this line are ambiguous: one is not closed, or text follows it in its cell.',
      }
    case 'in-doubt':
      return {
        reason: 'invalid-value',
        content: `This line is ambiguous: line ${opened} opens a quote that is not closed.`,
      }
    default:
      return undefined
  }
}

/** Adds faults of a line to its rejects. */
function createRejecter(rejects: LineReject[], line: ImportLine, ordinal: number) {
  return (reason: string, column: string, content: string): void => {
    rejects.push({
      ordinal,
      line: line.number,
      position: rejects.length,
      reason,
      column,
      content: toStorableText(content.slice(0, MAX_CONTENT_CHARACTERS)),
      key: null,
    })
  }
}

/** Rules for reading the lines of a text. */
interface RowRules {
  columns: readonly ImportColumn[]
  readMarks: StatusMarkReader | undefined
  shape: ContactShape
  /** Empty cells empty the fields of contacts that are known, unicity fields excepted. */
  empties: boolean
}

/** Types of fields whose values have one line, and mean the same with a space for a line break. */
const ONE_LINE_TYPES: readonly FieldType[] = ['textField', 'singleSelectList', 'multipleSelectList']

/** A line with spaces for line breaks within cells that fill fields of one line; the line itself if there are none. */
export function removeCellLineBreaks(line: ImportLine, columns: readonly ImportColumn[]): ImportLine {
  if (!line.hasBreaks) return line
  const trimmedCell = (index: number): string => (line.cells[index] ?? '').trim()
  const brokenColumns = columns.filter(
    ({ index, field }) => ONE_LINE_TYPES.includes(field.type) && /[\r\n]/.test(trimmedCell(index)),
  )
  if (brokenColumns.length === 0) return line
  const joinedCells = [...line.cells]
  for (const { index } of brokenColumns) joinedCells[index] = collapseToSingleLine(trimmedCell(index))
  return { ...line, cells: joinedCells }
}

/** Reads a data line: a contact to be written, or all its faults. */
export function parseImportLine(
  { columns, readMarks, shape, empties }: RowRules,
  line: ImportLine,
  ordinal: number,
): AcceptedLine | LineReject[] {
  const rejects: LineReject[] = []
  const reject = createRejecter(rejects, line, ordinal)
  const describedFault = describeLineFault(line)
  if (describedFault) {
    reject(describedFault.reason, '', describedFault.content)
    return rejects
  }
  const unicityValues: StoredFields = {}
  let fieldsJson = ''
  for (const { index, field, read: readCell, readPoint } of columns) {
    const cell = line.cells[index] ?? ''
    const reading = line.numbers?.has(index) ? readPoint(cell) : readCell(cell)
    if ('fault' in reading) {
      // Empty unicity fields are reported once, together, below.
      if (!(field.isUnicity && reading.fault === 'mandatory-empty')) reject(reading.fault, field.name, cell)
    } else if (reading.ok !== null) {
      if (field.isUnicity) unicityValues[field.id] = reading.ok
      fieldsJson += `${fieldsJson && ','}"${field.id}":${toJson(reading.ok)}`
    } else if (empties && !field.isUnicity) fieldsJson += `${fieldsJson && ','}"${field.id}":null`
  }
  const statusMarks = readMarks?.(line.cells, (column, word) => reject('unknown-status', column, word))
  const identity = identifyContactValues(shape, unicityValues)
  if ('key' in identity) {
    if (rejects.length === 0) {
      const { unicity: joinedUnicity, key } = identity
      const row = { ordinal, line: line.number, unicity: joinedUnicity, key, fields: `{${fieldsJson}}` }
      return statusMarks === undefined ? row : { ...row, marks: statusMarks }
    }
    // By it an erasure of the contact finds its rejected lines.
    for (const missingField of rejects) missingField.key = identity.key
  } else {
    // A unicity value that could not be read is reported already.
    const missingFields = shape.unicity.filter(
      ({ id, name }) => unicityValues[id] === undefined && !rejects.some(({ column }) => column === name),
    )
    if (missingFields.length > 0) reject('unicity-missing', formatUnicityColumn({ unicity: missingFields }), '')
    else if (identity.kind !== 'unicity-missing') reject('too-long', formatUnicityColumn(shape), identity.detail)
  }
  return rejects
}

/** The column of a list of rejects that names the unicity fields. */
export function formatUnicityColumn({ unicity }: Pick<ContactShape, 'unicity'>): string {
  return unicity.map(({ name }) => name).join(' + ')
}
