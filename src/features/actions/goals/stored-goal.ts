import type { ConversionCounts } from '../../../lib/beta-distribution.ts'

/** Event selection: a type, and optional lists of the objects it concerns. */
export type GoalEvent = { type: string } & { readonly [member: string]: string | readonly (string | number)[] }

/** A time that is compared for. */
export interface ExperimentDuration {
  unit: 'MINUTE' | 'HOUR' | 'DAY' | 'WEEK'
  value: number
}

/** A goal as it is kept. */
export interface StoredGoal {
  event: GoalEvent
  within: ExperimentDuration
}

/** Counts of a goal by the numbers of versions, and of those held out. */
export interface GoalCounts {
  versions: Readonly<Record<string, ConversionCounts>>
  heldOut: ConversionCounts
}

/** A list of a goal's event; undefined where it matches all. */
export function findGoalEventList(event: GoalEvent, name: string): readonly (string | number)[] | undefined {
  const list = event[name]
  return Array.isArray(list) && list.length > 0 ? list : undefined
}
