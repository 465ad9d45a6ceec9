import { useSyncExternalStore } from 'react'

/** A value that the whole page shares. */
export interface SharedStore<T> {
  get(): T
  set(value: T): void
  subscribe(listener: () => void): () => void
}

export function createSharedStore<T>(initial: T): SharedStore<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useSharedStore = <T>(store: SharedStore<T>): T => useSyncExternalStore(store.subscribe, store.get)
