import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { parseContactId, parseInt32Id } from '../../../lib/ids.ts'
import { parseInstant } from '../../../lib/time/period.ts'
import { hardBounceCodes, parseBounceCode } from './bounce-codes.ts'

/** The condition of a term of the query language on a flag. */
export type BounceCondition =
  | { type: 'field'; id: number }
  | { type: 'codes'; codes: number[] }
  | { type: 'after' | 'before'; ms: number }
  | { type: 'segment' | 'contact'; id: number }
  /** `whole`: the address is this text, nothing else. */
  | { type: 'text'; text: string; whole?: boolean }

export interface BounceQueryTerm {
  asked: BounceCondition
  negated: boolean
  /** Position of the term in the query, from 1. */
  position: number
}

/** The id of a field from its id or name. */
export type BounceFieldFinder = (key: string) => { id: number } | undefined

const KEYWORD_PATTERN = 'field|type|after|before|segment|contact'
const QUOTED_PATTERN = String.raw`"(?<quoted>[^"\p{Cc}]*)"`
const BARE_WORD_PATTERN = String.raw`(?<bare>[^\s"\p{Cc}][^\s\p{Cc}]*)`
/** A keyword alone is no bare word: its value is missing. */
const TERM_PATTERN = new RegExp(
  String.raw`(?<minus>-?)(?:(?<keyword>${KEYWORD_PATTERN}):|(?!-))(?!(?:${KEYWORD_PATTERN}):(?:\s|$))(?:${QUOTED_PATTERN}|${BARE_WORD_PATTERN})(?=\s|$)`,
  'iuy',
)
const BLANKS_PATTERN = /\s*/y

/** The fault of a query, with its position. */
export function createBounceQueryFault(position: number, detail: string) {
  return badRequestProblem('query', `at character ${position}: ${detail}`)
}

function parseBounceCodes(value: string): number[] | undefined {
  const bounceCodes = value
    .split(',')
    .map((word) => (word.toLowerCase() === 'hard' ? hardBounceCodes : parseBounceCode(word)))
  return bounceCodes.includes(undefined) ? undefined : bounceCodes.flatMap((code) => code ?? [])
}

function parseDayCondition(type: 'after' | 'before', value: string): BounceCondition | undefined {
  const timestampMs = parseInstant(value)
  return timestampMs === undefined ? undefined : { type, ms: timestampMs }
}

/** Parser of the value of each keyword, and the rule that the value must follow. */
const keywordParsers: Record<
  string,
  { read: (value: string, find: BounceFieldFinder) => BounceCondition | undefined; must: string }
> = {
  field: {
    read: (value, find) => {
      const fieldId = find(value)
      return fieldId && { type: 'field', id: fieldId.id }
    },
    must: 'is not the id or name of a field',
  },
  type: {
    read: (value) => {
      const bounceCodes = parseBounceCodes(value)
      return bounceCodes && { type: 'codes', codes: bounceCodes }
    },
    must: 'is not a type: use hard, or names or codes of flags separated by commas',
  },
  after: { read: (value) => parseDayCondition('after', value), must: 'is not an ISO 8601 date' },
  before: { read: (value) => parseDayCondition('before', value), must: 'is not an ISO 8601 date' },
  segment: {
    read: (value) => {
      const id = parseInt32Id(value)
      return id === undefined ? undefined : { type: 'segment', id }
    },
    must: 'is not a segment id',
  },
  contact: {
    read: (value) => {
      const id = parseContactId(value)
      return id === undefined ? undefined : { type: 'contact', id }
    },
    must: 'is not a contact id',
  },
}

function parseQueryTerm(match: RegExpExecArray, find: BounceFieldFinder): BounceQueryTerm {
  const { minus: minusSign, keyword: keywordText = '', quoted: quotedText, bare: bareWord } = match.groups ?? {}
  const value = quotedText ?? bareWord ?? ''
  const position = match.index + 1
  const keywordParser = keywordParsers[keywordText.toLowerCase()]
  const termCondition: BounceCondition | undefined = keywordParser
    ? keywordParser.read(value, find)
    : { type: 'text', text: value }
  if (!termCondition) throw createBounceQueryFault(position, `"${value.slice(0, 100)}" ${keywordParser?.must}`)
  return { asked: termCondition, negated: minusSign === '-', position }
}

/**
 * Reads a query over bounce flags: terms separated by blanks, all of which must hold; `-` before one negates it.
 * Throws 400 with the position of the first term that cannot be read.
 */
export function parseBounceQuery(query: string, find: BounceFieldFinder): BounceQueryTerm[] {
  const terms: BounceQueryTerm[] = []
  let offset = 0
  for (;;) {
    BLANKS_PATTERN.lastIndex = offset
    BLANKS_PATTERN.test(query)
    offset = BLANKS_PATTERN.lastIndex
    if (offset === query.length) return terms
    TERM_PATTERN.lastIndex = offset
    const match = TERM_PATTERN.exec(query)
    if (!match) throw createBounceQueryFault(offset + 1, 'a word, a "phrase" in quotes or keyword:value is expected')
    terms.push(parseQueryTerm(match, find))
    offset = TERM_PATTERN.lastIndex
  }
}
