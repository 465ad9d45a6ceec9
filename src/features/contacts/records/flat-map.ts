import { type Fault, invalid, Problem, pointerTo } from '../../../lib/errors/problem.ts'
import { keyOf, type StoredFields, type StoredValue, unicityOf } from '../fields/identity.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import type { FaultKind } from '../values/values.ts'

/** New values by field id; null empties a field, an absent one stays as it is. */
export type Patch = Record<string, StoredValue | null>

/** A fault of a flat map, with its kind as imports and bulk answers name it. */
export interface MapFault extends Fault {
  kind: FaultKind | 'unknown-field' | 'unicity-missing'
}

/** A contact's joined unicity, and the key it is known by. */
export interface Identity {
  unicity: string
  key: string
}

/**
 * Reads a write body: field ids or names and their new values. All faults are listed: unknown keys, a field given
 * twice, values that cannot be. `base` is the pointer of the map in its body.
 */
export function readFlatMap(
  shape: ContactShape,
  map: Record<string, unknown>,
  base = '',
): { patch: Patch; faults: MapFault[] } {
  const patch: Patch = {}
  const faults: MapFault[] = []
  for (const [key, value] of Object.entries(map)) {
    const pointer = pointerTo(base, key)
    const field = shape.find(key)
    if (!field) {
      faults.push({
        kind: 'unknown-field',
        pointer,
        detail: `"${key.slice(0, 100)}" is neither id nor name of a field`,
      })
    } else if (Object.hasOwn(patch, field.id)) {
      faults.push({ kind: 'invalid-value', pointer, detail: `gives the field "${field.name}" a second time` })
    } else {
      const reading = shape.reader(field)(value)
      if ('fault' in reading) faults.push({ kind: reading.fault, pointer, detail: reading.detail })
      patch[field.id] = 'fault' in reading ? null : reading.ok
    }
  }
  return { patch, faults }
}

/** The patch of a flat map. Throws 400 with every fault. */
export function requirePatch(shape: ContactShape, map: Record<string, unknown>, base = ''): Patch {
  const { patch, faults } = readFlatMap(shape, map, base)
  if (faults.length > 0) throw invalid(faults.map(({ pointer, detail }) => ({ pointer, detail })))
  return patch
}

/** The values a new contact has from a patch: those that are not empty. */
export function filledValues(patch: Patch): StoredFields {
  const values: StoredFields = {}
  for (const [id, value] of Object.entries(patch)) if (value !== null) values[id] = value
  return values
}

/** Unicity and key of values; a fault when a unicity field is empty or the key too long. */
export function identify(shape: ContactShape, values: StoredFields): Identity | MapFault {
  const unicity = unicityOf(shape.unicity, values)
  if (unicity === undefined) {
    const missing = shape.unicity.filter(({ id }) => values[id] === undefined).map(({ name }) => `"${name}"`)
    return { kind: 'unicity-missing', pointer: '', detail: `needs a value for ${missing.join(' and ')}` }
  }
  const key = keyOf(shape, unicity)
  return key === undefined
    ? { kind: 'invalid-value', pointer: '', detail: 'the joined unicity values have more than 512 characters' }
    : { unicity, key }
}

/** Unicity and key of values. Throws 400 `unicity-missing`, or 400 for a key that is too long. */
export function requireIdentity(shape: ContactShape, values: StoredFields): Identity {
  const identity = identify(shape, values)
  if ('key' in identity) return identity
  const { kind, pointer, detail } = identity
  if (kind === 'unicity-missing')
    throw new Problem(400, kind, `The contact ${detail}.`, { errors: [{ pointer, detail }] })
  throw invalid([{ pointer, detail }])
}

/** Throws 400 for every mandatory field that a new contact lacks: asked for with `Prefer: handling=strict`. */
export function requireMandatory({ fields }: ContactShape, patch: Patch): void {
  const missing = fields.filter((field) => field.isMandatory && (patch[field.id] ?? null) === null)
  if (missing.length > 0) {
    throw invalid(missing.map(({ id, name }) => ({ pointer: `/${id}`, detail: `"${name}" is mandatory` })))
  }
}
