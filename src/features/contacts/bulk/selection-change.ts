import { Check } from 'typebox/value'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { ContactSelection, type FlatMap } from '../records/contact-schemas.ts'

/** The same change for every contact of a selection. */
export interface SelectionChange {
  selection: ContactSelection
  fields: FlatMap
}

const selectionRules: Record<string, string> = {
  id: 'must be an array of contact ids, each plain or in an array of its own',
  hash: 'must be an array of hashes',
  unicity: 'must be an array whose items are arrays of strings, or concatenated strings',
  segment: 'must be a segment id, or an array of them',
  search: 'must be {"criteria": …}, optionally with "query" and "except"',
}

function isFlatMap(value: unknown): value is FlatMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Parses a change of a selection. It differs from a flat map by an object `fields` in addition to a known `type`. Returns `undefined` for
 * a flat map. Throws 400 for a selection that cannot be read.
 */
export function parseSelectionChange(body: FlatMap): SelectionChange | undefined {
  const { type, fields } = body
  const form = typeof type === 'string' && Object.hasOwn(selectionRules, type) ? selectionRules[type] : undefined
  if (form === undefined || !isFlatMap(fields)) return undefined
  if (!Check(ContactSelection, body)) throw badRequestProblem('/value', form)
  return { selection: body, fields }
}
