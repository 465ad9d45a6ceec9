import { isObject } from '../../../lib/objects.ts'
import { flaw } from '../../../scripting/flaws.ts'
import { defaulted, list, object, optional, within } from '../../../scripting/schemas/objects.ts'
import { fault, type Shape, type Visitor } from '../../../scripting/schemas/shape.ts'
import { ownId, target, text, truth } from '../../../scripting/schemas/values.ts'
import type { WorkflowNode } from './node-type.ts'
import { nodeTypes } from './node-types.ts'

const MAX_NODES = 1000
const MAX_GOALS = 5
const NOTHING = Object.freeze({})

const common = object({
  id: defaulted(ownId, ({ reading }) => reading.makeId()),
  name: optional(text({ most: 255 })),
  description: optional(text({ most: 4000 })),
  rationale: optional(text({ most: 4000 })),
  default: defaulted(truth, false),
  next: optional(target),
})

/** Members of any node, so that those of a type are not taken for unknown ones. */
const COMMON = ['id', 'name', 'description', 'rationale', 'default', 'next']

const words = (): string => `must be one of ${[...nodeTypes.keys()].join(', ')}`

/** The target that old clients send in `flow`. */
function flowTarget({ next, flow }: Record<string, unknown>): unknown {
  if (next !== undefined && next !== null) return next
  return isObject(flow) ? (flow['value'] ?? null) : null
}

const node: Shape<WorkflowNode> = {
  read(given, place) {
    if (!isObject(given)) return fault(place, 'must be an object')
    const type = typeof given['type'] === 'string' ? nodeTypes.get(given['type']) : undefined
    if (!type) return fault(within(place, 'type'), words())
    const ownNames = Object.keys(type.own?.members ?? NOTHING)
    const shared = Object.fromEntries(COMMON.map((name) => [name, given[name]]))
    const base = common.read({ ...shared, next: flowTarget(given) }, place)
    const own = type.own?.read(Object.fromEntries(ownNames.map((name) => [name, given[name]])), place)
    const settings = type.settings.read(given['settings'] ?? {}, within(place, 'settings'))
    if (place.reading.strict)
      for (const name of Object.keys(given))
        if (![...COMMON, ...ownNames, 'type', 'settings', 'flow'].includes(name))
          fault(within(place, name), 'is not a member of this object')
    const { next, ...described } = base ?? {}
    return { type: type.type, ...described, ...own, settings, next } as WorkflowNode
  },
  visit(value, path, visitor) {
    const type = nodeTypes.get(value.type)
    if (!type) return
    common.visit?.(value as never, path, visitor)
    type.own?.visit?.(value, path, visitor)
    type.settings.visit?.(value.settings, `${path}/settings`, visitor)
  },
}

const listed = list(node, { most: MAX_NODES, unique: ({ id }) => id })

/** The nodes of a workflow, in their order. */
export const nodes: Shape<WorkflowNode[]> = {
  read: listed.read,
  visit(given, path, visitor: Visitor) {
    listed.visit?.(given, path, visitor)
    const goals = given.flatMap(({ type }, index) => (type === 'goal' ? [index] : []))
    for (const index of goals.slice(MAX_GOALS))
      visitor.flaw?.(flaw('limit', `${path}/${index}`, `A workflow has at most ${MAX_GOALS} goals.`))
  },
}
