import { expression } from '../../../scripting/expressions/expression.ts'
import { flaw } from '../../../scripting/flaws.ts'
import { list, map, object, optional } from '../../../scripting/schemas/objects.ts'
import type { Shape } from '../../../scripting/schemas/shape.ts'
import { reference } from '../../../scripting/schemas/values.ts'
import { nodeType } from './node-type.ts'

const MAX_FIELDS = 500
const MAX_SEGMENTS = 100

const values = map(expression('any'), { most: MAX_FIELDS })

/** Values by field: each name must be that of a field. */
const fieldValues: Shape<Record<string, ReturnType<typeof values.read>[string]>> = {
  read: values.read,
  visit(given, path, visitor) {
    values.visit?.(given, path, visitor)
    for (const name of Object.keys(given))
      visitor.reference?.('field', name, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  },
}

const segmentIds = optional(list(reference<number>('staticSegment'), { most: MAX_SEGMENTS }))

/** Writes fields and memberships of the contact. */
export const updateTarget = nodeType(
  'updateTarget',
  object(
    { fields: optional(fieldValues), segments: optional(object({ add: segmentIds, remove: segmentIds })) },
    ({ fields, segments }, path, visitor) => {
      const isNothing = Object.keys(fields ?? {}).length === 0 && !segments?.add?.length && !segments?.remove?.length
      if (isNothing)
        visitor.flaw?.(flaw('missing-setting', path, '"fields" or "segments" is required: there is nothing to write.'))
    },
  ),
  { family: 'contacts', hasFailure: true },
)
