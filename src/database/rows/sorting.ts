import { type RawBuilder, sql } from 'kysely'
import { badRequestProblem } from '../../lib/errors/problem.ts'
import { MAX_INT32 } from '../../lib/int32.ts'
import { parseInstant } from '../../lib/time/period.ts'

/** A column that a list may be sorted by: its expression, and the type that its values are compared as. */
export interface SortColumn {
  expression: RawBuilder<unknown>
  type: 'text' | 'integer' | 'timestamptz'
}

/** The sort order of a list. Items that are equal in it are sorted by their ids. */
export interface ListSorting<Word extends string> {
  by: Word
  isDescending: boolean
}

/** The place of an item in a sorted list: the value it is sorted by as text, and its id. */
export type ListSortKey = readonly [value: string, id: number]

/** Reads a word of a parameter, `-` before it for descending. Throws 400 for an unknown one. */
export function parseListSorting<Word extends string>(
  parameter: string,
  text: string,
  words: readonly Word[],
): ListSorting<Word> {
  const sortWord = words.find((word) => word === text.replace(/^-/, ''))
  if (sortWord === undefined)
    throw badRequestProblem(parameter, `must be one of ${words.join(', ')}; prefix it with "-" for descending order`)
  return { by: sortWord, isDescending: text.startsWith('-') }
}

const isSafeInteger = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(Number(value)) <= MAX_INT32

/** Checks by type: returns true if the database accepts a text as a value of the type. */
const typeCheckers: Readonly<Record<SortColumn['type'], (text: string) => boolean>> = {
  text: (text) => !text.includes('\0'),
  integer: (text) => /^-?\d+$/.test(text) && isSafeInteger(Number(text)),
  timestamptz: (text) => parseInstant(text) !== undefined,
}

/** Checks a key that came back from a caller. */
export function parseListSortKey(value: unknown, { type }: Pick<SortColumn, 'type'>): ListSortKey | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined
  const [sortedValue, id] = value
  return typeof sortedValue === 'string' && typeCheckers[type](sortedValue) && isSafeInteger(id)
    ? [sortedValue, id]
    : undefined
}

/** The parts of a statement that gives a page of a sorted list. */
export interface SortedPageSql {
  /** The sort key of each row, as the first part of `ListSortKey`. */
  key: RawBuilder<string>
  /** True if a row comes after the key of the page. */
  condition: RawBuilder<boolean>
  /** From `order by` on. */
  order: RawBuilder<unknown>
}

/** A page of rows that have an integer `id`: those after a key, at most `limit` of them. */
export function buildSortedPageSql<Word extends string>(
  columns: Readonly<Record<Word, SortColumn>>,
  id: RawBuilder<unknown>,
  { by, isDescending }: ListSorting<Word>,
  { after, limit }: { after: ListSortKey | undefined; limit: number | undefined },
): SortedPageSql {
  const { expression, type } = columns[by]
  const [direction, comparison] = isDescending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const key = sql<string>`(${expression})::text`
  const orderSql = sql`order by ${expression} ${direction}, ${id} ${direction} limit ${limit ?? null}::integer`
  if (after === undefined) return { key, condition: sql<boolean>`true`, order: orderSql }
  const [value, lastId] = after
  const condition = sql<boolean>`(${expression}, ${id}) ${comparison} (${value}::${sql.raw(type)}, ${lastId}::integer)`
  return { key, condition, order: orderSql }
}

/** A pattern of `like` for texts that contain another, whatever stands in that. */
export function buildContainsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}
