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

type FeatureBody<Type extends ImportFeatureBody['type']> = Extract<ImportFeatureBody, { type: Type }>

/** A text as headings and words are compared: without regard to case and to blanks around it. */
export function foldImportWord(text: string): string {
  return foldUnicodeCase(text.trim().normalize('NFC'))
}

function buildColumnKey(column: ImportColumnName): string {
  return typeof column === 'number' ? `${column}` : `"${foldImportWord(column)}"`
}

/** The chosen readings of a column, without members that are not set. */
export function pickColumnReading({ decimalMark, dateUnit }: ColumnReading): ColumnReading {
  return { ...(decimalMark && { decimalMark }), ...(dateUnit && { dateUnit }) }
}

/**
 * Reads the feature `seenColumns`. Throws 400 for a duplicate column or field, for headings without a header, and for an unknown
 * encoding.
 */
export function parseColumnsFeature(
  { header = true, encoding, sheet, fields }: FeatureBody<'columns'>,
  pointer: string,
): ColumnMapping {
  const encodingName = encoding || 'auto'
  requireEncoding(encodingName, `${pointer}/encoding`)
  const seenColumns = new Set<string>()
  const filledFields = new Set<number>()
  for (const [index, { column, field }] of fields.entries()) {
    const fieldPointer = `${pointer}/fields/${index}`
    if (!header && typeof column === 'string') {
      throw badRequestProblem(`${fieldPointer}/column`, 'must be a position, counted from 0: the file has no header')
    }
    if (seenColumns.has(buildColumnKey(column))) throw badRequestProblem(`${fieldPointer}/column`, 'is listed twice')
    seenColumns.add(buildColumnKey(column))
    if (field === null) continue
    if (filledFields.has(field)) throw badRequestProblem(`${fieldPointer}/field`, `${field} is listed twice`)
    filledFields.add(field)
  }
  const parsedFields = fields.map(({ column, field, ...reading }) => ({ column, field, ...pickColumnReading(reading) }))
  return { header, ...toEncodingMember(encodingName), ...(sheet && { sheet }), fields: parsedFields }
}

function parseStatusRule({ column, file, map, field }: StatusRuleBody, pointer: string): ImportStatusRule {
  const hasColumn = column !== undefined && column !== null
  if (hasColumn === (file === true)) {
    throw badRequestProblem(`${pointer}/column`, 'is required unless file is true, and not allowed otherwise')
  }
  const foldedWords = new Set<string>()
  for (const word of Object.keys(map)) {
    const foldedWord = foldImportWord(word)
    if (foldedWords.has(foldedWord))
      throw badRequestProblem(appendJsonPointer(`${pointer}/map`, word), 'is listed twice; case is ignored')
    foldedWords.add(foldedWord)
  }
  const statusLocation = hasColumn ? { column } : { file: true as const }
  return { ...statusLocation, map: { ...map }, ...(typeof field === 'number' && { field }) }
}

/** Reads the feature `statuses`. Throws 400 where a rule has no place or two, and for a word that is there twice. */
export function parseStatusesFeature(
  { also, ...rule }: FeatureBody<'statuses'>,
  pointer: string,
): ImportStatusRule & { also?: ImportStatusRule[] } {
  const furtherRules = also?.map((ruleBody, index) => parseStatusRule(ruleBody, `${pointer}/also/${index}`))
  return { ...parseStatusRule(rule, pointer), ...(furtherRules && { also: furtherRules }) }
}
