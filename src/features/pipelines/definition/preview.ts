import { isObject } from '../../../lib/objects.ts'
import { asObject, within } from '../../../scripting/schemas/objects.ts'
import { fault, type Place } from '../../../scripting/schemas/shape.ts'
import { number } from '../../../scripting/schemas/values.ts'
import type { Preview } from './definition.ts'

const MAX_ROWS = 100
const MEMBERS = ['arguments', 'limit']

export const newPreview = (): Preview => ({ arguments: {}, limit: 10 })

/** Rows that a preview shows. */
export const previewLimit = number(1, MAX_ROWS)

/** Reads `{arguments, limit}`; an object with any other member is the arguments themselves. */
export function readPreview(given: unknown, place: Place, kept: Preview): Preview {
  if (given === undefined || given === null) return kept
  const object = asObject(given)
  if (!object) return fault(place, 'must be an object')
  if (Object.keys(object).some((name) => !MEMBERS.includes(name))) return { ...newPreview(), arguments: object }
  const { arguments: own = null, limit = null } = object
  const values = own === null ? {} : asObject(own)
  if (!values || !isObject(values)) return fault(within(place, 'arguments'), 'must be an object')
  return {
    arguments: values,
    limit: limit === null ? newPreview().limit : previewLimit.read(limit, within(place, 'limit')),
  }
}
