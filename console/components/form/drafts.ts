import { accountId } from '../../api/client.ts'
import { readLocalPreference, storeLocalPreference } from '../../layout/preferences.ts'

/** Unsaved changes, with the version that they are based on. */
export interface UnsavedForm<T> {
  value: T
  etag: string | null
  at: number
}

const buildStorageKey = (name: string): string => `draft.${accountId}.${name}`

/** The draft of a form, if one was left. */
export function readUnsavedForm<T>(name: string): UnsavedForm<T> | null {
  return readLocalPreference<UnsavedForm<T> | null>(buildStorageKey(name), null)
}

export function storeUnsavedForm<T>(name: string, draft: Omit<UnsavedForm<T>, 'at'>): void {
  storeLocalPreference(buildStorageKey(name), { ...draft, at: Date.now() })
}

export function deleteUnsavedForm(name: string): void {
  storeLocalPreference(buildStorageKey(name), undefined)
}
