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
const NOTHING = Object.freeze({})

const common = objectShape({
  id: defaultedMember(clientIdShape, ({ reading }) => reading.makeId()),
  name: optionalMember(textShape({ most: 255 })),
  description: optionalMember(textShape({ most: 4000 })),
  rationale: optionalMember(textShape({ most: 4000 })),
  default: defaultedMember(booleanShape, false),
  next: optionalMember(targetNodeShape),
})

/** Members of any node, so that those of a type are not taken for unknown ones. */
const COMMON = ['id', 'name', 'description', 'rationale', 'default', 'next']

const words = (): string => `must be one of ${[...workflowNodeTypes.keys()].join(', ')}`

/** The target that old clients send in `flow`. */
function flowTarget({ next, flow }: Record<string, unknown>): unknown {
  if (next !== undefined && next !== null) return next
  return isJsonObject(flow) ? (flow['value'] ?? null) : null
}

const node: DefinitionShape<StoredWorkflowNode> = {
  read(given, place) {
    if (!isJsonObject(given)) return addStructureFault(place, 'must be an object')
    const type = typeof given['type'] === 'string' ? workflowNodeTypes.get(given['type']) : undefined
    if (!type) return addStructureFault(locateMember(place, 'type'), words())
    const ownNames = Object.keys(type.own?.members ?? NOTHING)
    const shared = Object.fromEntries(COMMON.map((name) => [name, given[name]]))
    const base = common.read({ ...shared, next: flowTarget(given) }, place)
    const own = type.own?.read(Object.fromEntries(ownNames.map((name) => [name, given[name]])), place)
    const settings = type.settings.read(given['settings'] ?? {}, locateMember(place, 'settings'))
    if (place.reading.strict)
      for (const name of Object.keys(given))
        if (![...COMMON, ...ownNames, 'type', 'settings', 'flow'].includes(name))
          addStructureFault(locateMember(place, name), 'is not a member of this object')
    const { next, ...described } = base ?? {}
    return { type: type.type, ...described, ...own, settings, next } as StoredWorkflowNode
  },
  visit(value, path, visitor) {
    const type = workflowNodeTypes.get(value.type)
    if (!type) return
    common.visit?.(value as never, path, visitor)
    type.own?.visit?.(value, path, visitor)
    type.settings.visit?.(value.settings, `${path}/settings`, visitor)
  },
}

const listed = listShape(node, { most: MAX_NODES, unique: ({ id }) => id })

/** The nodes of a workflow, in their order. */
export const nodeListShape: DefinitionShape<StoredWorkflowNode[]> = {
  read: listed.read,
  visit(given, path, visitor: DefinitionVisitor) {
    listed.visit?.(given, path, visitor)
    const goals = given.flatMap(({ type }, index) => (type === 'goal' ? [index] : []))
    for (const index of goals.slice(MAX_GOALS))
      visitor.flaw?.(createFlaw('limit', `${path}/${index}`, `A workflow has at most ${MAX_GOALS} goals.`))
  },
}
