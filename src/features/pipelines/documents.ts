import type { CompilableDocument } from './compilable-schemas.ts'
import { showCompilableValue } from './reading.ts'
import type { StoredCompilable } from './stored.ts'

/** A compilable as it is answered. */
export function showCompilable(storedCompilable: StoredCompilable): CompilableDocument {
  const { id, name, description, state, value, preview, createdAt, updatedAt } = storedCompilable
  return {
    id,
    name,
    description,
    state,
    stamp: { creation: createdAt.toISOString(), modification: updatedAt.toISOString() },
    value: showCompilableValue(value) as CompilableDocument['value'],
    preview,
  }
}
