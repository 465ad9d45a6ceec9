import type { Expression } from '../../../scripting/expressions/expression-types.ts'
import { PathFault, parsePath } from '../../../scripting/expressions/paths.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { Aggregate, Cursor } from '../definition/cursors.ts'
import type { CompilableValue, Pipeline } from '../definition/definition.ts'
import type { Parameter } from '../definition/parameters.ts'
import type { Source } from '../definition/sources.ts'
import {
  ANY,
  contactType,
  eventType,
  LIST,
  labelType,
  literalType,
  type ObjectType,
  objectOf,
  parameterType,
  typeAt,
  type ValueType,
} from './value-types.ts'

/** What types are found by. */
export interface TypeFacts {
  shape: ContactShape
  /** Compilables that are used, and what these use, by their ids. */
  used: ReadonlyMap<string, CompilableValue>
  /** Those that are being looked at. */
  seen?: ReadonlySet<string>
}

/** Types by the roots of paths. */
export type Roots = Readonly<Record<string, ValueType>>

const NUMBER: ValueType = { kind: 'number' }
const DATE: ValueType = { kind: 'date' }
const asRow = (type: ValueType): ObjectType => (type.kind === 'object' ? type : objectOf({}))

/** The roots that are not of rows. */
export function callRoots(parameters: readonly Parameter[]): Roots {
  const known = parameters.map(({ name, type }) => [name ?? '', parameterType(type)] as const)
  return { arguments: { kind: 'object', members: new Map(known) }, now: DATE }
}

function stepsOf(path: string): string[] {
  try {
    return parsePath(path)
  } catch (error) {
    if (error instanceof PathFault) return []
    throw error
  }
}

/** The type of what an expression gives. */
export function expressionType({ type, value }: Expression, roots: Roots): ValueType {
  if (type === 'literal') return literalType(value)
  if (type === 'template') return { kind: 'text' }
  const [root = '', ...steps] = type === 'path' ? stepsOf(value) : []
  const known = Object.hasOwn(roots, root) ? roots[root] : undefined
  return known ? typeAt(known, steps) : ANY
}

/** The type of the rows of a source. */
export function sourceType(source: Source, facts: TypeFacts): ObjectType {
  switch (source.type) {
    case 'targets':
    case 'segment':
      return contactType(facts.shape.fields)
    case 'events':
      return eventType
    case 'valueList':
      return labelType
    case 'inline':
      return objectOf({})
    case 'compilable': {
      const { id } = source
      const { used, seen = new Set() } = facts
      const value = id === null ? undefined : used.get(id)
      if (id === null || value?.type !== 'pipeline' || seen.has(id)) return objectOf({})
      return rowTypes(value, { ...facts, seen: new Set([...seen, id]) }).at(-1)!
    }
  }
}

function aggregateType({ function: name, value }: Aggregate, roots: Roots): ValueType {
  if (name === 'list') return LIST
  if (name !== 'min' && name !== 'max' && name !== 'first' && name !== 'last') return NUMBER
  return value === null ? ANY : expressionType(value, roots)
}

function mapped<Given>(
  given: Readonly<Record<string, Given>>,
  typeOf: (one: Given) => ValueType,
): Map<string, ValueType> {
  return new Map(Object.entries(given).map(([name, one]) => [name, typeOf(one)]))
}

/** A row with members beside those it has; without its own id it is that of a contact no more. */
function withMembers(row: ObjectType, added: ReadonlyMap<string, ValueType>): ObjectType {
  const isContact = row.isContact === true && !added.has('id')
  return { kind: 'object', members: new Map([...row.members, ...added]), isContact }
}

/** The type of the rows that leave a cursor. */
function cursorType(cursor: Cursor, row: ObjectType, roots: Roots, facts: TypeFacts): ObjectType {
  const typeOf = (one: Expression) => expressionType(one, roots)
  switch (cursor.type) {
    case 'map': {
      const members = mapped(cursor.fields ?? {}, typeOf)
      return cursor.keep ? withMembers(row, members) : { kind: 'object', members }
    }
    case 'group': {
      const aggregates = mapped(cursor.aggregates, (one) => aggregateType(one, roots))
      return { kind: 'object', members: new Map([...mapped(cursor.by, typeOf), ...aggregates]) }
    }
    case 'join': {
      const type = cursor.many ? LIST : cursor.source ? { ...sourceType(cursor.source, facts), isContact: false } : ANY
      return withMembers(row, new Map([[cursor.into ?? '', type]]))
    }
    case 'expand':
      return withMembers(row, new Map([[cursor.into ?? '', ANY]]))
    case 'script':
      return objectOf({})
    default:
      return row
  }
}

/** The types of rows before each cursor, then of those that leave the last one. */
export function rowTypes({ source, cursors, parameters }: Pipeline, facts: TypeFacts): ObjectType[] {
  const call = callRoots(parameters)
  const types = [source ? sourceType(source, facts) : objectOf({})]
  for (const cursor of cursors) {
    const row = types.at(-1)!
    types.push(asRow(cursorType(cursor, row, { ...call, row }, facts)))
  }
  return types
}
