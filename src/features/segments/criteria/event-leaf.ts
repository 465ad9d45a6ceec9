import { readActionId } from '../../../lib/ids.ts'
import { type AskedEvents, channelsOf, type EventCount, kindsNamed } from '../../events/history/criterion.ts'
import { channels, type Kind } from '../../events/kinds/event-kinds.ts'
import type { EventLeaf, Span } from './criteria-types.ts'
import type { Formula } from './formula.ts'
import type { CriteriaContext, LeafKind } from './leaf-kind.ts'
import { type Bounds, boundsOf, type Present } from './moments.ts'
import { span } from './operands.ts'
import { below, fault, type Given, isGiven, objectOf, type Position, readInteger, readWord } from './reading.ts'

const MAX_ACTIONS = 1000
const INT32: readonly [number, number] = [1, 0x7fffffff]
const MAX_EVENTS = 1_000_000_000
const ENDLESS = Number.POSITIVE_INFINITY

/** What a count must be, by operator: a range, or what lies outside of it. */
const counts: Readonly<Record<string, (value: number) => EventCount>> = {
  equals: (value) => ({ least: value, most: value, outside: false }),
  notEquals: (value) => ({ least: value, most: value, outside: true }),
  greater: (value) => ({ least: value + 1, most: ENDLESS, outside: false }),
  greaterOrEqual: (value) => ({ least: value, most: ENDLESS, outside: false }),
  less: (value) => ({ least: 0, most: value - 1, outside: false }),
  lessOrEqual: (value) => ({ least: 0, most: value, outside: false }),
}

/** The number of events that a leaf asks for. */
export function countOf({ operator, value }: NonNullable<EventLeaf['count']>): EventCount {
  const [min, max = min] = [value].flat()
  if (operator === 'between') return { least: min ?? 0, most: max ?? 0, outside: false }
  return counts[operator]?.(min ?? 0) ?? { least: 1, most: ENDLESS, outside: false }
}

const LINK_TYPES = kindsNamed('hits').map((kind) => kind.slice('hits/'.length))

/** The kinds of a leaf: those its word names, of hits only those of the link. */
function kindsOf({ event, link }: Pick<EventLeaf, 'event' | 'link'>): Kind[] {
  return kindsNamed(event).filter((kind) => link === undefined || kind === `hits/${link}`)
}

function readCount(given: unknown, position: Position): EventLeaf['count'] {
  const object = objectOf(given)
  if (!object) return fault(position, 'must be an object with operator and value')
  const operator = readWord(object['operator'], [...Object.keys(counts), 'between'], below(position, 'operator'))
  const at = below(position, 'value')
  if (operator !== 'between') {
    const value = readInteger(object['value'], [0, MAX_EVENTS], at)
    return operator === undefined || value === undefined ? undefined : { operator, value }
  }
  const range: unknown[] = Array.isArray(object['value']) ? object['value'] : []
  if (range.length !== 2) return fault(at, 'must be an array of two whole numbers: [from, to]')
  const [from, to] = range.map((one, index) => readInteger(one, [0, MAX_EVENTS], below(at, index)))
  if (from === undefined || to === undefined) return undefined
  return to < from ? fault(at, 'must not end before it starts') : { operator, value: [from, to] }
}

/** An id of an e-mail or SMS action is a text, one of an RCS action or a notification a number. */
function readAction(given: unknown, position: Position): string | number | undefined {
  if (typeof given === 'number') return readInteger(given, INT32, position)
  const id = typeof given === 'string' ? readActionId(given.trim()) : undefined
  if (typeof given !== 'string' || id === undefined) {
    return fault(
      position,
      'must be the id of an action, such as "000AB1", or the number of an RCS action or notification',
    )
  }
  position.reading.actions.push({ id, pointer: position.pointer })
  return given.trim().toUpperCase()
}

function readActions(given: unknown, position: Position): (string | number)[] | undefined {
  if (!Array.isArray(given) || given.length > MAX_ACTIONS) {
    return fault(position, `must be an array of at most ${MAX_ACTIONS} ids`)
  }
  return given.flatMap((one, index) => readAction(one, below(position, index)) ?? [])
}

function readEvent(given: Given, position: Position): string {
  const event = given['event']
  if (typeof event === 'string' && kindsNamed(event).length > 0) return event
  fault(below(position, 'event'), 'must be a type of events, such as hit, or a kind, such as hits/open')
  return ''
}

function readLink(given: Given, event: string, position: Position): string | undefined {
  const at = below(position, 'link')
  const link = readWord(given['link'], LINK_TYPES, at)
  if (link === undefined) return undefined
  return kindsOf({ event, link }).length > 0 ? link : fault(at, `"${event}" has no such link: links are of hits`)
}

function readChannel(given: Given, kinds: readonly Kind[], position: Position): EventLeaf['channel'] {
  const at = below(position, 'channel')
  const channel = readWord(given['channel'], channels, at)
  if (channel === undefined || kinds.length === 0) return channel
  const possible = channelsOf(kinds)
  return possible.includes(channel) ? channel : fault(at, `such events are of ${possible.join(', ')} only`)
}

function readRobots(given: unknown, position: Position): boolean | undefined {
  return typeof given === 'boolean' ? given : fault(position, 'must be true or false')
}

/** Reads a member that is present. */
function optional<Value>(
  given: Given,
  name: string,
  position: Position,
  read: (value: unknown, position: Position) => Value | undefined,
): Value | undefined {
  return isGiven(given[name]) ? read(given[name], below(position, name)) : undefined
}

function read(given: Given, position: Position): EventLeaf {
  const event = readEvent(given, position)
  const link = isGiven(given['link']) ? readLink(given, event, position) : undefined
  const channel = isGiven(given['channel']) ? readChannel(given, kindsOf({ event, link }), position) : undefined
  const actions = optional(given, 'actions', position, readActions)
  const period = optional(given, 'period', position, span)
  const count = optional(given, 'count', position, readCount)
  const robots = optional(given, 'robots', position, readRobots)
  return {
    type: 'event',
    event,
    ...(channel && { channel }),
    ...(link && { link }),
    ...(actions && { actions }),
    ...(period && { period }),
    ...(count && { count }),
    ...(robots !== undefined && { robots }),
  }
}

function actionNumbers(actions: readonly (string | number)[]) {
  return {
    addressed: actions.flatMap((id) => (typeof id === 'string' ? (readActionId(id) ?? []) : [])),
    mobile: actions.filter((id) => typeof id === 'number'),
  }
}

/** Without an upper bound a recent event counts even if the database's clock is ahead of ours. */
function periodOf(period: Span, present: Present): Bounds {
  const { start, end } = boundsOf(period, present)
  return 'last' in period ? { start } : { start, end }
}

/** The events that a leaf asks for; `isNegated`: those who have them are left out. None, or few, is the opposite of more. */
export function eventsOf(
  leaf: EventLeaf,
  { account, ...present }: Omit<CriteriaContext, 'events'>,
): { asked: AskedEvents; isNegated: boolean } {
  const wanted = countOf(leaf.count ?? { operator: 'greaterOrEqual', value: 1 })
  const holdsForNone = (wanted.least <= 0 && wanted.most >= 0) !== wanted.outside
  const criterion = {
    account,
    kinds: kindsOf(leaf),
    channel: leaf.channel,
    actions: leaf.actions && actionNumbers(leaf.actions),
    ...(leaf.period && periodOf(leaf.period, present)),
    robots: leaf.robots ?? false,
  }
  return {
    asked: { criterion, count: { ...wanted, outside: wanted.outside !== holdsForNone } },
    isNegated: holdsForNone,
  }
}

/** Events of contacts. */
export const eventLeaf: LeafKind<EventLeaf> = {
  read,
  formula(leaf, context): Formula {
    const { asked, isNegated } = eventsOf(leaf, context)
    return { type: 'set', contacts: context.events(asked), negated: isNegated }
  },
}
