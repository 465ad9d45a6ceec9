import { endOf, lengthOf, type Span } from '../../../lib/time/spans.ts'
import type { Expression } from '../../../scripting/expressions/expression.ts'
import { defaultCorrelation, type EventFilter } from '../definition/event-filters.ts'
import type { SettingsOf } from '../nodes/node-type.ts'
import type { all, kill, race, wait } from '../nodes/waits.ts'
import {
  type EventRecord,
  givenBy,
  type Leave,
  type NodeSteps,
  type Since,
  type Visit,
  type WaitFor,
} from '../stepping/step.ts'
import { instantGiven } from './times.ts'

/** What waits for an event, as settings say it. */
interface Awaited {
  event: EventFilter | null
  correlation: WaitFor['correlation'] | null
  sendNode: string | null
  since: Span | Exclude<Since, object>
}

function waitFor(id: string, { event, correlation, sendNode, since }: Awaited): WaitFor {
  return {
    id,
    event: event!,
    correlation: correlation ?? defaultCorrelation(event!.type),
    sendNode,
    since: typeof since === 'string' ? since : { backMs: lengthOf(since) },
  }
}

type Deadline = Span | { until: Expression }

/** When a deadline ends (milliseconds). */
function deadlineOf(visit: Visit, deadline: Deadline): number {
  return 'until' in deadline
    ? instantGiven(visit.value(deadline.until))
    : endOf(deadline, visit.now, visit.zones.contact)
}

export const waitSteps: NodeSteps<SettingsOf<typeof wait>> = {
  enter(visit) {
    const { timeout, ...awaited } = visit.settings
    const until = timeout && deadlineOf(visit, timeout as Deadline)
    return { type: 'pause', until, waits: [waitFor('', awaited as Awaited)], needed: 'one' }
  },
  woken({ settings: { timeoutNext, into }, next }, wake): Leave {
    if (wake.type === 'events')
      return { type: 'leave', next, outcome: 'done', value: givenBy(wake.happened.get('')), into, branch: 'event' }
    return { type: 'leave', next: timeoutNext ?? next, outcome: 'timeout', into, branch: 'timeout' }
  },
}

/** The moments of the waits of a race that are no events. */
type Moments = Readonly<Record<string, number>>

/** What came first: the event, or a moment at or before it; at one instant the order of the settings decides. */
function winnerOf(
  ids: readonly string[],
  moments: Moments,
  happened: ReadonlyMap<string, EventRecord>,
  now: number,
): string | undefined {
  const at = (id: string) => moments[id] ?? happened.get(id)?.timestamp ?? Number.POSITIVE_INFINITY
  const over = ids.filter((id) => at(id) <= now || happened.has(id))
  return over.toSorted((one, other) => at(one) - at(other))[0]
}

export const raceSteps: NodeSteps<SettingsOf<typeof race>> = {
  enter(visit) {
    const waits = visit.settings.waits!
    const moments = Object.fromEntries(
      waits.flatMap(({ id, period, until }) =>
        period
          ? [[id, endOf(period, visit.now, visit.zones.contact)]]
          : until
            ? [[id, instantGiven(visit.value(until))]]
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
  woken({ settings, next, memo, now }, wake): Leave {
    const { moments } = memo as { moments: Moments }
    const happened = wake.type === 'events' ? wake.happened : new Map<string, EventRecord>()
    const ids = settings.waits!.map(({ id }) => id)
    const first = winnerOf(ids, moments, happened, wake.type === 'released' ? Number.POSITIVE_INFINITY : now)
    const taken = settings.waits!.find(({ id }) => id === first)
    const value = { id: first ?? null, event: (first !== undefined && givenBy(happened.get(first))) || null }
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

export const allSteps: NodeSteps<SettingsOf<typeof all>> = {
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
  woken({ settings: { timeoutNext, into }, next, happened }, wake): Leave {
    const own = wake.type === 'events' ? wake.happened : happened
    const value = Object.fromEntries([...own].map(([id, record]) => [id, givenBy(record)]))
    if (wake.type === 'events') return { type: 'leave', next, outcome: 'done', value, into, branch: 'event' }
    return { type: 'leave', next: timeoutNext ?? next, outcome: 'timeout', value, into, branch: 'timeout' }
  },
}

export const killSteps: NodeSteps<SettingsOf<typeof kill>> = {
  enter: ({ settings: { nodes, scope, action } }) => ({
    type: 'ask',
    ask: { kind: 'killWaiting', nodes: nodes!, scope, action },
  }),
  answered: ({ settings: { into }, next }, n) => ({ type: 'leave', next, outcome: 'done', value: n, into }),
}
