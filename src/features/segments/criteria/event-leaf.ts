import { parseActionId } from '../../../lib/ids.ts'
import {
  type EventCountCriterion,
  type EventCountRange,
  findEventKinds,
  findKindChannels,
} from '../../events/history/criterion.ts'
import { type EventKind, eventChannels } from '../../events/kinds/event-kinds.ts'
import type { CriteriaTimeSpan, EventCriteriaLeaf } from './criteria-types.ts'
import type { CriteriaFormula } from './formula.ts'
import type { CriteriaContext, CriteriaLeafKind } from './leaf-kind.ts'
import { type CriteriaInstantBounds, type CriteriaPresent, resolveCriteriaTimeSpan } from './moments.ts'
import { parseCriteriaTimeSpan } from './operands.ts'
import {
  addCriteriaFault,
  type CriteriaInputObject,
  type CriteriaPosition,
  childCriteriaPosition,
  isCriteriaMemberSet,
  parseCriteriaInteger,
  parseCriteriaWord,
  toCriteriaInputObject,
} from './reading.ts'

const MAX_ACTIONS = 1000
const INT32: readonly [number, number] = [1, 0x7fffffff]
const MAX_EVENTS = 1_000_000_000
const ENDLESS = Number.POSITIVE_INFINITY

/** What a count must be, by operator: a range, or what lies outside of it. */
const counts: Readonly<Record<string, (value: number) => EventCountRange>> = {
  equals: (value) => ({ least: value, most: value, outside: false }),
  notEquals: (value) => ({ least: value, most: value, outside: true }),
  greater: (value) => ({ least: value + 1, most: ENDLESS, outside: false }),
  greaterOrEqual: (value) => ({ least: value, most: ENDLESS, outside: false }),
  less: (value) => ({ least: 0, most: value - 1, outside: false }),
  lessOrEqual: (value) => ({ least: 0, most: value, outside: false }),
}

/** The number of events that a leaf asks for. */
export function toEventCountRange({ operator, value }: NonNullable<EventCriteriaLeaf['count']>): EventCountRange {
  const [min, max = min] = [value].flat()
  if (operator === 'between') return { least: min ?? 0, most: max ?? 0, outside: false }
  return counts[operator]?.(min ?? 0) ?? { least: 1, most: ENDLESS, outside: false }
}

const LINK_TYPES = findEventKinds('hits').map((kind) => kind.slice('hits/'.length))

/** The kinds of a leaf: those its word names, of hits only those of the link. */
function kindsOf({ event, link }: Pick<EventCriteriaLeaf, 'event' | 'link'>): EventKind[] {
  return findEventKinds(event).filter((kind) => link === undefined || kind === `hits/${link}`)
}

function readCount(given: unknown, position: CriteriaPosition): EventCriteriaLeaf['count'] {
  const object = toCriteriaInputObject(given)
  if (!object) return addCriteriaFault(position, 'must be an object with operator and value')
  const operator = parseCriteriaWord(
    object['operator'],
    [...Object.keys(counts), 'between'],
    childCriteriaPosition(position, 'operator'),
  )
  const at = childCriteriaPosition(position, 'value')
  if (operator !== 'between') {
    const value = parseCriteriaInteger(object['value'], [0, MAX_EVENTS], at)
    return operator === undefined || value === undefined ? undefined : { operator, value }
  }
  const range: unknown[] = Array.isArray(object['value']) ? object['value'] : []
  if (range.length !== 2) return addCriteriaFault(at, 'must be an array of two whole numbers: [from, to]')
  const [from, to] = range.map((one, index) =>
    parseCriteriaInteger(one, [0, MAX_EVENTS], childCriteriaPosition(at, index)),
  )
  if (from === undefined || to === undefined) return undefined
  return to < from ? addCriteriaFault(at, 'must not end before it starts') : { operator, value: [from, to] }
}

/** An id of an e-mail or SMS action is a text, one of an RCS action or a notification a number. */
function readAction(given: unknown, position: CriteriaPosition): string | number | undefined {
  if (typeof given === 'number') return parseCriteriaInteger(given, INT32, position)
  const id = typeof given === 'string' ? parseActionId(given.trim()) : undefined
  if (typeof given !== 'string' || id === undefined) {
    return addCriteriaFault(
      position,
      'must be the id of an action, such as "000AB1", or the number of an RCS action or notification',
    )
  }
  position.reading.actions.push({ id, pointer: position.pointer })
  return given.trim().toUpperCase()
}

function readActions(given: unknown, position: CriteriaPosition): (string | number)[] | undefined {
  if (!Array.isArray(given) || given.length > MAX_ACTIONS) {
    return addCriteriaFault(position, `must be an array of at most ${MAX_ACTIONS} ids`)
  }
  return given.flatMap((one, index) => readAction(one, childCriteriaPosition(position, index)) ?? [])
}

function readEvent(given: CriteriaInputObject, position: CriteriaPosition): string {
  const event = given['event']
  if (typeof event === 'string' && findEventKinds(event).length > 0) return event
  addCriteriaFault(
    childCriteriaPosition(position, 'event'),
    'must be a type of events, such as hit, or a kind, such as hits/open',
  )
  return ''
}

function readLink(given: CriteriaInputObject, event: string, position: CriteriaPosition): string | undefined {
  const at = childCriteriaPosition(position, 'link')
  const link = parseCriteriaWord(given['link'], LINK_TYPES, at)
  if (link === undefined) return undefined
  return kindsOf({ event, link }).length > 0
    ? link
    : addCriteriaFault(at, `"${event}" has no such link: links are of hits`)
}

function readChannel(
  given: CriteriaInputObject,
  kinds: readonly EventKind[],
  position: CriteriaPosition,
): EventCriteriaLeaf['channel'] {
  const at = childCriteriaPosition(position, 'channel')
  const channel = parseCriteriaWord(given['channel'], eventChannels, at)
  if (channel === undefined || kinds.length === 0) return channel
  const possible = findKindChannels(kinds)
  return possible.includes(channel) ? channel : addCriteriaFault(at, `such events are of ${possible.join(', ')} only`)
}

function readRobots(given: unknown, position: CriteriaPosition): boolean | undefined {
  return typeof given === 'boolean' ? given : addCriteriaFault(position, 'must be true or false')
}

/** Reads a member that is present. */
function optional<Value>(
  given: CriteriaInputObject,
  name: string,
  position: CriteriaPosition,
  read: (value: unknown, position: CriteriaPosition) => Value | undefined,
): Value | undefined {
  return isCriteriaMemberSet(given[name]) ? read(given[name], childCriteriaPosition(position, name)) : undefined
}

function read(given: CriteriaInputObject, position: CriteriaPosition): EventCriteriaLeaf {
  const event = readEvent(given, position)
  const link = isCriteriaMemberSet(given['link']) ? readLink(given, event, position) : undefined
  const channel = isCriteriaMemberSet(given['channel'])
    ? readChannel(given, kindsOf({ event, link }), position)
    : undefined
  const actions = optional(given, 'actions', position, readActions)
  const period = optional(given, 'period', position, parseCriteriaTimeSpan)
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
    addressed: actions.flatMap((id) => (typeof id === 'string' ? (parseActionId(id) ?? []) : [])),
    mobile: actions.filter((id) => typeof id === 'number'),
  }
}

/** Without an upper bound a recent event counts even if the database's clock is ahead of ours. */
function periodOf(period: CriteriaTimeSpan, present: CriteriaPresent): CriteriaInstantBounds {
  const { start, end } = resolveCriteriaTimeSpan(period, present)
  return 'last' in period ? { start } : { start, end }
}

/** The events that a leaf asks for; `isNegated`: those who have them are left out. None, or few, is the opposite of more. */
export function buildEventCountCriterion(
  leaf: EventCriteriaLeaf,
  { account, ...present }: Omit<CriteriaContext, 'events'>,
): { asked: EventCountCriterion; isNegated: boolean } {
  const wanted = toEventCountRange(leaf.count ?? { operator: 'greaterOrEqual', value: 1 })
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
export const eventLeafKind: CriteriaLeafKind<EventCriteriaLeaf> = {
  read,
  formula(leaf, context): CriteriaFormula {
    const { asked, isNegated } = buildEventCountCriterion(leaf, context)
    return { type: 'set', contacts: context.events(asked), negated: isNegated }
  },
}
