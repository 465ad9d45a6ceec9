import { appendJsonPointer, badRequestProblem } from '../../../lib/errors/problem.ts'
import { foldUnicodeCase } from '../../../lib/text/fold.ts'
import { requireEncoding, toEncodingMember } from '../files/encoding.ts'
import type {
  ColumnMapping,
  ColumnReading,
  ImportColumnName,
  ImportFeatureBody,
  ImportStatusRule,
  StatusRuleBody,
} from './feature-schemas.ts'

type Body<Type extends ImportFeatureBody['type']> = Extract<ImportFeatureBody, { type: Type }>

/** A text as headings and words are compared: without regard to case and to blanks around it. */
export function foldImportWord(text: string): string {
  return foldUnicodeCase(text.trim().normalize('NFC'))
}

function columnKey(column: ImportColumnName): string {
  return typeof column === 'number' ? `${column}` : `"${foldImportWord(column)}"`
}

/** The chosen readings of a column, without members that are not set. */
export function pickColumnReading({ decimalMark, dateUnit }: ColumnReading): ColumnReading {
  return { ...(decimalMark && { decimalMark }), ...(dateUnit && { dateUnit }) }
}

/**
 * Reads the feature `columns`. Throws 400 for a duplicate column or field, for headings without a header, and for an unknown
 * encoding.
 */
export function parseColumnsFeature(
  { header = true, encoding, sheet, fields }: Body<'columns'>,
  pointer: string,
): ColumnMapping {
  const encodingName = encoding || 'auto'
  requireEncoding(encodingName, `${pointer}/encoding`)
  const columns = new Set<string>()
  const filled = new Set<number>()
  for (const [index, { column, field }] of fields.entries()) {
    const at = `${pointer}/fields/${index}`
    if (!header && typeof column === 'string') {
      throw badRequestProblem(`${at}/column`, 'must be a place from 0: the file has no headings')
    }
    if (columns.has(columnKey(column))) throw badRequestProblem(`${at}/column`, 'is there twice')
    columns.add(columnKey(column))
    if (field === null) continue
    if (filled.has(field)) throw badRequestProblem(`${at}/field`, `${field} is there twice`)
    filled.add(field)
  }
  const read = fields.map(({ column, field, ...reading }) => ({ column, field, ...pickColumnReading(reading) }))
  return { header, ...toEncodingMember(encodingName), ...(sheet && { sheet }), fields: read }
}

function readRule({ column, file, map, field }: StatusRuleBody, pointer: string): ImportStatusRule {
  const hasColumn = column !== undefined && column !== null
  if (hasColumn === (file === true)) {
    throw badRequestProblem(
      `${pointer}/column`,
      'is required, or file: true, and not both: where the status of a line is',
    )
  }
  const words = new Set<string>()
  for (const word of Object.keys(map)) {
    const folded = foldImportWord(word)
    if (words.has(folded))
      throw badRequestProblem(appendJsonPointer(`${pointer}/map`, word), 'is there twice: case makes no difference')
    words.add(folded)
  }
  const place = hasColumn ? { column } : { file: true as const }
  return { ...place, map: { ...map }, ...(typeof field === 'number' && { field }) }
}

/** Reads the feature `statuses`. Throws 400 where a rule has no place or two, and for a word that is there twice. */
export function parseStatusesFeature(
  { also, ...rule }: Body<'statuses'>,
  pointer: string,
): ImportStatusRule & { also?: ImportStatusRule[] } {
  const further = also?.map((one, index) => readRule(one, `${pointer}/also/${index}`))
  return { ...readRule(rule, pointer), ...(further && { also: further }) }
}
