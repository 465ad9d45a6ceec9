import { createHash } from 'node:crypto'
import { isJsonObject } from '../../../lib/objects.ts'
import {
  computeTimeSpanEnd,
  findFirstInstant,
  type TimeSpan,
  timeSpanLengthMs,
  toLocalDateTime,
} from '../../../lib/time/spans.ts'
import {
  type DefinitionExpression,
  expressionShape,
  RUN_EXPRESSION_ROOTS,
} from '../../../scripting/expressions/expression.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  exactlyOneRule,
  listShape,
  type ObjectRule,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import type { DefinitionShape, ShapeValue } from '../../../scripting/schemas/shape.ts'
import {
  clientIdShape,
  enumShape,
  mentionedNodeShape,
  numberShape,
  targetNodeShape,
  timeSpanShape,
  variableNameShape,
} from '../../../scripting/schemas/values.ts'
import { eventFilterShape, findDefaultCorrelation, type StoredEventFilter } from '../definition/event-filters.ts'
import {
  type EventWait,
  type NodeVisit,
  type RunEventRecord,
  StepFailure,
  toWaitResult,
  type WaitStart,
} from './node-contract.ts'
import { defineNodeType, type NodeEventFilters } from './node-type.ts'
import { planPauseEnd, planTimedPause, requireInstantValue, resolveSettingsZone } from './pause-times.ts'
import { optionalExpression, timeZoneMember, weekdaysShape } from './setting-members.ts'

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]

const sleepSettings = objectShape(
  {
    period: optionalMember(timeSpanShape),
    until: optionalExpression('date'),
    slot: optionalMember(
      objectShape({
        hour: requiredMember(numberShape(0, 23)),
        minute: defaultedMember(numberShape(0, 59), 0),
        daysOfWeek: defaultedMember(weekdaysShape, EVERY_DAY),
        timeZone: timeZoneMember,
      }),
    ),
    spread: optionalMember(timeSpanShape),
  },
  exactlyOneRule('period', 'until', 'slot'),
)
type SleepSettings = ShapeValue<typeof sleepSettings>
type SleepSlot = NonNullable<SleepSettings['slot']>

/** The stable random part of a span that a run sleeps longer: the same whenever its visit is repeated. */
function computeSpreadMs({ run, node, visit }: NodeVisit, spanMs: number): number {
  const digest = createHash('sha256').update(`${run}:${node}:${visit}`).digest()
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * spanMs)
}

/** The next time of day on one of the days. */
function findNextSlotTime({ hour, minute, daysOfWeek }: SleepSlot, now: number, zone: string): number {
  const today = toLocalDateTime(now, zone).toPlainDate()
  for (let daysAhead = 0; daysAhead <= 8; daysAhead++) {
    const day = today.add({ days: daysAhead })
    const slotInstant = findFirstInstant(day.toPlainDateTime({ hour: hour ?? 0, minute }), zone)
    if (slotInstant > now && daysOfWeek.includes(day.dayOfWeek)) return slotInstant
  }
  throw new StepFailure('slot', 'No day of the week is selected.')
}

function computeSleepEnd(visit: NodeVisit<SleepSettings>): number {
  const { period, until, slot } = visit.settings
  if (period) return computeTimeSpanEnd(period, visit.now, visit.zones.contact)
  if (until) return requireInstantValue(visit.value(until))
  return findNextSlotTime(slot!, visit.now, resolveSettingsZone(visit, slot!.timeZone))
}

/** Waits for a span, a date, or a time of day. */
const sleepNode = defineNodeType({
  type: 'sleep',
  isPure: true,
  isPause: true,
  settings: sleepSettings,
  enter(visit) {
    const { spread } = visit.settings
    const spreadMs = spread ? computeSpreadMs(visit, timeSpanLengthMs(spread)) : 0
    return planTimedPause(computeSleepEnd(visit) + spreadMs, visit)
  },
  resumeAfterWait: planPauseEnd,
})

const MAX_WAITS = 20
const MIN_WAITS = 2
const MAX_NODES = 1000

const correlationMember = optionalMember(enumShape('thread', 'send', 'contact', 'none'))

/** A span, or a date: `{until}`. */
const untilShape = objectShape({ until: defaultedMember(expressionShape('date'), { type: 'literal', value: null }) })
const deadlineShape: DefinitionShape<TimeSpan | ReturnType<typeof untilShape.read>> = {
  read: (rawValue, place) =>
    isJsonObject(rawValue) && Object.hasOwn(rawValue, 'until')
      ? untilShape.read(rawValue, place)
      : timeSpanShape.read(rawValue, place),
  visit: (value, path, visitor) => ('until' in value ? untilShape.visit?.(value, path, visitor) : undefined),
}

const namedStartShape = enumShape('previous', 'now', 'send', 'run')
/** From where a wait looks: a place in the run, or a span back. */
const waitStartShape: DefinitionShape<TimeSpan | 'previous' | 'now' | 'send' | 'run'> = {
  read: (rawValue, place) =>
    typeof rawValue === 'string' ? namedStartShape.read(rawValue, place) : timeSpanShape.read(rawValue, place),
}

/** Members of a wait for an event. */
const awaitedMembers = {
  correlation: correlationMember,
  sendNode: optionalMember(mentionedNodeShape('send')),
  since: defaultedMember(waitStartShape, 'previous'),
}
const awaitedEventShape = eventFilterShape(RUN_EXPRESSION_ROOTS)
const waitIdMember = defaultedMember(clientIdShape, ({ reading }) => reading.makeId())

/** Members of a wait for an event in the settings. */
interface AwaitedEvent {
  event: StoredEventFilter | null
  correlation: EventWait['correlation'] | null
  sendNode: string | null
  since: TimeSpan | Exclude<WaitStart, object>
}

function buildEventWait(id: string, { event, correlation, sendNode, since }: AwaitedEvent): EventWait {
  return {
    id,
    event: event!,
    correlation: correlation ?? findDefaultCorrelation(event!.type),
    sendNode,
    since: typeof since === 'string' ? since : { backMs: timeSpanLengthMs(since) },
  }
}

type WaitDeadline = TimeSpan | { until: DefinitionExpression }

/** Computes the end of a deadline (milliseconds). */
function computeDeadline(visit: NodeVisit, deadline: WaitDeadline): number {
  return 'until' in deadline
    ? requireInstantValue(visit.value(deadline.until))
    : computeTimeSpanEnd(deadline, visit.now, visit.zones.contact)
}

/** The filters of several waits, by their ids. */
const listWaitFilters = (waits: readonly { id: string; event: StoredEventFilter | null }[] | null): NodeEventFilters =>
  (waits ?? []).flatMap(({ id, event }): NodeEventFilters => (event ? [[id, event]] : []))

/** Waits for an event or its deadline. */
const waitNode = defineNodeType({
  type: 'wait',
  isPure: true,
  isPause: true,
  awaitsEvents: true,
  settings: objectShape({
    event: requiredMember(awaitedEventShape),
    timeout: optionalMember(deadlineShape),
    timeoutNext: optionalMember(targetNodeShape),
    ...awaitedMembers,
    into: optionalMember(variableNameShape),
  }),
  listEventFilters: ({ event }) => (event ? [['', event]] : []),
  enter(visit) {
    const { timeout, ...awaited } = visit.settings
    const until = timeout && computeDeadline(visit, timeout as WaitDeadline)
    return { type: 'pause', until, waits: [buildEventWait('', awaited)], needed: 'one' }
  },
  resumeAfterWait({ settings: { timeoutNext, into }, next }, wake) {
    if (wake.type === 'events')
      return { type: 'leave', next, outcome: 'done', value: toWaitResult(wake.happened.get('')), into, branch: 'event' }
    return { type: 'leave', next: timeoutNext ?? next, outcome: 'timeout', into, branch: 'timeout' }
  },
})

const requireOneOfThree: ObjectRule<{ event: unknown; period: unknown; until: unknown }> = (value, path, visitor) => {
  const presentValues = [value.event, value.period, value.until].filter((candidateValue) => candidateValue !== null)
  if (presentValues.length === 0)
    visitor.flaw?.(createFlaw('missing-setting', path, 'One of "event", "period", "until" is required.'))
  if (presentValues.length > 1)
    visitor.flaw?.(createFlaw('ambiguous-setting', path, 'Only one of "event", "period", "until" can be given.'))
}

/** The moments of the waits of a race that are no events. */
type WaitMoments = Readonly<Record<string, number>>

/** Finds the earliest result: the event, or a moment at or before it. At the same instant, the order of the settings decides. */
function findWinner(
  ids: readonly string[],
  moments: WaitMoments,
  happened: ReadonlyMap<string, RunEventRecord>,
  now: number,
): string | undefined {
  const readWaitTime = (id: string) => moments[id] ?? happened.get(id)?.timestamp ?? Number.POSITIVE_INFINITY
  const reachedIds = ids.filter((id) => readWaitTime(id) <= now || happened.has(id))
  return reachedIds.toSorted((leftId, rightId) => readWaitTime(leftId) - readWaitTime(rightId))[0]
}

/** Waits for the first of several. */
const waitRaceNode = defineNodeType({
  type: 'wait.race',
  isPure: true,
  isPause: true,
  awaitsEvents: true,
  settings: objectShape({
    waits: requiredMember(
      listShape(
        objectShape(
          {
            id: waitIdMember,
            event: optionalMember(awaitedEventShape),
            period: optionalMember(timeSpanShape),
            until: optionalExpression('date'),
            ...awaitedMembers,
            next: optionalMember(targetNodeShape),
          },
          requireOneOfThree,
        ),
        { least: MIN_WAITS, most: MAX_WAITS, unique: ({ id }) => id },
      ),
    ),
    into: optionalMember(variableNameShape),
  }),
  listEventFilters: ({ waits }) => listWaitFilters(waits),
  enter(visit) {
    const waits = visit.settings.waits!
    const moments = Object.fromEntries(
      waits.flatMap(({ id, period, until }) =>
        period
          ? [[id, computeTimeSpanEnd(period, visit.now, visit.zones.contact)]]
          : until
            ? [[id, requireInstantValue(visit.value(until))]]
            : [],
      ),
    )
    const momentTimes = Object.values(moments)
    const awaited = waits.filter(({ event }) => event !== null)
    return {
      type: 'pause',
      until: momentTimes.length === 0 ? null : Math.min(...momentTimes),
      waits: awaited.map(({ id, ...eventSettings }) => buildEventWait(id, eventSettings)),
      needed: 'one',
      memo: { moments },
    }
  },
  resumeAfterWait({ settings, next, memo, now }, wake) {
    const { moments } = memo as { moments: WaitMoments }
    const happened = wake.type === 'events' ? wake.happened : new Map<string, RunEventRecord>()
    const ids = settings.waits!.map(({ id }) => id)
    const winnerId = findWinner(ids, moments, happened, wake.type === 'released' ? Number.POSITIVE_INFINITY : now)
    const winningWait = settings.waits!.find(({ id }) => id === winnerId)
    const value = {
      id: winnerId ?? null,
      event: (winnerId !== undefined && toWaitResult(happened.get(winnerId))) || null,
    }
    const isMoment = winnerId === undefined || winnerId in moments
    return {
      type: 'leave',
      next: winningWait?.next ?? next,
      outcome: isMoment ? 'timeout' : 'done',
      value,
      into: settings.into,
      branch: winnerId ?? '',
    }
  },
})

/** Waits until each of several events has come. */
const waitAllNode = defineNodeType({
  type: 'wait.all',
  isPure: true,
  isPause: true,
  awaitsEvents: true,
  settings: objectShape({
    waits: requiredMember(
      listShape(objectShape({ id: waitIdMember, event: requiredMember(awaitedEventShape), ...awaitedMembers }), {
        least: MIN_WAITS,
        most: MAX_WAITS,
        unique: ({ id }) => id,
      }),
    ),
    timeout: optionalMember(deadlineShape),
    timeoutNext: optionalMember(targetNodeShape),
    into: optionalMember(variableNameShape),
  }),
  listEventFilters: ({ waits }) => listWaitFilters(waits),
  enter(visit) {
    const { waits, timeout } = visit.settings
    const until = timeout && computeDeadline(visit, timeout as WaitDeadline)
    return {
      type: 'pause',
      until,
      waits: waits!.map(({ id, ...eventSettings }) => buildEventWait(id, eventSettings)),
      needed: 'all',
      memo: {},
    }
  },
  resumeAfterWait({ settings: { timeoutNext, into }, next, happened }, wake) {
    const wakeEvents = wake.type === 'events' ? wake.happened : happened
    const value = Object.fromEntries([...wakeEvents].map(([id, record]) => [id, toWaitResult(record)]))
    if (wake.type === 'events') return { type: 'leave', next, outcome: 'done', value, into, branch: 'event' }
    return { type: 'leave', next: timeoutNext ?? next, outcome: 'timeout', value, into, branch: 'timeout' }
  },
})

/** Ends or releases other runs of the contact that wait. */
const waitKillNode = defineNodeType({
  type: 'wait.kill',
  settings: objectShape({
    nodes: requiredMember(listShape(mentionedNodeShape('pause'), { least: 1, most: MAX_NODES })),
    scope: defaultedMember(enumShape('contact', 'thread'), 'contact'),
    action: defaultedMember(enumShape('kill', 'release'), 'kill'),
    into: optionalMember(variableNameShape),
  }),
  enter: ({ settings: { nodes, scope, action } }) => ({
    type: 'ask',
    ask: { kind: 'killWaiting', nodes: nodes!, scope, action },
  }),
  resumeWithAnswer: ({ settings: { into }, next }, n) => ({ type: 'leave', next, outcome: 'done', value: n, into }),
})

export const waitNodeTypes = [sleepNode, waitNode, waitRaceNode, waitAllNode, waitKillNode]
