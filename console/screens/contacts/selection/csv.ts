/** A cell of RFC 4180; what a spreadsheet would take for a formula gets an apostrophe in front. */
export function formatExportCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = Array.isArray(value) ? value.join('|') : String(value)
  const isNumber = /^[+-]?[\d.]+$/.test(text)
  const safeText = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safeText) ? `"${safeText.replaceAll('"', '""')}"` : safeText
}
