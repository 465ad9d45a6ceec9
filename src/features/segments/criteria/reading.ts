import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { int32IdLimits } from '../../../lib/int32.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'

/** An id that criteria name, and where. */
export interface CriteriaReference {
  id: number
  pointer: string
}

/** The state of reading criteria: all faults are listed together. */
export interface CriteriaParseState {
  shape: ContactShape
  faults: ProblemFault[]
  leaves: number
  fields: Set<number>
  segments: CriteriaReference[]
  /** E-mail and SMS actions. */
  actions: CriteriaReference[]
}

/** A position in the criteria of a request. */
export interface CriteriaPosition {
  pointer: string
  reading: CriteriaParseState
}

/** An object of a request, its members unread. */
export type CriteriaInputObject = Readonly<Record<string, unknown>>

const MAX_FAULTS = 100

/** Range of the ids of segments and actions. */
export const CRITERIA_ID_RANGE: readonly [number, number] = [int32IdLimits.minimum, int32IdLimits.maximum]

/** The position of a member or an item. */
export function childCriteriaPosition(position: CriteriaPosition, name: string | number): CriteriaPosition {
  return { ...position, pointer: `${position.pointer}/${name}` }
}

/** Notes a fault at a position; gives undefined, which stands for what could not be read. */
export function addCriteriaFault({ pointer, reading }: CriteriaPosition, detail: string): undefined {
  if (reading.faults.length < MAX_FAULTS) reading.faults.push({ pointer, detail })
}

/** An object that is no array; undefined for anything else. */
export function toCriteriaInputObject(value: unknown): CriteriaInputObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** One of a few words; anything else is a fault, which lists them. */
export function parseCriteriaWord<Word extends string>(
  value: unknown,
  words: readonly Word[],
  position: CriteriaPosition,
): Word | undefined {
  return words.find((word) => word === value) ?? addCriteriaFault(position, `must be one of ${words.join(', ')}`)
}

/** A whole number within bounds. */
export function parseCriteriaInteger(
  value: unknown,
  [min, max]: readonly [number, number],
  position: CriteriaPosition,
) {
  const isAllowed = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
  return isAllowed ? value : addCriteriaFault(position, `must be a whole number from ${min} to ${max}`)
}

/** True if a member is set: null counts as absent. */
export function isCriteriaMemberSet(value: unknown): boolean {
  return value !== undefined && value !== null
}
