/** The value of a cell; null is an empty one. */
export type CsvCellValue = string | number | Date | null

/**
 * A cell of RFC 4180, quoted where it must be for this separator. What a spreadsheet would evaluate as a formula gets an
 * apostrophe in front (formula injection).
 */
export function formatCsvCell(value: CsvCellValue, separator: ',' | ';'): string {
  if (value === null) return ''
  const text = value instanceof Date ? value.toISOString() : String(value)
  const escapedText = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /["\r\n]/.test(escapedText) || escapedText.includes(separator)
    ? `"${escapedText.replaceAll('"', '""')}"`
    : escapedText
}
