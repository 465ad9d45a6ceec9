import type { MantineColorSchemeManager } from '@mantine/core'
import { createSharedStore, type SharedStore } from '../api/store.ts'

/** Preferences of the user for this browser. */
export type ColourScheme = 'auto' | 'light' | 'dark'
export type RowDensity = 'normal' | 'compact'

const STORAGE_PREFIX = 'stentor.'

/** Reads a kept value; storage may be closed or hold what an older version wrote. */
export function readLocalPreference<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(STORAGE_PREFIX + key)
    return text === null ? fallback : (JSON.parse(text) as T)
  } catch {
    return fallback
  }
}

/** Keeps a value in this browser; `undefined` forgets it. */
export function storeLocalPreference(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(STORAGE_PREFIX + key)
    else localStorage.setItem(STORAGE_PREFIX + key, JSON.stringify(value))
  } catch {
    // Nothing is kept where storage is closed or full.
  }
}

function createStoredStore<T>(key: string, fallback: T): SharedStore<T> {
  const preferenceStore = createSharedStore(readLocalPreference(key, fallback))
  return {
    ...preferenceStore,
    set: (value) => {
      storeLocalPreference(key, value)
      preferenceStore.set(value)
    },
  }
}

export const colourSchemeStore = createStoredStore<ColourScheme>('scheme', 'auto')
export const rowDensityStore = createStoredStore<RowDensity>('rows', 'normal')

/** The scheme as the components read it; they put it on the page, and follow the system where it is `auto`. */
export function createColourSchemeManager(): MantineColorSchemeManager {
  let doNothing = (): void => undefined
  return {
    get: () => colourSchemeStore.get(),
    set: (value) => colourSchemeStore.set(value),
    subscribe: (changed) => {
      doNothing = colourSchemeStore.subscribe(() => changed(colourSchemeStore.get()))
    },
    unsubscribe: () => doNothing(),
    clear: () => colourSchemeStore.set('auto'),
  }
}

/** Puts the choices on the page, and again when they change. */
export function applyPreferences(): void {
  const applyDensity = (): void => {
    document.documentElement.dataset['rows'] = rowDensityStore.get()
  }
  applyDensity()
  rowDensityStore.subscribe(applyDensity)
}
