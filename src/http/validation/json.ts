import { Problem } from '../../lib/errors/problem.ts'

const MAX_DEPTH = 100

/** Values of one body at most, whatever its size: 1,000 items of 1,000 values each. */
const MAX_VALUES = 1_000_000

/** As how many values an empty array or object counts: it takes the most memory for its characters. */
const EMPTY_COUNTS = 4

/** Different names that the members of one body have at most. */
const MAX_NAMES = 25_000

function malformed(detail: string): Problem {
  return new Problem(400, 'malformed-body', detail)
}

/** Where a quoted text that begins at `start` ends: the place of its closing quote, or the end of the text. */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start]!
  for (let at = text.indexOf(quote, start + 1); at !== -1; at = text.indexOf(quote, at + 1)) {
    let backslash = at
    while (text.charCodeAt(backslash - 1) === 0x5c) backslash--
    if ((at - backslash) % 2 === 0) return at
  }
  return text.length
}

/** The place of the next character that is no blank. */
function pastBlanks(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}

/** Whether an array or object that was opened has nothing in it. */
function isClosed(text: string, start: number): boolean {
  const code = text.charCodeAt(pastBlanks(text, start))
  return code === 0x5d || code === 0x7d
}

/** Counts distinct names of members, nearly: names with the same hash count once. The seed is random and secret. */
function nameCounter(): (text: string, start: number, end: number) => number {
  const seen = new Uint8Array(1 << 20)
  const seed = Math.floor(Math.random() * 0x7fffffff)
  let names = 0
  return (text, start, end) => {
    let hash = seed
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    const slot = (hash ^ (hash >>> 15)) & 0xfffff
    if (seen[slot] === 0) names++
    seen[slot] = 1
    return names
  }
}

/**
 * Refuses a body of too many values, or of too many distinct names, before it is parsed: an empty object takes twenty
 * times the memory of its text, and each new name costs the parser more than ten values.
 */
function refuseTooMany(text: string): void {
  // A member takes six characters at least: shorter texts cannot hold that many.
  if (text.length < 6 * MAX_NAMES) return
  const countName = nameCounter()
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      const start = at + 1
      at = endOfQuoted(text, at)
      if (text.charCodeAt(pastBlanks(text, at + 1)) === 0x3a && countName(text, start, at) > MAX_NAMES)
        throw new Problem(413, 'body-too-large', `The members of the body have more than ${MAX_NAMES} different names.`)
    } else if (code === 0x2c || code === 0x5b || code === 0x7b) {
      values += code === 0x2c || !isClosed(text, at + 1) ? 1 : EMPTY_COUNTS
      if (values > MAX_VALUES)
        throw new Problem(413, 'body-too-large', `The body holds more than ${MAX_VALUES} values.`)
    }
  }
}

function refuseUnstorable(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw malformed('A text holds NUL, or half a surrogate pair: neither can be stored.')
}

/**
 * Refuses what JSON allows and no operation needs: keys that reach prototypes, deep nesting and, for a suspect body, texts
 * that cannot be stored. Allocates nothing while it walks: bodies have a million values.
 */
function refuseHostile(value: unknown, isSuspect: boolean, depth = 0): void {
  if (typeof value === 'string' && isSuspect) refuseUnstorable(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`)
  if (Array.isArray(value)) {
    for (const item of value) {
      if (isSuspect || (typeof item === 'object' && item !== null)) refuseHostile(item, isSuspect, depth + 1)
    }
    return
  }
  for (const key in value) {
    if (key === '__proto__' || key === 'constructor') throw malformed(`The key "${key}" is not accepted.`)
    if (isSuspect) refuseUnstorable(key)
    refuseHostile((value as Record<string, unknown>)[key], isSuspect, depth + 1)
  }
}

/** Refuses a document that would be refused as a body, as a patch may make one. Throws a Problem 400. */
export function assertJsonDepth(value: unknown): void {
  refuseHostile(value, false)
}

/** Escapes that stand for NUL, or for half a surrogate pair unless its other half follows. */
const SUSPECT = /\\u(?:0000|d[89a-f])/i

function readStrict(text: string): unknown {
  refuseTooMany(text)
  const value: unknown = JSON.parse(text)
  refuseHostile(value, SUSPECT.test(text))
  return value
}

/** Strings in old notations that one body may hold, and their total length: rewriting costs more than parsing. */
const MAX_OLD_FORMS = 250_000
const MAX_OLD_FORM_LENGTH = 2_000_000

/** The JSON string of a single-quoted one, given with its quotes: an apostrophe in it always has its backslash. */
function requoted(quoted: string): string {
  const inner = quoted.slice(1, -1)
  const escaped = inner.includes('"') ? inner.replace(/(?<!\\)((?:\\\\)*)"/g, '$1\\"') : inner
  return `"${escaped.replaceAll("\\'", "'")}"`
}

const QUOTE_OR_DATE = /["']|\bISODate\s*\(\s*(?=["'])/g
const CLOSING = /\s*\)/y

/** The text with the two forms that old clients send rewritten outside of strings: 'text' and ISODate("text"). */
function rewriteOldForms(text: string): string {
  let written = ''
  let done = 0
  QUOTE_OR_DATE.lastIndex = 0
  for (let forms = 0; forms < MAX_OLD_FORMS; ) {
    const found = QUOTE_OR_DATE.exec(text)
    if (!found) break
    const isDate = found[0].length > 1
    const start = isDate ? QUOTE_OR_DATE.lastIndex : found.index
    const end = endOfQuoted(text, start) + 1
    QUOTE_OR_DATE.lastIndex = end
    if (found[0] === '"') continue
    forms++
    CLOSING.lastIndex = end
    if ((isDate && !CLOSING.test(text)) || end - start > MAX_OLD_FORM_LENGTH) continue
    const quoted = text.slice(start, end)
    written += text.slice(done, found.index) + (quoted[0] === "'" ? requoted(quoted) : quoted)
    QUOTE_OR_DATE.lastIndex = done = isDate ? CLOSING.lastIndex : end
  }
  return written + text.slice(done)
}

/** Reads a JSON text as this interface does. Throws a Problem 400 that says where it stops being JSON, 413 for too many values. */
export function parseRequestJson(text: string): unknown {
  try {
    return readStrict(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    try {
      return readStrict(rewriteOldForms(text))
    } catch (again) {
      if (again instanceof Problem) throw again
    }
    throw malformed(`The body is not JSON: ${error.message.replace(/[\r\n].*/s, '')}.`)
  }
}
