/** One record of a delimited text. `number` is the line of the file it begins on, from 1. */
export interface Line {
  number: number
  cells: string[]
  /** Why the cells cannot be trusted: longer than `MAX_LINE`, or a quote that is still open where the file ends. */
  fault?: 'too-long' | 'open-quote'
}

/** The longest record that is read, in characters; a longer one is skipped, whatever its length. */
export const MAX_LINE = 1 << 20

export interface CsvReader {
  /** The records completed by this piece of text. */
  read(text: string): Line[]
  /** The last record, when the text does not end with a line break. */
  end(): Line[]
}

interface Quoted {
  cells: string[]
  /** Index of the line break that ends the record, or the length of the buffer. */
  end: number
  open: boolean
}

/**
 * Reads delimited text in pieces: RFC 4180 with any separator, doubled quotes, and CR, LF or CRLF as line breaks, mixed
 * or not. Lenient where the RFC is silent: a quote inside an unquoted cell is a character, and so is what stands
 * between a closing quote and the next separator. Blank lines are no records. Memory is one piece plus one record.
 *
 * A record without quotes, nearly every one, is cut by `split`: ten times as fast as reading character by character.
 */
export function csvReader(separator: string): CsvReader {
  let rest = ''
  let number = 1
  let skip: ReturnType<typeof recordSkipper> | undefined

  function read(text: string, last: boolean): Line[] {
    if (skip) {
      const taken = skip(text)
      number += taken.lines
      if (!taken.done) return []
      text = text.slice(taken.length)
      skip = undefined
    }
    const buffer = rest + text
    const lines: Line[] = []
    let at = 0
    let lf = -1
    let cr = -1
    let quote = -1
    while (at < buffer.length) {
      if (lf < at) lf = indexOr(buffer, '\n', at)
      if (cr < at) cr = indexOr(buffer, '\r', at)
      if (quote < at) quote = indexOr(buffer, '"', at)
      const unquotedEnd = Math.min(lf, cr)
      const quoted = quote < unquotedEnd ? readQuoted(buffer, at, separator) : undefined
      const end = quoted ? quoted.end : unquotedEnd
      if (!last && !isEnded(buffer, end, quoted)) break
      if (end - at > MAX_LINE) lines.push({ number, cells: [], fault: 'too-long' })
      else if (quoted?.open) lines.push({ number, cells: quoted.cells, fault: 'open-quote' })
      else if (end > at) {
        const cells = quoted?.cells ?? buffer.slice(at, end).split(separator)
        if (cells.length > 1 || cells[0]?.trim()) lines.push({ number, cells })
      }
      number += quoted ? countBreaks(buffer, at, end) + 1 : 1
      at = afterBreak(buffer, end)
    }
    rest = buffer.slice(at)
    if (rest.length > MAX_LINE) {
      lines.push({ number, cells: [], fault: 'too-long' })
      skip = recordSkipper(separator)
      number += skip(rest).lines
      rest = ''
    }
    return lines
  }

  return { read: (text) => read(text, false), end: () => (skip ? [] : read('', true)) }
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

function countBreaks(buffer: string, from: number, end: number): number {
  return buffer.slice(from, end).match(/\r\n|\n|\r/g)?.length ?? 0
}

/** Reads one record cell by cell. Where the buffer ends first, `end` is its length, and `open` says if within quotes. */
function readQuoted(buffer: string, from: number, separator: string): Quoted {
  const cells: string[] = []
  let at = from
  for (;;) {
    let cell = ''
    if (buffer[at] === '"') {
      at += 1
      for (;;) {
        const close = indexOr(buffer, '"', at)
        cell += buffer.slice(at, close)
        if (close === buffer.length) return { cells: [...cells, cell], end: close, open: true }
        at = close + 1
        if (buffer[at] !== '"') break
        cell += '"'
        at += 1
      }
    }
    const plain = at
    while (at < buffer.length && buffer[at] !== separator && buffer[at] !== '\n' && buffer[at] !== '\r') at += 1
    cells.push(cell + buffer.slice(plain, at))
    if (buffer[at] !== separator) return { cells, end: at, open: false }
    at += 1
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
