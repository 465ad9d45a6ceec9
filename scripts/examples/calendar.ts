import { setTimeout as delay } from 'node:timers/promises'

/** The morning of the story, which lasts one day. */
const FIRST_MOMENT = Date.parse('2026-09-07T08:00:00Z')
/** The time that a call takes in the story. */
const STEP_MS = 30_000
const [MINUTE_MS, QUARTER_MS, HOUR_MS, DAY_MS] = [60_000, 900_000, 3_600_000, 86_400_000]
/** Times farther from the run than this are data of the story, such as birthdays. */
const NEAR_MS = 800 * DAY_MS
/** Distance between two moments, so that nothing of one is dated in the other. */
const GAP_MS = 12
/** Longest time that the story takes. */
const STORY_MS = 120_000
/** Time zone of the shop: days in answers are days there. */
const SHOP_ZONE = 'Europe/Paris'

/** The call in which a time is seen. */
export type StoryMoment = number

/**
 * Translates the times of a run into those of the story, which are the same in every run: what happens during a call happens at the
 * moment of that call.
 */
export interface StoryCalendar {
  /** Begins the next moment. */
  advance(): Promise<StoryMoment>
  /** The time of the run that stands for a later time of the story. */
  timeAhead(storyTime: string): string
  /** Shows a time of the run, such as that of the next Monday, as one of the story. */
  pinTime(runTime: string, storyTime: string): void
  /** The time of a moment. */
  timeOf(moment: StoryMoment): number
  /** Milliseconds of the run as those of the story; `seen`: the moment at which they were first seen. */
  translateTime(ms: number, seen: StoryMoment): number
  translateDay(day: string): string
  /** Returns true if a quarter of an hour began during the story, so that answers by hours or days may differ from those of other runs. */
  hasPassedQuarter(): boolean
}

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const toShopDay = (ms: number): string => new Intl.DateTimeFormat('sv-SE', { timeZone: SHOP_ZONE }).format(ms)
const toQuarter = (ms: number): number => Math.floor(ms / QUARTER_MS)

/** Waits for the next quarter of an hour if the story may not end before it: some answers count by hours or days. */
export async function waitForQuarter(): Promise<void> {
  const remainingMs = QUARTER_MS - (Date.now() % QUARTER_MS)
  if (remainingMs < STORY_MS) await delay(remainingMs)
}

/** Opens the calendar; the run starts now. */
export function openStoryCalendar(): StoryCalendar {
  const runStart = Date.now()
  const dayShift = Math.floor(FIRST_MOMENT / DAY_MS) * DAY_MS - Math.floor(runStart / DAY_MS) * DAY_MS
  const shopDayShift = Date.parse(toShopDay(FIRST_MOMENT)) - Date.parse(toShopDay(runStart))
  const starts: number[] = []
  const chosenTimes = new Map<number, number>()
  const seenTimes = new Map<number, number>()
  const storyTimeOf = (moment: StoryMoment): number => FIRST_MOMENT + moment * STEP_MS
  /** A time before or after the run, by its distance from the call that shows it. */
  function translateDistance(ms: number, seen: StoryMoment): number {
    const known = seenTimes.get(ms)
    if (known !== undefined) return known
    const distance = Math.round((ms - starts[seen]!) / MINUTE_MS) * MINUTE_MS
    const translated = storyTimeOf(seen) + distance
    seenTimes.set(ms, translated)
    return translated
  }
  return {
    async advance() {
      await delay(GAP_MS)
      starts.push(Date.now() - GAP_MS / 2)
      return starts.length - 1
    },
    timeAhead(storyTime) {
      const ms = Date.parse(storyTime)
      chosenTimes.set(ms - dayShift, ms)
      return new Date(ms - dayShift).toISOString()
    },
    pinTime: (runTime, storyTime) => void chosenTimes.set(Date.parse(runTime), Date.parse(storyTime)),
    timeOf: storyTimeOf,
    translateTime(ms, seen) {
      const chosen = chosenTimes.get(ms)
      if (chosen !== undefined) return chosen
      if (Math.abs(ms - runStart) > NEAR_MS) return ms
      if (ms > Date.now()) return translateDistance(ms, seen)
      const moment = ms % QUARTER_MS === 0 ? 0 : starts.findLastIndex((start) => start <= ms)
      if (ms >= runStart - HOUR_MS) return storyTimeOf(Math.max(moment, 0))
      return ms % HOUR_MS === 0 ? ms + dayShift : translateDistance(ms, seen)
    },
    translateDay(day) {
      const ms = Date.parse(day)
      return Number.isNaN(ms) || Math.abs(ms - runStart) > NEAR_MS ? day : toDay(ms + shopDayShift)
    },
    hasPassedQuarter: () => toQuarter(Date.now()) !== toQuarter(runStart),
  }
}
