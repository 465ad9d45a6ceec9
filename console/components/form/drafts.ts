import { accountId } from '../../api/client.ts'
import { readLocalPreference, storeLocalPreference } from '../../layout/preferences.ts'

/** What was written and not saved, with the version that it was written over. */
export interface UnsavedForm<T> {
  value: T
  etag: string | null
  at: number
}

const keyOf = (name: string): string => `draft.${accountId}.${name}`

/** The draft of a form, if one was left. */
export function readUnsavedForm<T>(name: string): UnsavedForm<T> | null {
  return readLocalPreference<UnsavedForm<T> | null>(keyOf(name), null)
}

export function storeUnsavedForm<T>(name: string, draft: Omit<UnsavedForm<T>, 'at'>): void {
  storeLocalPreference(keyOf(name), { ...draft, at: Date.now() })
}

export function deleteUnsavedForm(name: string): void {
  storeLocalPreference(keyOf(name), undefined)
}
