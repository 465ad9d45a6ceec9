import { computeTimeSpanEnd, type TimeSpan, timeSpanLengthMs } from '../../../lib/time/spans.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import { findDefaultCorrelation, type StoredEventFilter } from '../definition/event-filters.ts'
import {
  type EventWait,
  type LeavePlan,
  type NodeSteps,
  type NodeVisit,
  type RunEventRecord,
  toWaitResult,
  type WaitStart,
} from '../nodes/node-contract.ts'
import type { NodeSettingsOf } from '../nodes/node-type.ts'
import type { waitAllNode, waitKillNode, waitNode, waitRaceNode } from '../nodes/waits.ts'
import { requireInstantValue } from './times.ts'

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

export const waitSteps: NodeSteps<NodeSettingsOf<typeof waitNode>> = {
  enter(visit) {
    const { timeout, ...awaited } = visit.settings
    const until = timeout && computeDeadline(visit, timeout as WaitDeadline)
    return { type: 'pause', until, waits: [buildEventWait('', awaited as AwaitedEvent)], needed: 'one' }
  },
  woken({ settings: { timeoutNext, into }, next }, wake): LeavePlan {
    if (wake.type === 'events')
      return { type: 'leave', next, outcome: 'done', value: toWaitResult(wake.happened.get('')), into, branch: 'event' }
    return { type: 'leave', next: timeoutNext ?? next, outcome: 'timeout', into, branch: 'timeout' }
  },
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

export const waitRaceSteps: NodeSteps<NodeSettingsOf<typeof waitRaceNode>> = {
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
      waits: awaited.map(({ id, ...eventSettings }) => buildEventWait(id, eventSettings as AwaitedEvent)),
      needed: 'one',
      memo: { moments },
    }
  },
  woken({ settings, next, memo, now }, wake): LeavePlan {
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
}

export const waitAllSteps: NodeSteps<NodeSettingsOf<typeof waitAllNode>> = {
  enter(visit) {
    const { waits, timeout } = visit.settings
    const until = timeout && computeDeadline(visit, timeout as WaitDeadline)
    return {
      type: 'pause',
      until,
      waits: waits!.map(({ id, ...eventSettings }) => buildEventWait(id, eventSettings as AwaitedEvent)),
      needed: 'all',
      memo: {},
    }
  },
  woken({ settings: { timeoutNext, into }, next, happened }, wake): LeavePlan {
    const wakeEvents = wake.type === 'events' ? wake.happened : happened
    const value = Object.fromEntries([...wakeEvents].map(([id, record]) => [id, toWaitResult(record)]))
    if (wake.type === 'events') return { type: 'leave', next, outcome: 'done', value, into, branch: 'event' }
    return { type: 'leave', next: timeoutNext ?? next, outcome: 'timeout', value, into, branch: 'timeout' }
  },
}

export const waitKillSteps: NodeSteps<NodeSettingsOf<typeof waitKillNode>> = {
  enter: ({ settings: { nodes, scope, action } }) => ({
    type: 'ask',
    ask: { kind: 'killWaiting', nodes: nodes!, scope, action },
  }),
  answered: ({ settings: { into }, next }, n) => ({ type: 'leave', next, outcome: 'done', value: n, into }),
}
