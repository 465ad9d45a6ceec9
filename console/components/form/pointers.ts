/** A JSON document that a form edits. */
export type FormJson =
  | null
  | boolean
  | number
  | string
  | readonly FormJson[]
  | { readonly [key: string]: FormJson | undefined }

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

const escapeToken = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1')

/** The pointer to a member, whatever its name. */
export const memberPointer = (at: string, name: string): string => `${at}/${escapeToken(name)}`

const parsePointer = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapeToken)

/** Returns the value at a pointer (RFC 6901), or `undefined` if it does not exist. */
export function readPointerValue(document: unknown, pointer: string): unknown {
  return parsePointer(pointer).reduce<unknown>(
    (value, token) =>
      value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[token] : undefined,
    document,
  )
}

/** The document with another value at a pointer; what is on the way is made, the rest is shared. */
export function setPointerValue<T>(document: T, pointer: string, value: unknown): T {
  const [token, ...remainingTokens] = parsePointer(pointer)
  if (token === undefined) return value as T
  const remainingPointer = `${remainingTokens.map((part) => `/${escapeToken(part)}`).join('')}`
  if (Array.isArray(document))
    return document.with(Number(token), setPointerValue(document[Number(token)], remainingPointer, value)) as T
  const currentMembers = (document ?? {}) as Record<string, unknown>
  return { ...currentMembers, [token]: setPointerValue(currentMembers[token], remainingPointer, value) } as T
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** True if two documents are equal. Shared parts are not compared; members with the value `undefined` count as absent. */
export function isSameDocument(leftValue: unknown, rightValue: unknown): boolean {
  if (Object.is(leftValue, rightValue)) return true
  if (Array.isArray(leftValue) && Array.isArray(rightValue))
    return (
      leftValue.length === rightValue.length &&
      leftValue.every((value, index) => isSameDocument(value, rightValue[index]))
    )
  if (!isObject(leftValue) || !isObject(rightValue)) return false
  return [...Object.keys(leftValue), ...Object.keys(rightValue)].every((key) =>
    isSameDocument(leftValue[key], rightValue[key]),
  )
}

/** Pointers of what differs between two documents: members one by one, lists as a whole. */
export function listChangedPointers(before: unknown, after: unknown, at = ''): string[] {
  if (Object.is(before, after)) return []
  if (isObject(before) && isObject(after)) {
    const memberNames = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...memberNames].flatMap((key) => listChangedPointers(before[key], after[key], `${at}/${escapeToken(key)}`))
  }
  return isSameDocument(before, after) ? [] : [at]
}
