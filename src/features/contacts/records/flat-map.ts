import { appendJsonPointer, invalidRequestProblem, Problem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { buildContactKey, joinUnicity, type StoredFields, type StoredValue } from '../fields/identity.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { ValueFaultKind } from '../values/values.ts'

/** New values by field id; null empties a field, an absent one stays as it is. */
export type ContactPatch = Record<string, StoredValue | null>

/** A fault of a flat map, with its kind as imports and bulk answers name it. */
export interface FlatMapFault extends ProblemFault {
  kind: ValueFaultKind | 'unknown-field' | 'unicity-missing'
}

/** A contact's joined unicity, and the key it is known by. */
export interface ContactIdentity {
  unicity: string
  key: string
}

/**
 * Reads a write body: field ids or names and their new values. All faults are listed: unknown keys, a field given
 * twice, values that cannot be. `base` is the pointer of the map in its body.
 */
export function parseFlatMap(
  shape: ContactShape,
  map: Record<string, unknown>,
  base = '',
): { patch: ContactPatch; faults: FlatMapFault[] } {
  const patch: ContactPatch = {}
  const faults: FlatMapFault[] = []
  for (const [key, value] of Object.entries(map)) {
    const pointer = appendJsonPointer(base, key)
    const field = shape.find(key)
    if (!field) {
      faults.push({
        kind: 'unknown-field',
        pointer,
        detail: `"${key.slice(0, 100)}" is not the id or name of a field`,
      })
    } else if (Object.hasOwn(patch, field.id)) {
      faults.push({ kind: 'invalid-value', pointer, detail: `repeats the field "${field.name}"` })
    } else {
      const parsedValue = shape.reader(field)(value)
      if ('fault' in parsedValue) faults.push({ kind: parsedValue.fault, pointer, detail: parsedValue.detail })
      patch[field.id] = 'fault' in parsedValue ? null : parsedValue.ok
    }
  }
  return { patch, faults }
}

/** The patch of a flat map. Throws 400 with every fault. */
export function requireContactPatch(shape: ContactShape, map: Record<string, unknown>, base = ''): ContactPatch {
  const { patch, faults } = parseFlatMap(shape, map, base)
  if (faults.length > 0) throw invalidRequestProblem(faults.map(({ pointer, detail }) => ({ pointer, detail })))
  return patch
}

/** The values a new contact has from a patch: those that are not empty. */
export function pickFilledValues(patch: ContactPatch): StoredFields {
  const values: StoredFields = {}
  for (const [id, value] of Object.entries(patch)) if (value !== null) values[id] = value
  return values
}

/** Unicity and key of values; a fault when a unicity field is empty or the key too long. */
export function identifyContactValues(shape: ContactShape, values: StoredFields): ContactIdentity | FlatMapFault {
  const unicity = joinUnicity(shape.unicity, values)
  if (unicity === undefined) {
    const missingNames = shape.unicity.filter(({ id }) => values[id] === undefined).map(({ name }) => `"${name}"`)
    return { kind: 'unicity-missing', pointer: '', detail: `needs a value for ${missingNames.join(' and ')}` }
  }
  const key = buildContactKey(shape, unicity)
  return key === undefined
    ? { kind: 'invalid-value', pointer: '', detail: 'the joined unicity values have more than 512 characters' }
    : { unicity, key }
}

/** Unicity and key of values. Throws 400 `unicity-missing`, or 400 for a key that is too long. */
export function requireContactIdentity(shape: ContactShape, values: StoredFields): ContactIdentity {
  const identity = identifyContactValues(shape, values)
  if ('key' in identity) return identity
  const { kind, pointer, detail } = identity
  if (kind === 'unicity-missing')
    throw new Problem(400, kind, `The contact ${detail}.`, { errors: [{ pointer, detail }] })
  throw invalidRequestProblem([{ pointer, detail }])
}

/** Throws 400 for every mandatory field that a new contact lacks: asked for with `Prefer: handling=strict`. */
export function requireMandatoryFields({ fields }: ContactShape, patch: ContactPatch): void {
  const missingFields = fields.filter((field) => field.isMandatory && (patch[field.id] ?? null) === null)
  if (missingFields.length > 0) {
    throw invalidRequestProblem(
      missingFields.map(({ id, name }) => ({ pointer: `/${id}`, detail: `"${name}" is mandatory` })),
    )
  }
}
