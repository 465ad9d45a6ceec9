import { Check } from 'typebox/value'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { ContactSelection, type FlatMap } from '../records/contact-schemas.ts'

/** The same change for every contact of a selection. */
export interface SelectionChange {
  selection: ContactSelection
  fields: FlatMap
}

const forms: Record<string, string> = {
  id: 'must be an array of contact ids, each plain or in an array of its own',
  hash: 'must be an array of hashes',
  unicity: 'must be an array whose items are arrays of strings, or concatenated strings',
  segment: 'must be a segment id, or an array of them',
  search: 'must be {"criteria": …}, with "query" and "except" or without',
}

function isMap(value: unknown): value is FlatMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Distinguishes a change of a selection from a flat map: it has an object `fields` beside a known `type`. Undefined for a flat
 * map; throws 400 for a selection that cannot be read.
 */
export function parseSelectionChange(body: FlatMap): SelectionChange | undefined {
  const { type, fields } = body
  const form = typeof type === 'string' && Object.hasOwn(forms, type) ? forms[type] : undefined
  if (form === undefined || !isMap(fields)) return undefined
  if (!Check(ContactSelection, body)) throw badRequestProblem('/value', form)
  return { selection: body, fields }
}
