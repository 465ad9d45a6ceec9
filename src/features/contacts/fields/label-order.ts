import type { ValueList } from './value-list-schemas.ts'

const labelCollator = new Intl.Collator('und', { numeric: true })

/** A list with its values in order: alphabetically when it is ordered, else as given. */
export function sortValueList(list: ValueList): ValueList {
  return list.ordered
    ? { ...list, values: list.values.toSorted((a, b) => labelCollator.compare(a.value, b.value)) }
    : list
}
