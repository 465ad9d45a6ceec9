import type { Fault } from '../../lib/errors/problem.ts'
import type { Expression, ExpressionPosition } from '../expressions/expression-types.ts'
import type { Flaw } from '../flaws.ts'

/*
 * A definition is described by shapes. One description reads what a client sends, fills in defaults, and says what is in
 * it: expressions, nodes it leads to, ids of other things, members that are missing.
 */

/** Where a value stands in what is read. Faults of structure are collected. */
export interface Place {
  pointer: string
  reading: Reading
}

/** What one reading of a definition shares. */
export interface Reading {
  faults: Fault[]
  /** Unknown members are faults. */
  strict: boolean
  /** Makes an id. */
  makeId(): string
}

/** What a definition may name. */
export type ReferenceKind =
  | 'mailMessage'
  | 'smsMessage'
  | 'smsWithText'
  | 'rcsMessage'
  | 'action'
  | 'rcsAction'
  | 'notification'
  | 'sentNotification'
  | 'segment'
  | 'staticSegment'
  | 'field'
  | 'webtask'
  | 'compilable'
  | 'pipeline'
  | 'import'
  | 'valueList'

/** What a node must be that is named without being gone to. */
export type Mention = 'any' | 'pause' | 'send'

/** A compilable that is named, with the arguments it is given. */
export interface Call {
  id: string
  path: string
  given: Readonly<Record<string, Expression>> | null
  /** Where the arguments stand. */
  givenPath: string
  /** Only a pipeline is possible. */
  isPipeline: boolean
}

/** Told of all that is in a definition. */
export interface Visitor {
  expression?(expression: Expression, path: string, position: ExpressionPosition): void
  /** A node that a run may go to. */
  target?(node: string, path: string): void
  /** A node that is named without being gone to. */
  mention?(node: string, path: string, must: Mention): void
  reference?(kind: ReferenceKind, id: string | number, path: string): void
  /** A compilable that is executed. */
  call?(call: Call): void
  /** Criteria, as they were given. */
  criteria?(criteria: unknown, path: string): void
  /** A literal address that is called. */
  address?(url: string, path: string): void
  /** The source of a module. */
  module?(source: string, path: string): void
  flaw?(flaw: Flaw): void
}

/** How a kind of value is read, and what is in it. */
export interface Shape<T> {
  /** The stored form of what was given. Adds faults to the reading; what is returned then is of no use. */
  read(given: unknown, place: Place): T
  visit?(value: T, path: string, visitor: Visitor): void
}

/** The value that a shape reads. */
export type Read<S> = S extends Shape<infer T> ? T : never

/** Adds a fault of structure. What it gives is never used: a reading with faults is refused. */
export function fault(place: Place, detail: string): never {
  place.reading.faults.push({ pointer: place.pointer, detail })
  return undefined as never
}
