import type { MantineColorSchemeManager } from '@mantine/core'
import { createSharedStore, type SharedStore } from '../api/store.ts'

/** What a person chose for this browser. */
export type ColourScheme = 'auto' | 'light' | 'dark'
export type RowDensity = 'normal' | 'compact'

const PREFIX = 'stentor.'

/** Reads a kept value; storage may be closed or hold what an older version wrote. */
export function readLocalPreference<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + key)
    return text === null ? fallback : (JSON.parse(text) as T)
  } catch {
    return fallback
  }
}

/** Keeps a value in this browser; `undefined` forgets it. */
export function storeLocalPreference(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key)
    else localStorage.setItem(PREFIX + key, JSON.stringify(value))
  } catch {
    // Nothing is kept where storage is closed or full.
  }
}

function kept<T>(key: string, fallback: T): SharedStore<T> {
  const store = createSharedStore(readLocalPreference(key, fallback))
  return {
    ...store,
    set: (value) => {
      storeLocalPreference(key, value)
      store.set(value)
    },
  }
}

export const colourSchemeStore = kept<ColourScheme>('scheme', 'auto')
export const rowDensityStore = kept<RowDensity>('rows', 'normal')

/** The scheme as the components read it; they put it on the page, and follow the system where it is `auto`. */
export function createColourSchemeManager(): MantineColorSchemeManager {
  let leave = (): void => undefined
  return {
    get: () => colourSchemeStore.get(),
    set: (value) => colourSchemeStore.set(value),
    subscribe: (changed) => {
      leave = colourSchemeStore.subscribe(() => changed(colourSchemeStore.get()))
    },
    unsubscribe: () => leave(),
    clear: () => colourSchemeStore.set('auto'),
  }
}

/** Puts the choices on the page, and again when they change. */
export function applyPreferences(): void {
  const apply = (): void => {
    document.documentElement.dataset['rows'] = rowDensityStore.get()
  }
  apply()
  rowDensityStore.subscribe(apply)
}
