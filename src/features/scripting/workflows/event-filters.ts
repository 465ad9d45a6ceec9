import { isObject } from '../../../lib/objects.ts'
import { type Expression, expression } from '../expressions/expression.ts'
import { type Fields, list, type Member, object, optional, required } from '../shapes/objects.ts'
import { fault, type ReferenceKind, type Shape } from '../shapes/shape.ts'
import { reference, text, uuid, word } from '../shapes/values.ts'

const MAX_ITEMS = 100
const ids = (kind: ReferenceKind) => optional(list(reference<string | number>(kind), { most: MAX_ITEMS }))
const texts = optional(list(text({ least: 1, most: 255 }), { most: MAX_ITEMS }))
const words = (...known: string[]) => optional(list(word(...known), { most: MAX_ITEMS }))

type Members = Record<string, Member<unknown>>

const actionIds = { ids: ids('action') }
const rcsIds = { ids: ids('rcsAction') }
const pushes = { ids: ids('notification'), versions: optional(list(uuid, { most: MAX_ITEMS })) }
const display = { campaigns: texts, placements: texts, contents: texts }
const fields = { fields: ids('field') }
const memberships = { segments: required(list(reference<number>('segment'), { least: 1, most: MAX_ITEMS })) }
const applications = { applications: optional(list(uuid, { most: MAX_ITEMS })) }
const answers = { ...actionIds, verdicts: words('hard', 'soft'), kinds: words('stop', 'other') }

/** Where events of a type come from. */
export type Origin = 'action' | 'rcs' | 'notification' | 'display' | 'notice' | 'custom'

function each(origin: Origin, members: object, ...types: string[]): [string, { origin: Origin; members: Members }][] {
  return types.map((type) => [type, { origin, members: members as Members }])
}

const causes = { ...actionIds, causes: texts }

/** Every type of event that can be listened to or waited for: where it comes from, and by what it is filtered. */
export const eventTypes: ReadonlyMap<string, { origin: Origin; members: Members }> = new Map([
  ...each('action', causes, 'action.execution', 'action.activation', 'action.cancellation', 'action.complaint'),
  ...each('action', causes, 'action.delivery', 'action.stop'),
  ...each('action', answers, 'action.bounce', 'action.reply'),
  ...each(
    'action',
    { ...actionIds, kinds: words('open', 'redirection', 'unsubscribe', 'mirror', 'form'), links: texts },
    'action.hit',
  ),
  ...each(
    'rcs',
    rcsIds,
    'rcs.execution',
    'rcs.activation',
    'rcs.cancellation',
    'rcs.bounce',
    'rcs.delivery',
    'rcs.reply',
  ),
  ...each(
    'rcs',
    {
      ...rcsIds,
      kinds: words('read', 'text', 'file', 'location', 'suggestion', 'redirection', 'subscribe', 'unsubscribe'),
      postbacks: texts,
    },
    'rcs.interaction',
  ),
  ...each('notification', pushes, 'notification.execution', 'notification.activation', 'notification.cancellation'),
  ...each('notification', pushes, 'notification.bounce', 'notification.impression', 'notification.optout'),
  ...each('notification', { ...pushes, kinds: words('redirection', 'dismiss') }, 'notification.hit'),
  ...each('display', display, 'display.activation', 'display.hit'),
  ...each('notice', {}, 'target.created', 'target.deleted'),
  ...each('notice', fields, 'target.updated', 'target.bounced'),
  ...each('notice', { channels: words('mail', 'sms') }, 'target.redlisted'),
  ...each('notice', memberships, 'segment.entered', 'segment.left'),
  ...each('notice', applications, 'subscription.created', 'subscription.deleted'),
  ...each('notice', { imports: ids('import') }, 'import.completed'),
  ...each('custom', { names: required(list(text({ least: 1, most: 128 }), { least: 1, most: MAX_ITEMS })) }, 'custom'),
])

/** A filter of events as it is stored: the members of its type, null where they match all. */
export interface EventFilter {
  type: string
  filter: Expression | null
  [member: string]: unknown
}

/** How a wait finds its run where it does not say. */
export function defaultCorrelation(type: string): 'thread' | 'contact' {
  const origin = eventTypes.get(type)?.origin
  return origin === 'notice' || origin === 'custom' ? 'contact' : 'thread'
}

/** A filter of events; its condition can name these roots, the event and the contact. */
export function eventFilter(roots: ReadonlySet<string>): Shape<EventFilter> {
  const filter = optional(expression('condition', { roots }))
  const shapes = new Map(
    [...eventTypes].map(([type, { members }]) => [type, object({ ...members, filter }) as Shape<Fields<Members>>]),
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
