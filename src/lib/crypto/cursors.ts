import { sealWithMasterKey, unsealWithMasterKey } from './seal.ts'
import type { MasterKeys } from './tokens.ts'

/**
 * The text of a cursor (JSON), for one list alone: sealed, as it may hold values that are masked in the list itself.
 * `list` says which one it is, whose, and in what order.
 */
export function sealListCursor(keys: MasterKeys, list: string, value: unknown): string {
  return sealWithMasterKey(keys, JSON.stringify(value), `cursor of ${list}`).toString('base64url')
}

/** The content of a cursor of this list; undefined for an invalid text. */
export function unsealListCursor(keys: MasterKeys, list: string, text: string): unknown {
  try {
    return JSON.parse(unsealWithMasterKey(keys, Buffer.from(text, 'base64url'), `cursor of ${list}`).toString())
  } catch {
    return undefined
  }
}
