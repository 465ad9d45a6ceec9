import { Problem } from '../../lib/errors/problem.ts'

const MAX_DEPTH = 100

/** Values of one body at most, whatever its size: 1,000 items of 1,000 values each. */
const MAX_VALUES = 1_000_000

/** As how many values an empty array or object counts: it takes the most memory for its characters. */
const EMPTY_VALUE_WEIGHT = 4

/** Different names that the members of one body have at most. */
const MAX_MEMBER_NAMES = 25_000

function createMalformedProblem(detail: string): Problem {
  return new Problem(400, 'malformed-body', detail)
}

/** The end of a quoted text that begins at `start`: the position of its closing quote, or the end of the text. */
function findClosingQuote(text: string, start: number): number {
  const quote = text[start]!
  for (let position = text.indexOf(quote, start + 1); position !== -1; position = text.indexOf(quote, position + 1)) {
    let backslash = position
    while (text.charCodeAt(backslash - 1) === 0x5c) backslash--
    if ((position - backslash) % 2 === 0) return position
  }
  return text.length
}

/** The place of the next character that is no blank. */
function skipBlanks(text: string, start: number): number {
  let position = start
  while (text.charCodeAt(position) <= 0x20) position++
  return position
}

/** Returns true if an opened array or object is empty. */
function isEmptyContainer(text: string, start: number): boolean {
  const code = text.charCodeAt(skipBlanks(text, start))
  return code === 0x5d || code === 0x7d
}

/** Counts distinct names of members, nearly: names with the same hash count once. The seed is random and secret. */
function createNameCounter(): (text: string, start: number, end: number) => number {
  const seenSlots = new Uint8Array(1 << 20)
  const seed = Math.floor(Math.random() * 0x7fffffff)
  let nameCount = 0
  return (text, start, end) => {
    let hash = seed
    for (let position = start; position < end; position++)
      hash = Math.imul(hash ^ text.charCodeAt(position), 0x01000193)
    const hashSlot = (hash ^ (hash >>> 15)) & 0xfffff
    if (seenSlots[hashSlot] === 0) nameCount++
    seenSlots[hashSlot] = 1
    return nameCount
  }
}

/**
 * Refuses a body of too many values, or of too many distinct names, before it is parsed: an empty object takes twenty
 * times the memory of its text, and each new name costs the parser more than ten values.
 */
function assertBoundedSize(text: string): void {
  // A member takes six characters at least: shorter texts cannot hold that many.
  if (text.length < 6 * MAX_MEMBER_NAMES) return
  const countName = createNameCounter()
  let values = 1
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === 0x22) {
      const nameStart = position + 1
      position = findClosingQuote(text, position)
      if (
        text.charCodeAt(skipBlanks(text, position + 1)) === 0x3a &&
        countName(text, nameStart, position) > MAX_MEMBER_NAMES
      )
        throw new Problem(
          413,
          'body-too-large',
          `The members of the body have more than ${MAX_MEMBER_NAMES} different names.`,
        )
    } else if (code === 0x2c || code === 0x5b || code === 0x7b) {
      values += code === 0x2c || !isEmptyContainer(text, position + 1) ? 1 : EMPTY_VALUE_WEIGHT
      if (values > MAX_VALUES)
        throw new Problem(413, 'body-too-large', `The body contains more than ${MAX_VALUES} values.`)
    }
  }
}

function assertStorableText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw createMalformedProblem('A text contains NUL or half a surrogate pair, which cannot be stored.')
}

/**
 * Refuses what JSON allows and no operation needs: keys that reach prototypes, deep nesting and, for a suspect body, texts
 * that cannot be stored. Allocates nothing while it walks: bodies have a million values.
 */
function assertSafeValue(value: unknown, isSuspect: boolean, depth = 0): void {
  if (typeof value === 'string' && isSuspect) assertStorableText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > MAX_DEPTH) throw createMalformedProblem(`The body is nested deeper than ${MAX_DEPTH} levels.`)
  if (Array.isArray(value)) {
    for (const item of value) {
      if (isSuspect || (typeof item === 'object' && item !== null)) assertSafeValue(item, isSuspect, depth + 1)
    }
    return
  }
  for (const key in value) {
    if (key === '__proto__' || key === 'constructor') throw createMalformedProblem(`The key "${key}" is not accepted.`)
    if (isSuspect) assertStorableText(key)
    assertSafeValue((value as Record<string, unknown>)[key], isSuspect, depth + 1)
  }
}

/** Refuses a document that would be refused as a body, as a patch may make one. Throws a Problem 400. */
export function assertJsonDepth(value: unknown): void {
  assertSafeValue(value, false)
}

/** Escapes that stand for NUL, or for half a surrogate pair unless its other half follows. */
const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f])/i

function parseStrictJson(text: string): unknown {
  assertBoundedSize(text)
  const value: unknown = JSON.parse(text)
  assertSafeValue(value, SUSPECT_ESCAPE.test(text))
  return value
}

/** Strings in old notations that one body may hold, and their total length: rewriting costs more than parsing. */
const MAX_OLD_FORMS = 250_000
const MAX_OLD_FORM_LENGTH = 2_000_000

/** The JSON string of a single-quoted one, given with its quotes: an apostrophe in it always has its backslash. */
function toDoubleQuoted(quoted: string): string {
  const innerText = quoted.slice(1, -1)
  const escapedText = innerText.includes('"') ? innerText.replace(/(?<!\\)((?:\\\\)*)"/g, '$1\\"') : innerText
  return `"${escapedText.replaceAll("\\'", "'")}"`
}

const QUOTE_OR_DATE_PATTERN = /["']|\bISODate\s*\(\s*(?=["'])/g
const CLOSING_PARENTHESIS = /\s*\)/y

/** The text with the two forms that old clients send rewritten outside of strings: 'text' and ISODate("text"). */
function rewriteOldForms(text: string): string {
  let rewrittenText = ''
  let copiedUntil = 0
  QUOTE_OR_DATE_PATTERN.lastIndex = 0
  for (let formCount = 0; formCount < MAX_OLD_FORMS; ) {
    const quoteMatch = QUOTE_OR_DATE_PATTERN.exec(text)
    if (!quoteMatch) break
    const isDate = quoteMatch[0].length > 1
    const quoteStart = isDate ? QUOTE_OR_DATE_PATTERN.lastIndex : quoteMatch.index
    const quoteEnd = findClosingQuote(text, quoteStart) + 1
    QUOTE_OR_DATE_PATTERN.lastIndex = quoteEnd
    if (quoteMatch[0] === '"') continue
    formCount++
    CLOSING_PARENTHESIS.lastIndex = quoteEnd
    if ((isDate && !CLOSING_PARENTHESIS.test(text)) || quoteEnd - quoteStart > MAX_OLD_FORM_LENGTH) continue
    const quotedText = text.slice(quoteStart, quoteEnd)
    rewrittenText +=
      text.slice(copiedUntil, quoteMatch.index) + (quotedText[0] === "'" ? toDoubleQuoted(quotedText) : quotedText)
    QUOTE_OR_DATE_PATTERN.lastIndex = copiedUntil = isDate ? CLOSING_PARENTHESIS.lastIndex : quoteEnd
  }
  return rewrittenText + text.slice(copiedUntil)
}

/** Reads a JSON text as this interface does. Throws a Problem 400 that says where it stops being JSON, 413 for too many values. */
export function parseRequestJson(text: string): unknown {
  try {
    return parseStrictJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    try {
      return parseStrictJson(rewriteOldForms(text))
    } catch (retryError) {
      if (retryError instanceof Problem) throw retryError
    }
    throw createMalformedProblem(`The body is not JSON: ${error.message.replace(/[\r\n].*/s, '')}.`)
  }
}
