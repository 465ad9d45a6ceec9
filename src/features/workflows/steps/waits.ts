import { computeTimeSpanEnd, type TimeSpan, timeSpanLengthMs } from '../../../lib/time/spans.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression.ts'
import { findDefaultCorrelation, type StoredEventFilter } from '../definition/event-filters.ts'
import type { NodeSettingsOf } from '../nodes/node-type.ts'
import type { waitAllNode, waitKillNode, waitNode, waitRaceNode } from '../nodes/waits.ts'
import {
  type EventWait,
  type LeavePlan,
  type NodeSteps,
  type NodeVisit,
  type RunEventRecord,
  toWaitResult,
  type WaitStart,
} from '../stepping/step.ts'
import { requireInstantValue } from './times.ts'

/** What waits for an event, as settings say it. */
interface Awaited {
  event: StoredEventFilter | null
  correlation: EventWait['correlation'] | null
  sendNode: string | null
  since: TimeSpan | Exclude<WaitStart, object>
}

function waitFor(id: string, { event, correlation, sendNode, since }: Awaited): EventWait {
  return {
    id,
    event: event!,
    correlation: correlation ?? findDefaultCorrelation(event!.type),
    sendNode,
    since: typeof since === 'string' ? since : { backMs: timeSpanLengthMs(since) },
  }
}

type Deadline = TimeSpan | { until: DefinitionExpression }

/** When a deadline ends (milliseconds). */
function deadlineOf(visit: NodeVisit, deadline: Deadline): number {
  return 'until' in deadline
    ? requireInstantValue(visit.value(deadline.until))
    : computeTimeSpanEnd(deadline, visit.now, visit.zones.contact)
}

export const waitSteps: NodeSteps<NodeSettingsOf<typeof waitNode>> = {
  enter(visit) {
    const { timeout, ...awaited } = visit.settings
    const until = timeout && deadlineOf(visit, timeout as Deadline)
    return { type: 'pause', until, waits: [waitFor('', awaited as Awaited)], needed: 'one' }
  },
  woken({ settings: { timeoutNext, into }, next }, wake): LeavePlan {
    if (wake.type === 'events')
      return { type: 'leave', next, outcome: 'done', value: toWaitResult(wake.happened.get('')), into, branch: 'event' }
    return { type: 'leave', next: timeoutNext ?? next, outcome: 'timeout', into, branch: 'timeout' }
  },
}

/** The moments of the waits of a race that are no events. */
type Moments = Readonly<Record<string, number>>

/** What came first: the event, or a moment at or before it; at one instant the order of the settings decides. */
function winnerOf(
  ids: readonly string[],
  moments: Moments,
  happened: ReadonlyMap<string, RunEventRecord>,
  now: number,
): string | undefined {
  const at = (id: string) => moments[id] ?? happened.get(id)?.timestamp ?? Number.POSITIVE_INFINITY
  const over = ids.filter((id) => at(id) <= now || happened.has(id))
  return over.toSorted((one, other) => at(one) - at(other))[0]
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
    const ends = Object.values(moments)
    const awaited = waits.filter(({ event }) => event !== null)
    return {
      type: 'pause',
      until: ends.length === 0 ? null : Math.min(...ends),
      waits: awaited.map(({ id, ...one }) => waitFor(id, one as Awaited)),
      needed: 'one',
      memo: { moments },
    }
  },
  woken({ settings, next, memo, now }, wake): LeavePlan {
    const { moments } = memo as { moments: Moments }
    const happened = wake.type === 'events' ? wake.happened : new Map<string, RunEventRecord>()
    const ids = settings.waits!.map(({ id }) => id)
    const first = winnerOf(ids, moments, happened, wake.type === 'released' ? Number.POSITIVE_INFINITY : now)
    const taken = settings.waits!.find(({ id }) => id === first)
    const value = { id: first ?? null, event: (first !== undefined && toWaitResult(happened.get(first))) || null }
    const isMoment = first === undefined || first in moments
    return {
      type: 'leave',
      next: taken?.next ?? next,
      outcome: isMoment ? 'timeout' : 'done',
      value,
      into: settings.into,
      branch: first ?? '',
    }
  },
}

export const waitAllSteps: NodeSteps<NodeSettingsOf<typeof waitAllNode>> = {
  enter(visit) {
    const { waits, timeout } = visit.settings
    const until = timeout && deadlineOf(visit, timeout as Deadline)
    return {
      type: 'pause',
      until,
      waits: waits!.map(({ id, ...one }) => waitFor(id, one as Awaited)),
      needed: 'all',
      memo: {},
    }
  },
  woken({ settings: { timeoutNext, into }, next, happened }, wake): LeavePlan {
    const own = wake.type === 'events' ? wake.happened : happened
    const value = Object.fromEntries([...own].map(([id, record]) => [id, toWaitResult(record)]))
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
