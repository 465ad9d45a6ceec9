import { expressionShape } from '../../../scripting/expressions/expression.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import { listShape, mapShape, objectShape, optionalMember } from '../../../scripting/schemas/objects.ts'
import type { DefinitionShape } from '../../../scripting/schemas/shape.ts'
import { referenceShape } from '../../../scripting/schemas/values.ts'
import { defineNodeType } from './node-type.ts'

const MAX_FIELDS = 500
const MAX_SEGMENTS = 100

const valuesShape = mapShape(expressionShape('any'), { most: MAX_FIELDS })

/** Values by field: each name must be that of a field. */
const fieldValuesShape: DefinitionShape<Record<string, ReturnType<typeof valuesShape.read>[string]>> = {
  read: valuesShape.read,
  visit(rawValues, path, visitor) {
    valuesShape.visit?.(rawValues, path, visitor)
    for (const name of Object.keys(rawValues))
      visitor.reference?.('field', name, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  },
}

const segmentIdsMember = optionalMember(listShape(referenceShape<number>('staticSegment'), { most: MAX_SEGMENTS }))

/** Writes fields and memberships of the contact. */
export const updateTargetNode = defineNodeType(
  'updateTarget',
  objectShape(
    {
      fields: optionalMember(fieldValuesShape),
      segments: optionalMember(objectShape({ add: segmentIdsMember, remove: segmentIdsMember })),
    },
    ({ fields, segments }, path, visitor) => {
      const isNothing = Object.keys(fields ?? {}).length === 0 && !segments?.add?.length && !segments?.remove?.length
      if (isNothing)
        visitor.flaw?.(
          createFlaw('missing-setting', path, '"fields" or "segments" is required: there is nothing to write.'),
        )
    },
  ),
  { family: 'contacts', hasFailure: true },
)
