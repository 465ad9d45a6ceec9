/*
 * Statements of the column store (ClickHouse). Values travel beside the text as parameters with their type, so that no text of
 * a caller is ever part of a statement.
 */

/** A value with its type in the store. */
interface Value {
  type: string
  value: unknown
}

/** A piece of a statement: texts, and between them values or other pieces. */
export interface ClickHouseFragment {
  texts: readonly string[]
  parts: readonly (ClickHouseFragment | Value)[]
}

/** A statement as it is sent. */
export interface ClickHouseStatement {
  text: string
  params: Record<string, unknown>
}

/** A piece of a statement. What stands in braces is a value made by one of the functions below, or another piece. */
export function clickHouseSql(
  texts: TemplateStringsArray,
  ...parts: (ClickHouseFragment | Value)[]
): ClickHouseFragment {
  return { texts, parts }
}

/** Text of our own as it is: never of a caller. */
export function rawClickHouseSql(text: string): ClickHouseFragment {
  return { texts: [text], parts: [] }
}

/** Pieces with a separator between them. */
export function joinClickHouseFragments(parts: readonly ClickHouseFragment[], separator: string): ClickHouseFragment {
  if (parts.length === 0) return rawClickHouseSql('')
  return { texts: ['', ...parts.slice(1).map(() => separator), ''], parts }
}

export const joinClickHouseConditions = (conditions: readonly ClickHouseFragment[]): ClickHouseFragment =>
  joinClickHouseFragments(conditions, ' and ')

const value =
  <T>(type: string, write: (given: T) => unknown = (given) => given) =>
  (given: T): Value => ({ type, value: write(given) })

export const int64Param = value<number>('Int64')
export const int64ArrayParam = value<readonly number[]>('Array(Int64)', (given) => [...given])
export const stringParam = value<string>('String')
export const stringArrayParam = value<readonly string[]>('Array(String)', (given) => [...given])
/** Milliseconds. */
export const instantParam = (ms: number): ClickHouseFragment =>
  clickHouseSql`fromUnixTimestamp64Milli(${int64Param(ms)}, 'UTC')`
export const uuidParam = value<string>('UUID')

const NUMBER = /^-?\d+$/
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

function written(given: readonly number[]): string {
  const texts = given.map(String)
  if (texts.some((one) => !NUMBER.test(one))) throw new Error('not a whole number')
  return texts.join(',')
}

/** Numbers in parentheses, part of the text: there may be more than an address may hold. */
export function formatNumberList(given: readonly number[]): ClickHouseFragment {
  return rawClickHouseSql(`(${written(given) || 'null'})`)
}

/** Numbers as an array, part of the text as those in parentheses are. */
export function formatNumberArray(given: readonly number[]): ClickHouseFragment {
  return rawClickHouseSql(`[${written(given)}]::Array(Int64)`)
}

/** UUIDs in parentheses, part of the text as numbers are. */
export function formatUuidList(given: readonly string[]): ClickHouseFragment {
  const wrong = given.find((one) => !UUID.test(one))
  if (wrong !== undefined) throw new Error('not a uuid')
  return rawClickHouseSql(`(${given.map((one) => `toUUID('${one}')`).join(',') || 'null'})`)
}

/** The id of an event as its tables keep it: the number that its bytes are, the highest first, which sorts as the text does. */
export function formatEventId(id: string): ClickHouseFragment {
  if (!UUID.test(id)) throw new Error('not a uuid')
  return rawClickHouseSql(`toUInt128('${BigInt(`0x${id.replaceAll('-', '')}`)}')`)
}

/** The text of a column of ids. */
export const eventIdText = rawClickHouseSql('UUIDNumToString(toFixedString(reverse(reinterpretAsFixedString(id)), 16))')

/** Puts a statement together; `account` is the parameter of that name. */
export function compileClickHouseSql(fragment: ClickHouseFragment, account: number | null): ClickHouseStatement {
  const params: Record<string, unknown> = account === null ? {} : { account }
  let count = 0
  const write = ({ texts: pieces, parts }: ClickHouseFragment): string =>
    pieces.reduce((done, piece, n) => {
      const part = parts[n - 1]!
      if ('texts' in part) return done + write(part) + piece
      const name = `p${count++}`
      params[name] = part.value
      return `${done}{${name}:${part.type}}${piece}`
    })
  return { text: write(fragment), params }
}

/** The condition that every statement about one account has. */
export const accountCondition = rawClickHouseSql('account = {account:Int32}')
