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
  CRITERIA_ID_RANGE,
  type CriteriaInputObject,
  type CriteriaPosition,
  childCriteriaPosition,
  isCriteriaMemberSet,
  parseCriteriaInteger,
  parseCriteriaWord,
  toCriteriaInputObject,
} from './reading.ts'

const MAX_ACTIONS = 1000
const MAX_EVENT_COUNT = 1_000_000_000
const UNLIMITED = Number.POSITIVE_INFINITY

/** The rule of a count, by operator: a range, or the numbers outside of it. */
const countOperators: Readonly<Record<string, (value: number) => EventCountRange>> = {
  equals: (value) => ({ least: value, most: value, outside: false }),
  notEquals: (value) => ({ least: value, most: value, outside: true }),
  greater: (value) => ({ least: value + 1, most: UNLIMITED, outside: false }),
  greaterOrEqual: (value) => ({ least: value, most: UNLIMITED, outside: false }),
  less: (value) => ({ least: 0, most: value - 1, outside: false }),
  lessOrEqual: (value) => ({ least: 0, most: value, outside: false }),
}

/** The operators of counts. */
export const countOperatorNames: readonly string[] = [...Object.keys(countOperators), 'between']

/** The number of events that a leaf asks for. */
export function toEventCountRange({ operator, value }: NonNullable<EventCriteriaLeaf['count']>): EventCountRange {
  const [min, max = min] = [value].flat()
  if (operator === 'between') return { least: min ?? 0, most: max ?? 0, outside: false }
  return countOperators[operator]?.(min ?? 0) ?? { least: 1, most: UNLIMITED, outside: false }
}

const LINK_TYPES = findEventKinds('hits').map((kind) => kind.slice('hits/'.length))

/** The kinds of a leaf: those its word names, of hits only those of the link. */
export function listLeafKinds({ event, link }: Pick<EventCriteriaLeaf, 'event' | 'link'>): EventKind[] {
  return findEventKinds(event).filter((kind) => link === undefined || kind === `hits/${link}`)
}

function parseCount(countInput: unknown, position: CriteriaPosition): EventCriteriaLeaf['count'] {
  const countObject = toCriteriaInputObject(countInput)
  if (!countObject) return addCriteriaFault(position, 'must be an object with operator and value')
  const operator = parseCriteriaWord(
    countObject['operator'],
    countOperatorNames,
    childCriteriaPosition(position, 'operator'),
  )
  const valuePosition = childCriteriaPosition(position, 'value')
  if (operator !== 'between') {
    const value = parseCriteriaInteger(countObject['value'], [0, MAX_EVENT_COUNT], valuePosition)
    return operator === undefined || value === undefined ? undefined : { operator, value }
  }
  const rangeValues: unknown[] = Array.isArray(countObject['value']) ? countObject['value'] : []
  if (rangeValues.length !== 2)
    return addCriteriaFault(valuePosition, 'must be an array of two whole numbers: [from, to]')
  const [from, to] = rangeValues.map((boundValue, index) =>
    parseCriteriaInteger(boundValue, [0, MAX_EVENT_COUNT], childCriteriaPosition(valuePosition, index)),
  )
  if (from === undefined || to === undefined) return undefined
  return to < from ? addCriteriaFault(valuePosition, 'must not end before it starts') : { operator, value: [from, to] }
}

/** An id of an e-mail or SMS action is a text, one of an RCS action or a notification a number. */
function parseAction(rawAction: unknown, position: CriteriaPosition): string | number | undefined {
  if (typeof rawAction === 'number') return parseCriteriaInteger(rawAction, CRITERIA_ID_RANGE, position)
  const id = typeof rawAction === 'string' ? parseActionId(rawAction.trim()) : undefined
  if (typeof rawAction !== 'string' || id === undefined) {
    return addCriteriaFault(
      position,
      'must be the id of an action, such as "000AB1", or the number of an RCS action or notification',
    )
  }
  position.reading.actions.push({ id, pointer: position.pointer })
  return rawAction.trim().toUpperCase()
}

function parseActions(rawActions: unknown, position: CriteriaPosition): (string | number)[] | undefined {
  if (!Array.isArray(rawActions) || rawActions.length > MAX_ACTIONS) {
    return addCriteriaFault(position, `must be an array of at most ${MAX_ACTIONS} ids`)
  }
  return rawActions.flatMap((rawAction, index) => parseAction(rawAction, childCriteriaPosition(position, index)) ?? [])
}

function parseEvent(leafInput: CriteriaInputObject, position: CriteriaPosition): string {
  const event = leafInput['event']
  if (typeof event === 'string' && findEventKinds(event).length > 0) return event
  addCriteriaFault(
    childCriteriaPosition(position, 'event'),
    'must be an event type, such as hit, or a kind, such as hits/open',
  )
  return ''
}

function parseLink(leafInput: CriteriaInputObject, event: string, position: CriteriaPosition): string | undefined {
  const linkPosition = childCriteriaPosition(position, 'link')
  const link = parseCriteriaWord(leafInput['link'], LINK_TYPES, linkPosition)
  if (link === undefined) return undefined
  return listLeafKinds({ event, link }).length > 0
    ? link
    : addCriteriaFault(linkPosition, `"${event}" has no such link: only hits have links`)
}

function parseChannel(
  leafInput: CriteriaInputObject,
  kinds: readonly EventKind[],
  position: CriteriaPosition,
): EventCriteriaLeaf['channel'] {
  const channelPosition = childCriteriaPosition(position, 'channel')
  const channel = parseCriteriaWord(leafInput['channel'], eventChannels, channelPosition)
  if (channel === undefined || kinds.length === 0) return channel
  const possibleChannels = findKindChannels(kinds)
  return possibleChannels.includes(channel)
    ? channel
    : addCriteriaFault(channelPosition, `such events exist only for ${possibleChannels.join(', ')}`)
}

function parseRobots(rawRobots: unknown, position: CriteriaPosition): boolean | undefined {
  return typeof rawRobots === 'boolean' ? rawRobots : addCriteriaFault(position, 'must be true or false')
}

/** Reads a member that is present. */
function parseOptionalMember<Value>(
  leafInput: CriteriaInputObject,
  name: string,
  position: CriteriaPosition,
  parseMember: (value: unknown, position: CriteriaPosition) => Value | undefined,
): Value | undefined {
  return isCriteriaMemberSet(leafInput[name])
    ? parseMember(leafInput[name], childCriteriaPosition(position, name))
    : undefined
}

function parseEventLeaf(leafInput: CriteriaInputObject, position: CriteriaPosition): EventCriteriaLeaf {
  const event = parseEvent(leafInput, position)
  const link = isCriteriaMemberSet(leafInput['link']) ? parseLink(leafInput, event, position) : undefined
  const channel = isCriteriaMemberSet(leafInput['channel'])
    ? parseChannel(leafInput, listLeafKinds({ event, link }), position)
    : undefined
  const actions = parseOptionalMember(leafInput, 'actions', position, parseActions)
  const period = parseOptionalMember(leafInput, 'period', position, parseCriteriaTimeSpan)
  const count = parseOptionalMember(leafInput, 'count', position, parseCount)
  const robots = parseOptionalMember(leafInput, 'robots', position, parseRobots)
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

function buildActionCondition(actions: readonly (string | number)[]) {
  return {
    addressed: actions.flatMap((id) => (typeof id === 'string' ? (parseActionId(id) ?? []) : [])),
    mobile: actions.filter((id) => typeof id === 'number'),
  }
}

/** Without an upper bound a recent event counts even if the database's clock is ahead of ours. */
function resolvePeriod(period: CriteriaTimeSpan, present: CriteriaPresent): CriteriaInstantBounds {
  const { start, end } = resolveCriteriaTimeSpan(period, present)
  return 'last' in period ? { start } : { start, end }
}

/** The events that a leaf asks for; `isNegated`: those who have them are left out. None, or few, is the opposite of more. */
export function buildEventCountCriterion(
  leaf: EventCriteriaLeaf,
  { account, ...present }: Omit<CriteriaContext, 'events'>,
): { asked: EventCountCriterion; isNegated: boolean } {
  const countRange = toEventCountRange(leaf.count ?? { operator: 'greaterOrEqual', value: 1 })
  const holdsForNone = (countRange.least <= 0 && countRange.most >= 0) !== countRange.outside
  const criterion = {
    account,
    kinds: listLeafKinds(leaf),
    channel: leaf.channel,
    actions: leaf.actions && buildActionCondition(leaf.actions),
    ...(leaf.period && resolvePeriod(leaf.period, present)),
    robots: leaf.robots ?? false,
  }
  return {
    asked: { criterion, count: { ...countRange, outside: countRange.outside !== holdsForNone } },
    isNegated: holdsForNone,
  }
}

/** Events of contacts. */
export const eventLeafKind: CriteriaLeafKind<EventCriteriaLeaf> = {
  read: parseEventLeaf,
  formula(leaf, context): CriteriaFormula {
    const { asked: eventQuery, isNegated } = buildEventCountCriterion(leaf, context)
    return { type: 'set', contacts: context.events(eventQuery), negated: isNegated }
  },
}
