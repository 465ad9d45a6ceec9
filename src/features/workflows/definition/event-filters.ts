import { isJsonObject } from '../../../lib/objects.ts'
import { type DefinitionExpression, expressionShape } from '../../../scripting/expressions/expression.ts'
import {
  listShape,
  type ObjectMember,
  type ObjectMemberValues,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import { addStructureFault, type DefinitionShape } from '../../../scripting/schemas/shape.ts'
import { enumShape, referenceShape, textShape, uuidShape } from '../../../scripting/schemas/values.ts'
import { type EventFilterRule, listenedEventTypes, MAX_EVENT_FILTER_ITEMS } from '../../events/kinds/listened-types.ts'

type ShapeMembers = Record<string, ObjectMember<unknown>>

function createItemShape(rule: EventFilterRule): DefinitionShape<unknown> {
  if (rule.of === 'ids') return referenceShape<string | number>(rule.what)
  if (rule.of === 'uuids') return uuidShape
  return rule.of === 'words' ? enumShape(...rule.words) : textShape({ least: 1, most: rule.most })
}

function createRuleMember(rule: EventFilterRule): ObjectMember<unknown> {
  const isRequired = 'required' in rule
  const items = listShape(createItemShape(rule), { least: isRequired ? 1 : 0, most: MAX_EVENT_FILTER_ITEMS })
  return isRequired ? requiredMember(items) : optionalMember(items)
}

const createRuleMembers = (rules: Readonly<Record<string, EventFilterRule>>): ShapeMembers =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, createRuleMember(rule)]))

/** A filter of events as it is stored: the members of its type, null where they match all. */
export interface StoredEventFilter {
  type: string
  filter: DefinitionExpression | null
  [member: string]: unknown
}

/** Finds how a wait matches its run if the wait does not specify it. */
export function findDefaultCorrelation(type: string): 'thread' | 'contact' {
  const origin = listenedEventTypes.get(type)?.origin
  return origin === 'notice' || origin === 'custom' ? 'contact' : 'thread'
}

/** A filter of events; its condition can name these roots, the event and the contact. */
export function eventFilterShape(roots: ReadonlySet<string>): DefinitionShape<StoredEventFilter> {
  const filter = optionalMember(expressionShape('condition', { roots }))
  const shapes = new Map(
    [...listenedEventTypes].map(([type, { members }]) => [
      type,
      objectShape({ ...createRuleMembers(members), filter }) as DefinitionShape<ObjectMemberValues<ShapeMembers>>,
    ]),
  )
  return {
    read(rawValue, place) {
      if (!isJsonObject(rawValue)) return addStructureFault(place, 'must be an object')
      const { type, ...members } = rawValue
      const shape = typeof type === 'string' ? shapes.get(type) : undefined
      if (!shape)
        return addStructureFault(
          { ...place, pointer: `${place.pointer}/type` },
          `must be one of ${[...shapes.keys()].join(', ')}`,
        )
      return { type: type as string, ...shape.read(members, place) } as StoredEventFilter
    },
    visit(value, path, visitor) {
      shapes.get(value.type)?.visit?.(value, path, visitor)
    },
  }
}
