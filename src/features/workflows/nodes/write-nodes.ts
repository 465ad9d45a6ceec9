import { type DefinitionExpression, expressionShape } from '../../../scripting/expressions/expression.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import { listShape, mapShape, objectShape, optionalMember } from '../../../scripting/schemas/objects.ts'
import type { DefinitionShape } from '../../../scripting/schemas/shape.ts'
import { referenceShape } from '../../../scripting/schemas/values.ts'
import { CUSTOM_EVENT_NAME, findPublishFault } from '../../script-host/writes/publishing.ts'
import { StepFailure } from './node-contract.ts'
import { defineNodeType } from './node-type.ts'
import { requiredExpression } from './setting-members.ts'

const MAX_FIELDS = 500
const MAX_SEGMENTS = 100

const valuesShape = mapShape(expressionShape('any'), { most: MAX_FIELDS })

/** Values by field: each name must be that of a field. */
const fieldValuesShape: DefinitionShape<Record<string, DefinitionExpression>> = {
  read: valuesShape.read,
  visit(rawValues, path, visitor) {
    valuesShape.visit?.(rawValues, path, visitor)
    for (const name of Object.keys(rawValues))
      visitor.reference?.('field', name, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  },
}

const segmentIdsMember = optionalMember(listShape(referenceShape<number>('staticSegment'), { most: MAX_SEGMENTS }))

/** Writes fields and memberships of the contact. */
const updateTargetNode = defineNodeType({
  type: 'updateTarget',
  hasFailure: true,
  settings: objectShape(
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
  enter(visit) {
    const { fields, segments } = visit.settings
    if (visit.contact === null) throw new StepFailure('no receiver', 'The run has no contact.')
    const values = Object.entries(fields ?? {}).map(([field, value]) => [field, visit.value(value)] as const)
    return {
      type: 'ask',
      ask: {
        kind: 'updateTarget',
        fields: Object.fromEntries(values),
        add: segments?.add ?? [],
        remove: segments?.remove ?? [],
      },
    }
  },
  resumeWithAnswer: ({ next }) => ({ type: 'leave', next, outcome: 'done' }),
})

/** Writes an event of one's own. Its members are at the node itself. */
const publishNode = defineNodeType({
  type: 'publish',
  hasFailure: true,
  settings: objectShape({}),
  own: objectShape({
    event: requiredExpression('string', { plain: true, most: 128, pattern: CUSTOM_EVENT_NAME }),
    data: optionalMember(expressionShape('object')),
  }),
  enter(visit) {
    const { event, data: dataExpression } = visit.settings
    const name = visit.value(event!)
    const data = (dataExpression && visit.value(dataExpression)) ?? {}
    const fault = findPublishFault(name, data)
    if (fault) throw new StepFailure(fault.type, fault.message)
    return { type: 'ask', ask: { kind: 'publish', name: name as string, data: data as Record<string, unknown> } }
  },
  resumeWithAnswer: ({ next }) => ({ type: 'leave', next, outcome: 'done' }),
})

export const writeNodeTypes = [updateTargetNode, publishNode]
