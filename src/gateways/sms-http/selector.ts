import { memoize } from '../../lib/concurrency/memoize.ts'
import { compileLinearPattern } from '../../lib/text/linear-pattern.ts'
import type { SmsHttpSelector } from './settings.ts'

/** Text, numbers and booleans as text; undefined for an empty text and for anything else. */
export function scalarToText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the value at an RFC 6901 pointer; `undefined` if it does not exist. */
export function findAtPointer(document: unknown, pointer: string): unknown {
  let value = document
  for (const pathSegment of pointer.split('/').slice(1)) {
    const name = pathSegment.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** A text of the provider, parsed as JSON on demand, at most once. */
export interface SmsProviderText {
  text: string
  json: () => unknown
}

export function createSmsProviderText(text: string): SmsProviderText {
  let parsedJson: { value: unknown } | undefined
  return {
    text,
    json() {
      if (parsedJson === undefined) {
        try {
          parsedJson = { value: JSON.parse(text) }
        } catch {
          parsedJson = { value: undefined }
        }
      }
      return parsedJson.value
    },
  }
}

/** Every pattern is tried at every character: of longer answers, this many characters are searched. */
const MAX_SEARCHED_LENGTH = 8192

const getCompiledPattern = memoize(100, compileLinearPattern)

/** Returns the value that a selector matches; `undefined` if there is no match. */
export function selectProviderValue(
  { text, json }: SmsProviderText,
  selector: SmsHttpSelector | undefined,
): string | undefined {
  if (selector === undefined) return undefined
  if ('pointer' in selector) return scalarToText(findAtPointer(json(), selector.pointer))
  return scalarToText(getCompiledPattern(selector.pattern).find(text.slice(0, MAX_SEARCHED_LENGTH))?.trim())
}
