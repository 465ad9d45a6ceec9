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

const EMPTY_SELECTION: RowSelection = { isAll: false, keys: new Set() }

/** Chosen rows that an address holds; more stay in the page. */
const MAX_ADDRESS_KEYS = 100
const ALL_ROWS = 'all'

/** As the address has it: `all`, `all-0001-0002` without two, `0001-0002`; undefined: nothing, or too many. */
export function formatRowSelection({ isAll, keys }: RowSelection): string | undefined {
  if (keys.size > MAX_ADDRESS_KEYS || (!isAll && keys.size === 0)) return undefined
  return [...(isAll ? [ALL_ROWS] : []), ...keys].join('-')
}

export function parseRowSelection(text: string | undefined): RowSelection {
  if (text === undefined || text === '') return EMPTY_SELECTION
  const [firstPart, ...otherKeys] = text.split('-')
  return firstPart === ALL_ROWS
    ? { isAll: true, keys: new Set(otherKeys) }
    : { isAll: false, keys: new Set(text.split('-')) }
}

/** Selection of a table. `address` holds the selection in the address and receives its changes; keys contain no dashes. */
export function useRowSelection(address?: {
  selected: string | undefined
  onSelected(selected: string | undefined): void
}): RowSelectionState {
  const [selection, setSelection] = useState(() => parseRowSelection(address?.selected))
  const text = formatRowSelection(selection)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reported when the selection changes, not when its listener changes.
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
        const nextKeys = new Set(keys)
        if (!nextKeys.delete(key)) nextKeys.add(key)
        setSelection({ isAll, keys: nextKeys })
      },
      add: (addedKeys) => setSelection({ isAll: false, keys: new Set([...keys, ...addedKeys]) }),
      all: () => setSelection({ isAll: true, keys: new Set() }),
      clear: () => setSelection(EMPTY_SELECTION),
    }
  }, [selection])
}
