import { isJsonObject } from '../../../lib/objects.ts'
import { locateMember, toPlainObject } from '../../../scripting/schemas/objects.ts'
import { addStructureFault, type DefinitionLocation } from '../../../scripting/schemas/shape.ts'
import { numberShape } from '../../../scripting/schemas/values.ts'
import type { PreviewOptions } from './definition.ts'

const MAX_PREVIEW_ROWS = 100
const PREVIEW_MEMBERS = ['arguments', 'limit']

export const createPreviewDefaults = (): PreviewOptions => ({ arguments: {}, limit: 10 })

/** Rows that a preview shows. */
export const previewLimitShape = numberShape(1, MAX_PREVIEW_ROWS)

/** Reads `{arguments, limit}`; an object with any other member is the arguments themselves. */
export function parsePreview(
  rawPreview: unknown,
  place: DefinitionLocation,
  storedPreview: PreviewOptions,
): PreviewOptions {
  if (rawPreview === undefined || rawPreview === null) return storedPreview
  const object = toPlainObject(rawPreview)
  if (!object) return addStructureFault(place, 'must be an object')
  if (Object.keys(object).some((name) => !PREVIEW_MEMBERS.includes(name)))
    return { ...createPreviewDefaults(), arguments: object }
  const { arguments: previewArguments = null, limit = null } = object
  const values = previewArguments === null ? {} : toPlainObject(previewArguments)
  if (!values || !isJsonObject(values)) return addStructureFault(locateMember(place, 'arguments'), 'must be an object')
  return {
    arguments: values,
    limit: limit === null ? createPreviewDefaults().limit : previewLimitShape.read(limit, locateMember(place, 'limit')),
  }
}
