import type { TypedRecord } from '../stepping/records.ts'
import type { Draft } from '../stepping/run-state.ts'
import type { EventRecord } from '../stepping/step.ts'
import { type Surroundings, scopeOf } from '../stepping/visits.ts'
import { passes } from '../waits/search-events.ts'

/** A place in the listed events: behind it are those of a later time, and of the same time those listed behind. */
export interface ListedPlace {
  at: number
  nth: number
}

/** The place of an instant: what is listed at it is behind it. */
export const instantPlace = (at: number): ListedPlace => ({ at, nth: -1 })

/** Something that may happen to a wait or a goal. */
export interface Awaited {
  /** Of the wait within its node; of a goal its node. */
  id: string
  type: string
  since: ListedPlace
  filter: Parameters<typeof passes>[0] | undefined
}

/** What happens in a simulation, by its time: stored events that waits look back to, and those that it is given. */
export class Timeline {
  #events: readonly TypedRecord[]

  constructor(events: readonly EventRecord[]) {
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
  placeOf(event: EventRecord): ListedPlace {
    return { at: event.timestamp, nth: this.#events.findIndex(({ record }) => record === event) }
  }

  #behind({ type, since }: Awaited): EventRecord[] {
    return this.#events.flatMap(({ types, record }, nth) => {
      const isBehind = record.timestamp > since.at || (record.timestamp === since.at && nth > since.nth)
      return types.includes(type) && isBehind ? [record] : []
    })
  }

  /** The first event until now, and before a deadline, that is what is awaited. */
  async first(
    awaited: Awaited,
    draft: Draft,
    { around, until }: { around: Surroundings; until: number | null },
  ): Promise<EventRecord | undefined> {
    for (const event of this.#behind(awaited)) {
      if (event.timestamp > around.now || (until !== null && event.timestamp >= until)) return undefined
      if (awaited.filter && (await passes(awaited.filter, event, () => ({ ...scopeOf(draft, around), event }))))
        return event
    }
    return undefined
  }

  /** When the next event is listed that may be awaited; undefined: none is. */
  nextAfter(now: number, awaited: readonly Awaited[]): number | undefined {
    const next = awaited.flatMap((one) => this.#behind(one).find(({ timestamp }) => timestamp > now)?.timestamp ?? [])
    return next.length === 0 ? undefined : Math.min(...next)
  }
}
