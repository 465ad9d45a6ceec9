import { isJsonObject } from '../../../lib/objects.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  listShape,
  locateMember,
  objectShape,
  optionalMember,
} from '../../../scripting/schemas/objects.ts'
import { addStructureFault, type DefinitionShape, type DefinitionVisitor } from '../../../scripting/schemas/shape.ts'
import { booleanShape, clientIdShape, targetNodeShape, textShape } from '../../../scripting/schemas/values.ts'
import type { StoredWorkflowNode } from './node-type.ts'
import { workflowNodeTypes } from './node-types.ts'

const MAX_NODES = 1000
const MAX_GOALS = 5
const NO_MEMBERS = Object.freeze({})

const commonShape = objectShape({
  id: defaultedMember(clientIdShape, ({ reading }) => reading.makeId()),
  name: optionalMember(textShape({ most: 255 })),
  description: optionalMember(textShape({ most: 4000 })),
  rationale: optionalMember(textShape({ most: 4000 })),
  default: defaultedMember(booleanShape, false),
  next: optionalMember(targetNodeShape),
})

/** Members of any node, so that those of a type are not taken for unknown ones. */
const COMMON_MEMBER_NAMES = ['id', 'name', 'description', 'rationale', 'default', 'next']

const describeNodeTypes = (): string => `must be one of ${[...workflowNodeTypes.keys()].join(', ')}`

/** The target that old clients send in `flow`. */
function findFlowTarget({ next, flow }: Record<string, unknown>): unknown {
  if (next !== undefined && next !== null) return next
  return isJsonObject(flow) ? (flow['value'] ?? null) : null
}

const nodeShape: DefinitionShape<StoredWorkflowNode> = {
  read(rawNode, place) {
    if (!isJsonObject(rawNode)) return addStructureFault(place, 'must be an object')
    const type = typeof rawNode['type'] === 'string' ? workflowNodeTypes.get(rawNode['type']) : undefined
    if (!type) return addStructureFault(locateMember(place, 'type'), describeNodeTypes())
    const ownNames = Object.keys(type.own?.members ?? NO_MEMBERS)
    const commonValues = Object.fromEntries(COMMON_MEMBER_NAMES.map((name) => [name, rawNode[name]]))
    const commonMembers = commonShape.read({ ...commonValues, next: findFlowTarget(rawNode) }, place)
    const typeMembers = type.own?.read(Object.fromEntries(ownNames.map((name) => [name, rawNode[name]])), place)
    const settings = type.settings.read(rawNode['settings'] ?? {}, locateMember(place, 'settings'))
    if (place.reading.strict)
      for (const name of Object.keys(rawNode))
        if (![...COMMON_MEMBER_NAMES, ...ownNames, 'type', 'settings', 'flow'].includes(name))
          addStructureFault(locateMember(place, name), 'is not a member of this object')
    const { next, ...described } = commonMembers ?? {}
    return { type: type.type, ...described, ...typeMembers, settings, next } as StoredWorkflowNode
  },
  visit(value, path, visitor) {
    const type = workflowNodeTypes.get(value.type)
    if (!type) return
    commonShape.visit?.(value as never, path, visitor)
    type.own?.visit?.(value, path, visitor)
    type.settings.visit?.(value.settings, `${path}/settings`, visitor)
  },
}

const nodeArrayShape = listShape(nodeShape, { most: MAX_NODES, unique: ({ id }) => id })

/** The nodes of a workflow, in their order. */
export const nodeListShape: DefinitionShape<StoredWorkflowNode[]> = {
  read: nodeArrayShape.read,
  visit(workflowNodes, path, visitor: DefinitionVisitor) {
    nodeArrayShape.visit?.(workflowNodes, path, visitor)
    const goalIndexes = workflowNodes.flatMap(({ type }, index) => (workflowNodeTypes.get(type)?.isGoal ? [index] : []))
    for (const index of goalIndexes.slice(MAX_GOALS))
      visitor.flaw?.(createFlaw('limit', `${path}/${index}`, `A workflow can have at most ${MAX_GOALS} goals.`))
  },
}
