import { useEffect, useMemo, useState } from 'react'

/** Chosen rows: some by their keys, or all that match but some. */
export interface RowSelection {
  isAll: boolean
  /** The chosen ones; of `isAll` those that are not. */
  keys: ReadonlySet<string>
}

export interface RowSelectionState extends RowSelection {
  has(key: string): boolean
  count(total: number): number
  toggle(key: string): void
  add(keys: readonly string[]): void
  all(): void
  clear(): void
}

const NONE: RowSelection = { isAll: false, keys: new Set() }

/** Chosen rows that an address holds; more stay in the page. */
const IN_ADDRESS = 100
const ALL = 'all'

/** As the address has it: `all`, `all-0001-0002` without two, `0001-0002`; undefined: nothing, or too many. */
export function formatRowSelection({ isAll, keys }: RowSelection): string | undefined {
  if (keys.size > IN_ADDRESS || (!isAll && keys.size === 0)) return undefined
  return [...(isAll ? [ALL] : []), ...keys].join('-')
}

export function parseRowSelection(text: string | undefined): RowSelection {
  if (text === undefined || text === '') return NONE
  const [first, ...others] = text.split('-')
  return first === ALL ? { isAll: true, keys: new Set(others) } : { isAll: false, keys: new Set(text.split('-')) }
}

/** What is selected in a table. `address`: what its address holds of it, and how it is told; keys without dashes. */
export function useRowSelection(address?: {
  selected: string | undefined
  onSelected(selected: string | undefined): void
}): RowSelectionState {
  const [selection, setSelection] = useState(() => parseRowSelection(address?.selected))
  const text = formatRowSelection(selection)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is told when it changes, not when its listener does.
  useEffect(() => {
    if (text !== address?.selected) address?.onSelected(text)
  }, [text])
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
