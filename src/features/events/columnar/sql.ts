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
export interface Fragment {
  texts: readonly string[]
  parts: readonly (Fragment | Value)[]
}

/** A statement as it is sent. */
export interface Compiled {
  text: string
  params: Record<string, unknown>
}

/** A piece of a statement. What stands in braces is a value made by one of the functions below, or another piece. */
export function ch(texts: TemplateStringsArray, ...parts: (Fragment | Value)[]): Fragment {
  return { texts, parts }
}

/** Text of our own as it is: never of a caller. */
export function raw(text: string): Fragment {
  return { texts: [text], parts: [] }
}

/** Pieces with a separator between them. */
export function joined(parts: readonly Fragment[], separator: string): Fragment {
  if (parts.length === 0) return raw('')
  return { texts: ['', ...parts.slice(1).map(() => separator), ''], parts }
}

export const allOf = (conditions: readonly Fragment[]): Fragment => joined(conditions, ' and ')

const value =
  <T>(type: string, write: (given: T) => unknown = (given) => given) =>
  (given: T): Value => ({ type, value: write(given) })

export const int = value<number>('Int64')
export const ints = value<readonly number[]>('Array(Int64)', (given) => [...given])
export const text = value<string>('String')
export const texts = value<readonly string[]>('Array(String)', (given) => [...given])
/** Milliseconds. */
export const instant = (ms: number): Fragment => ch`fromUnixTimestamp64Milli(${int(ms)}, 'UTC')`
export const uuid = value<string>('UUID')

const NUMBER = /^-?\d+$/
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

function written(given: readonly number[]): string {
  const texts = given.map(String)
  if (texts.some((one) => !NUMBER.test(one))) throw new Error('not a whole number')
  return texts.join(',')
}

/** Numbers in parentheses, part of the text: there may be more than an address may hold. */
export function numbers(given: readonly number[]): Fragment {
  return raw(`(${written(given) || 'null'})`)
}

/** Numbers as an array, part of the text as those in parentheses are. */
export function numberArray(given: readonly number[]): Fragment {
  return raw(`[${written(given)}]::Array(Int64)`)
}

/** UUIDs in parentheses, part of the text as numbers are. */
export function uuids(given: readonly string[]): Fragment {
  const wrong = given.find((one) => !UUID.test(one))
  if (wrong !== undefined) throw new Error('not a uuid')
  return raw(`(${given.map((one) => `toUUID('${one}')`).join(',') || 'null'})`)
}

/** The id of an event as its tables keep it: the number that its bytes are, the highest first, which sorts as the text does. */
export function idOf(id: string): Fragment {
  if (!UUID.test(id)) throw new Error('not a uuid')
  return raw(`toUInt128('${BigInt(`0x${id.replaceAll('-', '')}`)}')`)
}

/** The text of a column of ids. */
export const idText = raw('UUIDNumToString(toFixedString(reverse(reinterpretAsFixedString(id)), 16))')

/** Puts a statement together; `account` is the parameter of that name. */
export function compile(fragment: Fragment, account: number | null): Compiled {
  const params: Record<string, unknown> = account === null ? {} : { account }
  let count = 0
  const write = ({ texts: pieces, parts }: Fragment): string =>
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
export const ofAccount = raw('account = {account:Int32}')
