import { showScripting } from '../../scripting/scripting-object.ts'
import type { StoredWebtask } from './stored.ts'
import type { WebtaskDocument } from './webtask-schemas.ts'

/** A webtask as it is answered. */
export function showWebtask({
  id,
  name,
  description,
  scripting,
  settings,
  source,
  createdAt,
  updatedAt,
}: StoredWebtask): WebtaskDocument {
  return {
    id,
    name,
    description,
    creationDate: createdAt.toISOString(),
    updateDate: updatedAt.toISOString(),
    scripting: showScripting(scripting),
    settings,
    value: source,
  }
}
