import { type ImportLine, MAX_IMPORT_LINE_LENGTH } from '../run/lines.ts'

/** The rules that divide a text into records and cells. */
export interface CsvDialect {
  separator: string
  /** Within quotes, a backslash escapes a quote or a backslash; doubled quotes are read too. */
  isEscaped?: boolean
  /** Blanks may precede a quote that opens a cell. */
  isPadded?: boolean
  /** The usual number of cells. If set, reading resumes after an unclosed quote at the next line with this many cells. */
  width?: number
}

export interface CsvReader {
  /** The records completed by this piece of text. */
  read(text: string): ImportLine[]
  /** The last record, when the text does not end with a line break. */
  end(): ImportLine[]
}

interface QuotedRecord {
  cells: string[]
  isOdd: boolean
  /** Index of the line break that ends the record, or the length of the buffer. */
  end: number
  open: boolean
}

/** A record in a buffer: its start, the end of its first line, the end of what was read, and its cells if it has quotes. */
interface RecordBounds {
  at: number
  lineEnd: number
  end: number
  quoted: QuotedRecord | undefined
}

/** True if a record of several lines is longer than the limit. */
function isLongSplit({ at, lineEnd, end }: RecordBounds): boolean {
  return end > lineEnd && end - at > MAX_IMPORT_LINE_LENGTH
}

/** True if the quotes of a record are in doubt: unclosed, not of the dialect over several lines, or shifting its cells. */
function isDoubtful(record: RecordBounds, width: number): boolean {
  const { quoted, lineEnd, end } = record
  if (!quoted) return false
  if (quoted.open || isLongSplit(record)) return true
  return quoted.isOdd && (end > lineEnd || quoted.cells.length !== width)
}

/**
 * Finds the records of a buffer in ascending order; undefined for one that may continue after the buffer. Before `scanned`, each line is a
 * record. Records without quotes, nearly all of them, are cut by `split`: ten times as fast as reading character by character.
 */
function createRecordFinder(buffer: string, dialect: CsvDialect, isLast: boolean) {
  let lfIndex = -1
  let crIndex = -1
  let quoteIndex = -1
  return (at: number, scanned: number): RecordBounds | undefined => {
    if (lfIndex < at) lfIndex = indexOrLength(buffer, '\n', at)
    if (crIndex < at) crIndex = indexOrLength(buffer, '\r', at)
    if (quoteIndex < at) quoteIndex = indexOrLength(buffer, '"', at)
    const lineEnd = Math.min(lfIndex, crIndex)
    const isAlone = lineEnd < scanned
    const quotedRecord =
      quoteIndex < lineEnd ? readQuotedRecord(isAlone ? buffer.slice(0, lineEnd) : buffer, at, dialect) : undefined
    const record = { at, lineEnd, end: quotedRecord ? quotedRecord.end : lineEnd, quoted: quotedRecord }
    const isGivenUp = dialect.width !== undefined && isLongSplit(record)
    return isLast || isGivenUp || isEndCertain(buffer, record.end, isAlone ? undefined : quotedRecord)
      ? record
      : undefined
  }
}

/** The line of a record; undefined for a blank one. */
function toImportLine(buffer: string, record: RecordBounds, number: number, separator: string): ImportLine | undefined {
  const { at, lineEnd, end, quoted } = record
  if (end - at > MAX_IMPORT_LINE_LENGTH) return { number, cells: [], fault: 'too-long' }
  if (end === at) return undefined
  const cells = quoted?.cells ?? buffer.slice(at, end).split(separator)
  if (quoted?.open) return { number, cells, fault: 'open-quote' }
  if (cells.length === 1 && !cells[0]?.trim()) return undefined
  const line: ImportLine = { number, cells }
  if (quoted?.isOdd) line.isOdd = true
  if (end > lineEnd) line.hasBreaks = true
  return line
}

/** Takes the records of a text in order. Lines read as part of a doubtful record are read again one by one, and may be in doubt too. */
function createRecordTaker({ separator, width }: CsvDialect) {
  /** The end of what was read with a doubtful record, and the line of that record while the lines after it may be in doubt. */
  let scannedEnd = 0
  let doubtfulStart: number | undefined

  /** The line of a record, and its end; a doubtful record ends with its first line. */
  function takeRecord(
    buffer: string,
    record: RecordBounds,
    number: number,
  ): { line: ImportLine | undefined; end: number } {
    const { lineEnd, end } = record
    if (width !== undefined && isDoubtful(record, width)) {
      if (record.quoted?.open || end > lineEnd) doubtfulStart = number
      scannedEnd = Math.max(scannedEnd, end)
      return { line: { number, cells: [], fault: 'open-quote' }, end: lineEnd }
    }
    const line = toImportLine(buffer, record, number, separator)
    if (!line || line.fault) return { line, end }
    if (lineEnd >= scannedEnd || line.cells.length === width) doubtfulStart = undefined
    return {
      line: doubtfulStart === undefined ? line : { number, cells: [], fault: 'in-doubt', opened: doubtfulStart },
      end,
    }
  }

  return {
    take: takeRecord,
    scanned: () => scannedEnd,
    drop: (length: number) => void (scannedEnd = Math.max(0, scannedEnd - length)),
  }
}

/**
 * Reads delimited text in pieces: RFC 4180 with any separator, quotes as the dialect has them, and CR, LF or CRLF as line
 * breaks, mixed or not. Lenient where the RFC is silent: a quote inside an unquoted cell is part of it, and so is text between
 * a closing quote and the next separator. Blank lines are no records. Memory is one piece plus one record.
 *
 * If the quotes of a record are in doubt, only its first line is rejected. The lines read with it are read again one by one, so
 * that time stays in proportion to the text. Those up to the first line with the usual number of cells are in doubt.
 */
export function createCsvReader(dialect: CsvDialect): CsvReader {
  const { take: takeRecord, scanned: scannedEnd, drop: dropRecord } = createRecordTaker(dialect)
  let remainingText = ''
  let lineNumber = 1
  let skipRecord: ReturnType<typeof createRecordSkipper> | undefined

  /** The text after a record that is skipped. */
  function afterSkipped(text: string): string {
    if (!skipRecord) return text
    const { length, lines, done } = skipRecord(text)
    lineNumber += lines
    if (done) skipRecord = undefined
    return text.slice(length)
  }

  function readLines(text: string, isLast: boolean): ImportLine[] {
    const unreadText = remainingText + afterSkipped(text)
    const findRecord = createRecordFinder(unreadText, dialect, isLast)
    const lines: ImportLine[] = []
    let at = 0
    for (;;) {
      const blankLines = skipBlankLines(unreadText, at)
      lineNumber += blankLines.lines
      at = blankLines.at
      const record = at < unreadText.length ? findRecord(at, scannedEnd()) : undefined
      if (!record) break
      const { line, end } = takeRecord(unreadText, record, lineNumber)
      if (line) lines.push(line)
      lineNumber += end > record.lineEnd ? countLineBreaks(unreadText, at, end) + 1 : 1
      at = skipBreak(unreadText, end)
    }
    remainingText = unreadText.slice(at)
    dropRecord(at)
    if (remainingText.length > MAX_IMPORT_LINE_LENGTH) {
      lines.push({ number: lineNumber, cells: [], fault: 'too-long' })
      skipRecord = createRecordSkipper(dialect.separator)
      lineNumber += skipRecord(remainingText).lines
      remainingText = ''
    }
    return lines
  }

  return { read: (text) => readLines(text, false), end: () => readLines('', true) }
}

function indexOrLength(buffer: string, character: string, from: number): number {
  const index = buffer.indexOf(character, from)
  return index === -1 ? buffer.length : index
}

/** True if the text that follows cannot change the end of the record: a CR at the very end may be the first half of a CRLF. */
function isEndCertain(buffer: string, end: number, quoted: QuotedRecord | undefined): boolean {
  if (quoted?.open || end === buffer.length) return false
  return end < buffer.length - 1 || buffer[end] === '\n'
}

function skipBreak(buffer: string, end: number): number {
  return buffer[end] === '\r' && buffer[end + 1] === '\n' ? end + 2 : end + 1
}

/** The end of the blank lines at a place, and their number; a CR at the very end does not count. */
function skipBlankLines(buffer: string, from: number): { at: number; lines: number } {
  let at = from
  let lines = 0
  while (buffer[at] === '\n' || (buffer[at] === '\r' && at + 1 < buffer.length)) {
    at = skipBreak(buffer, at)
    lines += 1
  }
  return { at, lines }
}

function countLineBreaks(buffer: string, from: number, end: number): number {
  return buffer.slice(from, end).match(/\r\n|\n|\r/g)?.length ?? 0
}

/** The first place from `at` on that is not blank. */
function skipBlanks(buffer: string, at: number, separator: string): number {
  let next = at
  while ((buffer[next] === ' ' || buffer[next] === '\t') && buffer[next] !== separator) next += 1
  return next
}

/** True if a quote in a cell that begins at `from` is escaped: an odd number of backslashes precedes it. */
function isEscapedAt(buffer: string, quote: number, from: number): boolean {
  let at = quote
  while (at > from && buffer[at - 1] === '\\') at -= 1
  return (quote - at) % 2 === 1
}

/** The text of a quoted cell after its opening quote, and the place after its closing quote; -1 if it is unclosed. */
function readQuotedCell(buffer: string, from: number, isEscaped: boolean): { text: string; end: number } {
  let at = from
  let quote = indexOrLength(buffer, '"', at)
  for (; quote < buffer.length; quote = indexOrLength(buffer, '"', quote + 1)) {
    if (isEscaped && isEscapedAt(buffer, quote, at)) continue
    if (buffer[quote + 1] !== '"') break
    quote += 1
    at = quote + 1
  }
  const text = buffer.slice(from, quote).replaceAll('""', '"')
  return quote < buffer.length ? { text: isEscaped ? unescapeQuotes(text) : text, end: quote + 1 } : { text, end: -1 }
}

function unescapeQuotes(text: string): string {
  return text.replace(/\\(["\\])/g, '$1')
}

/** Reads one record cell by cell. Where the buffer ends first, `end` is its length, and `open` says if within quotes. */
function readQuotedRecord(
  buffer: string,
  from: number,
  { separator, isEscaped = false, isPadded = false }: CsvDialect,
): QuotedRecord {
  const cells: string[] = []
  let hasOddQuotes = false
  for (let at = from; ; at += 1) {
    const start = skipBlanks(buffer, at, separator)
    const isQuoted = buffer[start] === '"' && (isPadded || start === at)
    const quotedCell = isQuoted ? readQuotedCell(buffer, start + 1, isEscaped) : undefined
    if (quotedCell?.end === -1)
      return { cells: [...cells, quotedCell.text], isOdd: hasOddQuotes, end: buffer.length, open: true }
    const plainStart = quotedCell?.end ?? at
    at = plainStart
    while (at < buffer.length && buffer[at] !== separator && buffer[at] !== '\n' && buffer[at] !== '\r') at += 1
    const tail = buffer.slice(plainStart, at)
    if (quotedCell) {
      const isBlank = tail.trim() === ''
      hasOddQuotes ||= !isBlank
      cells.push(isBlank ? quotedCell.text : quotedCell.text + tail)
    } else {
      hasOddQuotes ||= buffer[start] === '"'
      cells.push(isEscaped ? tail.replaceAll('\\"', '"') : tail)
    }
    if (buffer[at] !== separator) return { cells, isOdd: hasOddQuotes, end: at, open: false }
  }
}

type SkipState = 'start' | 'plain' | 'quoted' | 'closed' | 'ended'

/**
 * Skips one record of any length in constant memory. Each call gives how many characters and line breaks it consumed,
 * and whether the record ended there.
 */
function createRecordSkipper(separator: string) {
  let skipState: SkipState = 'start'
  let isAfterCr = false
  return (text: string): { length: number; lines: number; done: boolean } => {
    let lines = 0
    if (skipState === 'ended') return { length: text[0] === '\n' ? 1 : 0, lines, done: true }
    for (let position = 0; position < text.length; position++) {
      const character = text[position]
      const isBreak = character === '\r' || (character === '\n' && !isAfterCr)
      if (isBreak) lines += 1
      if (skipState === 'quoted') {
        if (character === '"') skipState = 'closed'
      } else if (isBreak) {
        if (character === '\n' || position + 1 < text.length)
          return { length: skipBreak(text, position), lines, done: true }
        skipState = 'ended'
      } else if (character === separator) skipState = 'start'
      else if (character === '"' && skipState !== 'plain') skipState = 'quoted'
      else skipState = 'plain'
      isAfterCr = character === '\r'
    }
    return { length: text.length, lines, done: false }
  }
}
