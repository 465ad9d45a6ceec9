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

interface Quoted {
  cells: string[]
  isOdd: boolean
  /** Index of the line break that ends the record, or the length of the buffer. */
  end: number
  open: boolean
}

/** A record in a buffer: its start, the end of its first line, the end of what was read, and its cells if it has quotes. */
interface FoundRecord {
  at: number
  lineEnd: number
  end: number
  quoted: Quoted | undefined
}

/** True if a record of several lines is longer than the limit. */
function isLongSplit({ at, lineEnd, end }: FoundRecord): boolean {
  return end > lineEnd && end - at > MAX_IMPORT_LINE_LENGTH
}

/** True if the quotes of a record are in doubt: unclosed, not of the dialect over several lines, or shifting its cells. */
function isDoubtful(record: FoundRecord, width: number): boolean {
  const { quoted, lineEnd, end } = record
  if (!quoted) return false
  if (quoted.open || isLongSplit(record)) return true
  return quoted.isOdd && (end > lineEnd || quoted.cells.length !== width)
}

/**
 * Finds the records of a buffer in ascending order; undefined for one that may continue after the buffer. Before `scanned`, each line is a
 * record. Records without quotes, nearly all of them, are cut by `split`: ten times as fast as reading character by character.
 */
function recordFinder(buffer: string, dialect: CsvDialect, isLast: boolean) {
  let lf = -1
  let cr = -1
  let quote = -1
  return (at: number, scanned: number): FoundRecord | undefined => {
    if (lf < at) lf = indexOr(buffer, '\n', at)
    if (cr < at) cr = indexOr(buffer, '\r', at)
    if (quote < at) quote = indexOr(buffer, '"', at)
    const lineEnd = Math.min(lf, cr)
    const isAlone = lineEnd < scanned
    const quoted = quote < lineEnd ? readQuoted(isAlone ? buffer.slice(0, lineEnd) : buffer, at, dialect) : undefined
    const record = { at, lineEnd, end: quoted ? quoted.end : lineEnd, quoted }
    const isGivenUp = dialect.width !== undefined && isLongSplit(record)
    return isLast || isGivenUp || isEnded(buffer, record.end, isAlone ? undefined : quoted) ? record : undefined
  }
}

/** The line of a record; undefined for a blank one. */
function lineOf(buffer: string, record: FoundRecord, number: number, separator: string): ImportLine | undefined {
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
function recordTaker({ separator, width }: CsvDialect) {
  /** The end of what was read with a doubtful record, and the line of that record while the lines after it may be in doubt. */
  let scanned = 0
  let opened: number | undefined

  /** The line of a record, and its end; a doubtful record ends with its first line. */
  function take(buffer: string, record: FoundRecord, number: number): { line: ImportLine | undefined; end: number } {
    const { lineEnd, end } = record
    if (width !== undefined && isDoubtful(record, width)) {
      if (record.quoted?.open || end > lineEnd) opened = number
      scanned = Math.max(scanned, end)
      return { line: { number, cells: [], fault: 'open-quote' }, end: lineEnd }
    }
    const line = lineOf(buffer, record, number, separator)
    if (!line || line.fault) return { line, end }
    if (lineEnd >= scanned || line.cells.length === width) opened = undefined
    return { line: opened === undefined ? line : { number, cells: [], fault: 'in-doubt', opened }, end }
  }

  return { take, scanned: () => scanned, drop: (length: number) => void (scanned = Math.max(0, scanned - length)) }
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
  const { take, scanned, drop } = recordTaker(dialect)
  let rest = ''
  let number = 1
  let skip: ReturnType<typeof recordSkipper> | undefined

  /** The text after a record that is skipped. */
  function afterSkipped(text: string): string {
    if (!skip) return text
    const { length, lines, done } = skip(text)
    number += lines
    if (done) skip = undefined
    return text.slice(length)
  }

  function read(text: string, isLast: boolean): ImportLine[] {
    const buffer = rest + afterSkipped(text)
    const find = recordFinder(buffer, dialect, isLast)
    const lines: ImportLine[] = []
    let at = 0
    for (;;) {
      const blank = afterBlankLines(buffer, at)
      number += blank.lines
      at = blank.at
      const record = at < buffer.length ? find(at, scanned()) : undefined
      if (!record) break
      const { line, end } = take(buffer, record, number)
      if (line) lines.push(line)
      number += end > record.lineEnd ? countBreaks(buffer, at, end) + 1 : 1
      at = afterBreak(buffer, end)
    }
    rest = buffer.slice(at)
    drop(at)
    if (rest.length > MAX_IMPORT_LINE_LENGTH) {
      lines.push({ number, cells: [], fault: 'too-long' })
      skip = recordSkipper(dialect.separator)
      number += skip(rest).lines
      rest = ''
    }
    return lines
  }

  return { read: (text) => read(text, false), end: () => read('', true) }
}

function indexOr(buffer: string, character: string, from: number): number {
  const index = buffer.indexOf(character, from)
  return index === -1 ? buffer.length : index
}

/** Whether what follows cannot change where the record ends: a CR at the very end may be the first half of a CRLF. */
function isEnded(buffer: string, end: number, quoted: Quoted | undefined): boolean {
  if (quoted?.open || end === buffer.length) return false
  return end < buffer.length - 1 || buffer[end] === '\n'
}

function afterBreak(buffer: string, end: number): number {
  return buffer[end] === '\r' && buffer[end + 1] === '\n' ? end + 2 : end + 1
}

/** The end of the blank lines at a place, and their number; a CR at the very end does not count. */
function afterBlankLines(buffer: string, from: number): { at: number; lines: number } {
  let at = from
  let lines = 0
  while (buffer[at] === '\n' || (buffer[at] === '\r' && at + 1 < buffer.length)) {
    at = afterBreak(buffer, at)
    lines += 1
  }
  return { at, lines }
}

function countBreaks(buffer: string, from: number, end: number): number {
  return buffer.slice(from, end).match(/\r\n|\n|\r/g)?.length ?? 0
}

/** The first place from `at` on that is not blank. */
function afterBlanks(buffer: string, at: number, separator: string): number {
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
function readQuotes(buffer: string, from: number, isEscaped: boolean): { text: string; end: number } {
  let at = from
  let quote = indexOr(buffer, '"', at)
  for (; quote < buffer.length; quote = indexOr(buffer, '"', quote + 1)) {
    if (isEscaped && isEscapedAt(buffer, quote, at)) continue
    if (buffer[quote + 1] !== '"') break
    quote += 1
    at = quote + 1
  }
  const text = buffer.slice(from, quote).replaceAll('""', '"')
  return quote < buffer.length ? { text: isEscaped ? unescaped(text) : text, end: quote + 1 } : { text, end: -1 }
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, '$1')
}

/** Reads one record cell by cell. Where the buffer ends first, `end` is its length, and `open` says if within quotes. */
function readQuoted(
  buffer: string,
  from: number,
  { separator, isEscaped = false, isPadded = false }: CsvDialect,
): Quoted {
  const cells: string[] = []
  let isOdd = false
  for (let at = from; ; at += 1) {
    const start = afterBlanks(buffer, at, separator)
    const isQuoted = buffer[start] === '"' && (isPadded || start === at)
    const quotes = isQuoted ? readQuotes(buffer, start + 1, isEscaped) : undefined
    if (quotes?.end === -1) return { cells: [...cells, quotes.text], isOdd, end: buffer.length, open: true }
    const plain = quotes?.end ?? at
    at = plain
    while (at < buffer.length && buffer[at] !== separator && buffer[at] !== '\n' && buffer[at] !== '\r') at += 1
    const tail = buffer.slice(plain, at)
    if (quotes) {
      const isBlank = tail.trim() === ''
      isOdd ||= !isBlank
      cells.push(isBlank ? quotes.text : quotes.text + tail)
    } else {
      isOdd ||= buffer[start] === '"'
      cells.push(isEscaped ? tail.replaceAll('\\"', '"') : tail)
    }
    if (buffer[at] !== separator) return { cells, isOdd, end: at, open: false }
  }
}

type SkipState = 'start' | 'plain' | 'quoted' | 'closed' | 'ended'

/**
 * Skips one record of any length in constant memory. Each call gives how many characters and line breaks it consumed,
 * and whether the record ended there.
 */
function recordSkipper(separator: string) {
  let state: SkipState = 'start'
  let afterCr = false
  return (text: string): { length: number; lines: number; done: boolean } => {
    let lines = 0
    if (state === 'ended') return { length: text[0] === '\n' ? 1 : 0, lines, done: true }
    for (let i = 0; i < text.length; i++) {
      const character = text[i]
      const isBreak = character === '\r' || (character === '\n' && !afterCr)
      if (isBreak) lines += 1
      if (state === 'quoted') {
        if (character === '"') state = 'closed'
      } else if (isBreak) {
        if (character === '\n' || i + 1 < text.length) return { length: afterBreak(text, i), lines, done: true }
        state = 'ended'
      } else if (character === separator) state = 'start'
      else if (character === '"' && state !== 'plain') state = 'quoted'
      else state = 'plain'
      afterCr = character === '\r'
    }
    return { length: text.length, lines, done: false }
  }
}
