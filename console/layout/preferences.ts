import type { MantineColorSchemeManager } from '@mantine/core'
import { createStore, type Store } from '../api/store.ts'

/** What a person chose for this browser. */
export type Scheme = 'auto' | 'light' | 'dark'
export type Rows = 'normal' | 'compact'

const PREFIX = 'stentor.'

/** Reads a kept value; storage may be closed or hold what an older version wrote. */
export function readKept<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(PREFIX + key)
    return text === null ? fallback : (JSON.parse(text) as T)
  } catch {
    return fallback
  }
}

/** Keeps a value in this browser; `undefined` forgets it. */
export function keep(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(PREFIX + key)
    else localStorage.setItem(PREFIX + key, JSON.stringify(value))
  } catch {
    // Nothing is kept where storage is closed or full.
  }
}

function kept<T>(key: string, fallback: T): Store<T> {
  const store = createStore(readKept(key, fallback))
  return {
    ...store,
    set: (value) => {
      keep(key, value)
      store.set(value)
    },
  }
}

export const scheme = kept<Scheme>('scheme', 'auto')
export const rows = kept<Rows>('rows', 'normal')

/** The scheme as the components read it; they put it on the page, and follow the system where it is `auto`. */
export function schemeManager(): MantineColorSchemeManager {
  let leave = (): void => undefined
  return {
    get: () => scheme.get(),
    set: (value) => scheme.set(value),
    subscribe: (changed) => {
      leave = scheme.subscribe(() => changed(scheme.get()))
    },
    unsubscribe: () => leave(),
    clear: () => scheme.set('auto'),
  }
}

/** Puts the choices on the page, and again when they change. */
export function applyPreferences(): void {
  const apply = (): void => {
    document.documentElement.dataset['rows'] = rows.get()
  }
  apply()
  rows.subscribe(apply)
}
