/** A JSON document that a form edits. */
export type FormJson =
  | null
  | boolean
  | number
  | string
  | readonly FormJson[]
  | { readonly [key: string]: FormJson | undefined }

const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

const escaped = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1')

/** The pointer to a member, whatever its name. */
export const memberPointer = (at: string, name: string): string => `${at}/${escaped(name)}`

const tokensOf = (pointer: string): string[] => pointer.split('/').slice(1).map(unescaped)

/** What stands at a pointer (RFC 6901); undefined: nothing. */
export function readPointerValue(document: unknown, pointer: string): unknown {
  return tokensOf(pointer).reduce<unknown>(
    (value, token) =>
      value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[token] : undefined,
    document,
  )
}

/** The document with another value at a pointer; what is on the way is made, the rest is shared. */
export function setPointerValue<T>(document: T, pointer: string, value: unknown): T {
  const [token, ...rest] = tokensOf(pointer)
  if (token === undefined) return value as T
  const below = `${rest.map((part) => `/${escaped(part)}`).join('')}`
  if (Array.isArray(document))
    return document.with(Number(token), setPointerValue(document[Number(token)], below, value)) as T
  const before = (document ?? {}) as Record<string, unknown>
  return { ...before, [token]: setPointerValue(before[token], below, value) } as T
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Whether two documents say the same; parts that they share are not looked into, members of undefined are none. */
export function isSameDocument(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isSameDocument(value, other[index]))
  if (!isObject(one) || !isObject(other)) return false
  return [...Object.keys(one), ...Object.keys(other)].every((key) => isSameDocument(one[key], other[key]))
}

/** Pointers of what differs between two documents: members one by one, lists as a whole. */
export function listChangedPointers(before: unknown, after: unknown, at = ''): string[] {
  if (Object.is(before, after)) return []
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...keys].flatMap((key) => listChangedPointers(before[key], after[key], `${at}/${escaped(key)}`))
  }
  return isSameDocument(before, after) ? [] : [at]
}
