/** Where a quoted cell that begins at a place ends: at its closing quote, or at the end of the text. */
function findClosingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end < 0 ? text.length : end
}

function findCellEnd(text: string, start: number, separator: string): number {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++
  return end
}

/** The rows of a delimited text (RFC 4180), at most so many; empty lines are left out. */
export function parseDelimitedRows(text: string, separator: string, maxRows: number): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length && rows.length < maxRows) {
    const isQuoted = text[at] === '"'
    const contentEnd = isQuoted ? findClosingQuote(text, at) : findCellEnd(text, at, separator)
    row.push(isQuoted ? text.slice(at + 1, contentEnd).replaceAll('""', '"') : text.slice(at, contentEnd))
    at = isQuoted ? findCellEnd(text, contentEnd + 1, separator) : contentEnd
    const isRowOver = text[at] !== separator
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    if (!isRowOver && at < text.length) continue
    if (!isRowOver) row.push('')
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}
