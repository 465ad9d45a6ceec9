import { useMemo, useState } from 'react'

/** Chosen rows: some by their keys, or all that match but some. */
export interface Selection {
  isAll: boolean
  /** The chosen ones; of `isAll` those that are not. */
  keys: ReadonlySet<string>
}

export interface Selecting extends Selection {
  has(key: string): boolean
  count(total: number): number
  toggle(key: string): void
  add(keys: readonly string[]): void
  all(): void
  clear(): void
}

const NONE: Selection = { isAll: false, keys: new Set() }

/** What is selected in a table. */
export function useSelection(): Selecting {
  const [selection, setSelection] = useState(NONE)
  return useMemo(() => {
    const { isAll, keys } = selection
    return {
      ...selection,
      has: (key) => keys.has(key) !== isAll,
      count: (total) => (isAll ? total - keys.size : keys.size),
      toggle: (key) => {
        const next = new Set(keys)
        if (!next.delete(key)) next.add(key)
        setSelection({ isAll, keys: next })
      },
      add: (more) => setSelection({ isAll: false, keys: new Set([...keys, ...more]) }),
      all: () => setSelection({ isAll: true, keys: new Set() }),
      clear: () => setSelection(NONE),
    }
  }, [selection])
}
