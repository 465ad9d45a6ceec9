import type { Compilable } from './compilable-schemas.ts'
import { showValue } from './reading.ts'
import type { StoredCompilable } from './stored.ts'

/** A compilable as it is answered. */
export function showCompilable(stored: StoredCompilable): Compilable {
  const { id, name, description, state, value, preview, createdAt, updatedAt } = stored
  return {
    ...{ id, name, description, state },
    stamp: { creation: createdAt.toISOString(), modification: updatedAt.toISOString() },
    value: showValue(value) as Compilable['value'],
    preview,
  }
}
