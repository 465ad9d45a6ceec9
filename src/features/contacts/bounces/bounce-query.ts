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
  /** Where the term begins in the query, from 1. */
  position: number
}

/** The id of a field from its id or name. */
export type BounceFieldFinder = (key: string) => { id: number } | undefined

const KEYWORD = 'field|type|after|before|segment|contact'
const QUOTED = String.raw`"(?<quoted>[^"\p{Cc}]*)"`
const BARE = String.raw`(?<bare>[^\s"\p{Cc}][^\s\p{Cc}]*)`
/** A keyword alone is no bare word: its value is missing. */
const TERM = new RegExp(
  String.raw`(?<minus>-?)(?:(?<keyword>${KEYWORD}):|(?!-))(?!(?:${KEYWORD}):(?:\s|$))(?:${QUOTED}|${BARE})(?=\s|$)`,
  'iuy',
)
const BLANKS = /\s*/y

/** The fault of a query, with its position. */
export function createBounceQueryFault(position: number, detail: string) {
  return badRequestProblem('query', `at character ${position}: ${detail}`)
}

function readCodes(value: string): number[] | undefined {
  const codes = value
    .split(',')
    .map((word) => (word.toLowerCase() === 'hard' ? hardBounceCodes : parseBounceCode(word)))
  return codes.includes(undefined) ? undefined : codes.flatMap((code) => code ?? [])
}

function readDay(type: 'after' | 'before', value: string): BounceCondition | undefined {
  const ms = parseInstant(value)
  return ms === undefined ? undefined : { type, ms }
}

/** How the value of each keyword is read, and what it must be. */
const keywords: Record<
  string,
  { read: (value: string, find: BounceFieldFinder) => BounceCondition | undefined; must: string }
> = {
  field: {
    read: (value, find) => {
      const field = find(value)
      return field && { type: 'field', id: field.id }
    },
    must: 'is neither id nor name of a field',
  },
  type: {
    read: (value) => {
      const codes = readCodes(value)
      return codes && { type: 'codes', codes }
    },
    must: 'is no type: write hard, the names or codes of flags, separated by commas',
  },
  after: { read: (value) => readDay('after', value), must: 'is no ISO 8601 date' },
  before: { read: (value) => readDay('before', value), must: 'is no ISO 8601 date' },
  segment: {
    read: (value) => {
      const id = parseInt32Id(value)
      return id === undefined ? undefined : { type: 'segment', id }
    },
    must: 'is no segment id',
  },
  contact: {
    read: (value) => {
      const id = parseContactId(value)
      return id === undefined ? undefined : { type: 'contact', id }
    },
    must: 'is no contact id',
  },
}

function readTerm(match: RegExpExecArray, find: BounceFieldFinder): BounceQueryTerm {
  const { minus, keyword: word = '', quoted, bare } = match.groups ?? {}
  const value = quoted ?? bare ?? ''
  const position = match.index + 1
  const keyword = keywords[word.toLowerCase()]
  const asked: BounceCondition | undefined = keyword ? keyword.read(value, find) : { type: 'text', text: value }
  if (!asked) throw createBounceQueryFault(position, `"${value.slice(0, 100)}" ${keyword?.must}`)
  return { asked, negated: minus === '-', position }
}

/**
 * Reads a query over bounce flags: terms separated by blanks, all of which must hold; `-` before one negates it.
 * Throws 400 with the position of the first term that cannot be read.
 */
export function parseBounceQuery(query: string, find: BounceFieldFinder): BounceQueryTerm[] {
  const terms: BounceQueryTerm[] = []
  let at = 0
  for (;;) {
    BLANKS.lastIndex = at
    BLANKS.test(query)
    at = BLANKS.lastIndex
    if (at === query.length) return terms
    TERM.lastIndex = at
    const match = TERM.exec(query)
    if (!match) throw createBounceQueryFault(at + 1, 'a word, a "phrase" in quotes or keyword:value is expected')
    terms.push(readTerm(match, find))
    at = TERM.lastIndex
  }
}
