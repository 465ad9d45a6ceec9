import { type Identity, identify } from '../contacts/flat-map.ts'
import type { ContactShape } from '../contacts/shape.ts'
import type { StoredFields, StoredValue } from '../fields/identity.ts'
import type { Column } from './columns.ts'
import type { Line } from './csv.ts'

/** One fault of a rejected line. */
export interface Reject {
  /** The data line's place in the run, from 1, and the line of the file it stands on. */
  ordinal: number
  line: number
  /** Which of the line's faults this is, from 0. */
  position: number
  reason: string
  /** Name of the field, or of the unicity fields. */
  column: string
  content: string
  key: string | null
}

/** An accepted line. */
export interface AcceptedLine extends Identity {
  ordinal: number
  line: number
  /** Values of the bound fields as a JSON text; empty cells are absent, or null where they shall empty the field. */
  fields: string
}

const MAX_CONTENT = 1000

/** Characters that a JSON text holds as they are. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/** The JSON text of a value. Most are plain, and need only quotes. */
function jsonOf(value: StoredValue): string {
  return typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value)
}

const lineFaults = {
  'too-long': { reason: 'too-long', content: 'The line is longer than 1 MiB.' },
  'open-quote': { reason: 'invalid-value', content: 'A quote of this line is not closed before the file ends.' },
} as const

/** Adds faults of a line to its rejects. */
function rejecter(rejects: Reject[], line: Line, ordinal: number) {
  return (reason: string, column: string, content: string): void => {
    rejects.push({
      ordinal,
      line: line.number,
      position: rejects.length,
      reason,
      column,
      content: content.slice(0, MAX_CONTENT).toWellFormed().replaceAll('\0', ''),
      key: null,
    })
  }
}

/**
 * Reads a data line: a contact to be written, or all its faults.
 * `empties`: empty cells empty the fields of contacts that are known, unicity fields excepted.
 */
export function readRow(
  { columns, shape, empties }: { columns: readonly Column[]; shape: ContactShape; empties: boolean },
  line: Line,
  ordinal: number,
): AcceptedLine | Reject[] {
  const rejects: Reject[] = []
  const reject = rejecter(rejects, line, ordinal)
  if (line.fault) {
    const { reason, content } = lineFaults[line.fault]
    reject(reason, '', content)
    return rejects
  }
  const unicity: StoredFields = {}
  let fields = ''
  for (const { index, field, read } of columns) {
    const cell = line.cells[index] ?? ''
    const reading = read(cell)
    if ('fault' in reading) {
      // Empty unicity fields are reported once, together, below.
      if (!(field.isUnicity && reading.fault === 'mandatory-empty')) reject(reading.fault, field.name, cell)
    } else if (reading.ok !== null) {
      if (field.isUnicity) unicity[field.id] = reading.ok
      fields += `${fields && ','}"${field.id}":${jsonOf(reading.ok)}`
    } else if (empties && !field.isUnicity) fields += `${fields && ','}"${field.id}":null`
  }
  const identity = identify(shape, unicity)
  if ('key' in identity) {
    if (rejects.length === 0) {
      return { ordinal, line: line.number, unicity: identity.unicity, key: identity.key, fields: `{${fields}}` }
    }
    // By it an erasure of the contact finds its rejected lines.
    for (const one of rejects) one.key = identity.key
  } else {
    // A unicity value that could not be read is reported already.
    const missing = shape.unicity.filter(
      ({ id, name }) => unicity[id] === undefined && !rejects.some(({ column }) => column === name),
    )
    if (missing.length > 0) reject('unicity-missing', unicityColumn({ unicity: missing }), '')
    else if (identity.kind !== 'unicity-missing') reject('too-long', unicityColumn(shape), identity.detail)
  }
  return rejects
}

/** The column of a list of rejects that names the unicity fields. */
export function unicityColumn({ unicity }: Pick<ContactShape, 'unicity'>): string {
  return unicity.map(({ name }) => name).join(' + ')
}
