import type { Fault } from '../../../lib/errors/problem.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'

/** An id that criteria name, and where. */
export interface Reference {
  id: number
  pointer: string
}

/** The state of reading criteria: all faults are listed together. */
export interface Reading {
  shape: ContactShape
  faults: Fault[]
  leaves: number
  fields: Set<number>
  segments: Reference[]
  /** E-mail and SMS actions. */
  actions: Reference[]
}

/** A position in the criteria of a request. */
export interface Position {
  pointer: string
  reading: Reading
}

/** An object of a request, its members unread. */
export type Given = Readonly<Record<string, unknown>>

const MAX_FAULTS = 100

/** The position of a member or an item. */
export function below(position: Position, name: string | number): Position {
  return { ...position, pointer: `${position.pointer}/${name}` }
}

/** Notes a fault at a position; gives undefined, which stands for what could not be read. */
export function fault({ pointer, reading }: Position, detail: string): undefined {
  if (reading.faults.length < MAX_FAULTS) reading.faults.push({ pointer, detail })
}

/** An object that is no array; undefined for anything else. */
export function objectOf(value: unknown): Given | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

/** One of a few words; anything else is a fault, which lists them. */
export function readWord<Word extends string>(
  value: unknown,
  words: readonly Word[],
  position: Position,
): Word | undefined {
  return words.find((word) => word === value) ?? fault(position, `must be one of ${words.join(', ')}`)
}

/** A whole number within bounds. */
export function readInteger(value: unknown, [min, max]: readonly [number, number], position: Position) {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
  return fits ? value : fault(position, `must be a whole number from ${min} to ${max}`)
}

/** Whether a member was given: null counts as absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
