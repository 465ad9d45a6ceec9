import type { ValueList } from './value-list-schemas.ts'

const alphabet = new Intl.Collator('und', { numeric: true })

/** A list whose values stand as it wants them: alphabetically when it is ordered, else in the order given. */
export function inListOrder(list: ValueList): ValueList {
  return list.ordered ? { ...list, values: list.values.toSorted((a, b) => alphabet.compare(a.value, b.value)) } : list
}
