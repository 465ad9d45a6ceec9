import type { ProblemFault } from '../../lib/errors/problem.ts'
import type { DefinitionExpression, ExpressionConstraints } from '../expressions/expression-types.ts'
import type { DefinitionFlaw } from '../flaws.ts'

/*
 * A definition is described by shapes. One description reads what a client sends, fills in defaults, and says what is in
 * it: expressions, nodes it leads to, ids of other things, members that are missing.
 */

/** Location of a value in the parsed definition. Faults of structure are collected. */
export interface DefinitionLocation {
  pointer: string
  reading: DefinitionParseState
}

/** Shared state of parsing one definition. */
export interface DefinitionParseState {
  faults: ProblemFault[]
  /** Unknown members are faults. */
  strict: boolean
  /** Makes an id. */
  makeId(): string
}

/** Kinds of objects that a definition may reference. */
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

/** Requirement for a node that is named but is not a target of a run. */
export type NodeMentionKind = 'any' | 'pause' | 'send'

/** A compilable that is named, with the arguments it is given. */
export interface CompilableCall {
  id: string
  path: string
  given: Readonly<Record<string, DefinitionExpression>> | null
  /** Path of the arguments. */
  givenPath: string
  /** Only a pipeline is possible. */
  isPipeline: boolean
}

/** Told of all that is in a definition. */
export interface DefinitionVisitor {
  expression?(expression: DefinitionExpression, path: string, position: ExpressionConstraints): void
  /** A node that a run may go to. */
  target?(node: string, path: string): void
  /** A node that is named without being gone to. */
  mention?(node: string, path: string, must: NodeMentionKind): void
  reference?(kind: ReferenceKind, id: string | number, path: string): void
  /** A compilable that is executed. */
  call?(call: CompilableCall): void
  /** Criteria, as they were given. */
  criteria?(criteria: unknown, path: string): void
  /** A literal address that is called. */
  address?(url: string, path: string): void
  /** The source of a module. */
  module?(source: string, path: string): void
  flaw?(flaw: DefinitionFlaw): void
}

/** Parser of a kind of value, with its contents. */
export interface DefinitionShape<T> {
  /** The stored form of what was given. Adds faults to the reading; what is returned then is of no use. */
  read(rawValue: unknown, place: DefinitionLocation): T
  visit?(value: T, path: string, visitor: DefinitionVisitor): void
}

/** The value that a shape reads. */
export type ShapeValue<S> = S extends DefinitionShape<infer T> ? T : never

/** Adds a fault of structure. What it gives is never used: a reading with faults is refused. */
export function addStructureFault(place: DefinitionLocation, detail: string): never {
  place.reading.faults.push({ pointer: place.pointer, detail })
  return undefined as never
}
