import type { TypedRecord } from '../dispatch/event-records.ts'
import type { RunEventRecord } from '../nodes/node-contract.ts'
import { buildRunScope, type StepContext } from '../run-stepper/node-visit.ts'
import type { WorkflowRunState } from '../run-stepper/run-state.ts'
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
  /** Id of a wait within its node; for a goal, its node. */
  id: string
  type: string
  since: TimelinePosition
  filter: Parameters<typeof isFilterMatch>[0] | undefined
}

/** Events of a simulation in order of time: stored events that waits look back to, and events that are added to it. */
export class SimulationTimeline {
  #events: readonly TypedRecord[]

  constructor(events: readonly RunEventRecord[]) {
    this.#events = []
    this.add(events.map((record) => ({ types: [record.type], record })))
  }

  /** Adds events; those that are there already stay once. */
  add(events: readonly TypedRecord[]): void {
    const knownIds = new Set(this.#events.map(({ record }) => record.id))
    const newEvents = events.filter(({ record }) => !knownIds.has(record.id))
    this.#events = [...newEvents, ...this.#events].toSorted(
      (leftEvent, rightEvent) => leftEvent.record.timestamp - rightEvent.record.timestamp,
    )
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

  /** Finds the time of the next listed event that may match a wait. Returns `undefined` if there is none. */
  nextAfter(now: number, awaited: readonly PendingWait[]): number | undefined {
    const nextTimestamps = awaited.flatMap(
      (pendingWait) => this.#behind(pendingWait).find(({ timestamp }) => timestamp > now)?.timestamp ?? [],
    )
    return nextTimestamps.length === 0 ? undefined : Math.min(...nextTimestamps)
  }
}
