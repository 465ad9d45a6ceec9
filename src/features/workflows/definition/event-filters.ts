import { isObject } from '../../../lib/objects.ts'
import { type Expression, expression } from '../../../scripting/expressions/expression.ts'
import { type Fields, list, type Member, object, optional, required } from '../../../scripting/schemas/objects.ts'
import { fault, type Shape } from '../../../scripting/schemas/shape.ts'
import { reference, text, uuid, word } from '../../../scripting/schemas/values.ts'
import { listenedTypes, MAX_ITEMS, type MemberRule } from '../../events/kinds/listened-types.ts'

type Members = Record<string, Member<unknown>>

function itemOf(rule: MemberRule): Shape<unknown> {
  if (rule.of === 'ids') return reference<string | number>(rule.what)
  if (rule.of === 'uuids') return uuid
  return rule.of === 'words' ? word(...rule.words) : text({ least: 1, most: rule.most })
}

function memberOf(rule: MemberRule): Member<unknown> {
  const isRequired = 'required' in rule
  const items = list(itemOf(rule), { least: isRequired ? 1 : 0, most: MAX_ITEMS })
  return isRequired ? required(items) : optional(items)
}

const membersOf = (rules: Readonly<Record<string, MemberRule>>): Members =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, memberOf(rule)]))

/** A filter of events as it is stored: the members of its type, null where they match all. */
export interface EventFilter {
  type: string
  filter: Expression | null
  [member: string]: unknown
}

/** How a wait finds its run where it does not say. */
export function defaultCorrelation(type: string): 'thread' | 'contact' {
  const origin = listenedTypes.get(type)?.origin
  return origin === 'notice' || origin === 'custom' ? 'contact' : 'thread'
}

/** A filter of events; its condition can name these roots, the event and the contact. */
export function eventFilter(roots: ReadonlySet<string>): Shape<EventFilter> {
  const filter = optional(expression('condition', { roots }))
  const shapes = new Map(
    [...listenedTypes].map(([type, { members }]) => [
      type,
      object({ ...membersOf(members), filter }) as Shape<Fields<Members>>,
    ]),
  )
  return {
    read(given, place) {
      if (!isObject(given)) return fault(place, 'must be an object')
      const { type, ...members } = given
      const shape = typeof type === 'string' ? shapes.get(type) : undefined
      if (!shape)
        return fault({ ...place, pointer: `${place.pointer}/type` }, `must be one of ${[...shapes.keys()].join(', ')}`)
      return { type: type as string, ...shape.read(members, place) } as EventFilter
    },
    visit(value, path, visitor) {
      shapes.get(value.type)?.visit?.(value, path, visitor)
    },
  }
}
