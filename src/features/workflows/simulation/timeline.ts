import type { TypedRecord } from '../stepping/records.ts'
import type { WorkflowRunState } from '../stepping/run-state.ts'
import type { RunEventRecord } from '../stepping/step.ts'
import { buildRunScope, type StepContext } from '../stepping/visits.ts'
import { isFilterMatch } from '../waits/search-events.ts'

/** A place in the listed events: behind it are those of a later time, and of the same time those listed behind. */
export interface TimelinePosition {
  at: number
  nth: number
}

/** The place of an instant: what is listed at it is behind it. */
export const createTimelinePosition = (at: number): TimelinePosition => ({ at, nth: -1 })

/** Something that may happen to a wait or a goal. */
export interface PendingWait {
  /** Of the wait within its node; of a goal its node. */
  id: string
  type: string
  since: TimelinePosition
  filter: Parameters<typeof isFilterMatch>[0] | undefined
}

/** What happens in a simulation, by its time: stored events that waits look back to, and those that it is given. */
export class SimulationTimeline {
  #events: readonly TypedRecord[]

  constructor(events: readonly RunEventRecord[]) {
    this.#events = []
    this.add(events.map((record) => ({ types: [record.type], record })))
  }

  /** Adds events; those that are there already stay once. */
  add(events: readonly TypedRecord[]): void {
    const known = new Set(this.#events.map(({ record }) => record.id))
    const fresh = events.filter(({ record }) => !known.has(record.id))
    this.#events = [...fresh, ...this.#events].toSorted((one, other) => one.record.timestamp - other.record.timestamp)
  }

  /** The place behind an event. */
  placeOf(event: RunEventRecord): TimelinePosition {
    return { at: event.timestamp, nth: this.#events.findIndex(({ record }) => record === event) }
  }

  #behind({ type, since }: PendingWait): RunEventRecord[] {
    return this.#events.flatMap(({ types, record }, nth) => {
      const isBehind = record.timestamp > since.at || (record.timestamp === since.at && nth > since.nth)
      return types.includes(type) && isBehind ? [record] : []
    })
  }

  /** The first event until now, and before a deadline, that is what is awaited. */
  async first(
    awaited: PendingWait,
    draft: WorkflowRunState,
    { around, until }: { around: StepContext; until: number | null },
  ): Promise<RunEventRecord | undefined> {
    for (const event of this.#behind(awaited)) {
      if (event.timestamp > around.now || (until !== null && event.timestamp >= until)) return undefined
      if (
        awaited.filter &&
        (await isFilterMatch(awaited.filter, event, () => ({ ...buildRunScope(draft, around), event })))
      )
        return event
    }
    return undefined
  }

  /** When the next event is listed that may be awaited; undefined: none is. */
  nextAfter(now: number, awaited: readonly PendingWait[]): number | undefined {
    const next = awaited.flatMap((one) => this.#behind(one).find(({ timestamp }) => timestamp > now)?.timestamp ?? [])
    return next.length === 0 ? undefined : Math.min(...next)
  }
}
