/*
 * Statements of the column store (ClickHouse). Values travel beside the text as parameters with their type, so that no text of
 * a caller is ever part of a statement.
 */

/** A value with its type in the store. */
interface TypedValue {
  type: string
  value: unknown
}

/** A piece of a statement: texts, and between them values or other pieces. */
export interface ClickHouseFragment {
  texts: readonly string[]
  parts: readonly (ClickHouseFragment | TypedValue)[]
}

/** A statement as it is sent. */
export interface ClickHouseStatement {
  text: string
  params: Record<string, unknown>
}

/** A piece of a statement. What stands in braces is a value made by one of the functions below, or another piece. */
export function clickHouseSql(
  texts: TemplateStringsArray,
  ...parts: (ClickHouseFragment | TypedValue)[]
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

const createParam =
  <T>(type: string, write: (input: T) => unknown = (input) => input) =>
  (input: T): TypedValue => ({ type, value: write(input) })

export const int64Param = createParam<number>('Int64')
export const int64ArrayParam = createParam<readonly number[]>('Array(Int64)', (input) => [...input])
export const stringParam = createParam<string>('String')
export const stringArrayParam = createParam<readonly string[]>('Array(String)', (input) => [...input])
/** Milliseconds. */
export const instantParam = (ms: number): ClickHouseFragment =>
  clickHouseSql`fromUnixTimestamp64Milli(${int64Param(ms)}, 'UTC')`
export const uuidParam = createParam<string>('UUID')

const INTEGER_PATTERN = /^-?\d+$/
const UUID_PATTERN = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

function formatNumbers(input: readonly number[]): string {
  const numberTexts = input.map(String)
  if (numberTexts.some((numberText) => !INTEGER_PATTERN.test(numberText))) throw new Error('not a whole number')
  return numberTexts.join(',')
}

/** Numbers in parentheses, part of the text: there may be more than an address may hold. */
export function formatNumberList(input: readonly number[]): ClickHouseFragment {
  return rawClickHouseSql(`(${formatNumbers(input) || 'null'})`)
}

/** Numbers as an array, part of the text as those in parentheses are. */
export function formatNumberArray(input: readonly number[]): ClickHouseFragment {
  return rawClickHouseSql(`[${formatNumbers(input)}]::Array(Int64)`)
}

/** UUIDs in parentheses, part of the text as numbers are. */
export function formatUuidList(input: readonly string[]): ClickHouseFragment {
  const invalidUuid = input.find((uuid) => !UUID_PATTERN.test(uuid))
  if (invalidUuid !== undefined) throw new Error('not a uuid')
  return rawClickHouseSql(`(${input.map((uuid) => `toUUID('${uuid}')`).join(',') || 'null'})`)
}

/** The id of an event as its tables keep it: the number that its bytes are, the highest first, which sorts as the text does. */
export function formatEventId(id: string): ClickHouseFragment {
  if (!UUID_PATTERN.test(id)) throw new Error('not a uuid')
  return rawClickHouseSql(`toUInt128('${BigInt(`0x${id.replaceAll('-', '')}`)}')`)
}

/** The text of a column of ids. */
export const eventIdText = rawClickHouseSql('UUIDNumToString(toFixedString(reverse(reinterpretAsFixedString(id)), 16))')

/** Puts a statement together; `account` is the parameter of that name. */
export function compileClickHouseSql(fragment: ClickHouseFragment, account: number | null): ClickHouseStatement {
  const queryParams: Record<string, unknown> = account === null ? {} : { account }
  let count = 0
  const renderFragment = ({ texts: pieces, parts }: ClickHouseFragment): string =>
    pieces.reduce((done, piece, n) => {
      const part = parts[n - 1]!
      if ('texts' in part) return done + renderFragment(part) + piece
      const name = `p${count++}`
      queryParams[name] = part.value
      return `${done}{${name}:${part.type}}${piece}`
    })
  return { text: renderFragment(fragment), params: queryParams }
}

/** The condition that every statement about one account has. */
export const accountCondition = rawClickHouseSql('account = {account:Int32}')
