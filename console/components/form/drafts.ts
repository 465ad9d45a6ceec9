import { account } from '../../api/client.ts'
import { keep, readKept } from '../../layout/preferences.ts'

/** What was written and not saved, with the version that it was written over. */
export interface Draft<T> {
  value: T
  etag: string | null
  at: number
}

const keyOf = (name: string): string => `draft.${account}.${name}`

/** The draft of a form, if one was left. */
export function readDraft<T>(name: string): Draft<T> | null {
  return readKept<Draft<T> | null>(keyOf(name), null)
}

export function keepDraft<T>(name: string, draft: Omit<Draft<T>, 'at'>): void {
  keep(keyOf(name), { ...draft, at: Date.now() })
}

export function dropDraft(name: string): void {
  keep(keyOf(name), undefined)
}
