import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { PathSyntaxError, parseExpressionPath } from '../../../scripting/expressions/paths.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { CursorAggregate, PipelineCursor } from '../definition/cursors.ts'
import type { CompilableValue, PipelineDefinition } from '../definition/definition.ts'
import type { ExecutionParameter } from '../definition/parameters.ts'
import type { PipelineSource } from '../definition/sources.ts'
import {
  ANY_TYPE,
  createContactType,
  createObjectType,
  eventRowType,
  findTypeAtPath,
  inferLiteralType,
  LIST_TYPE,
  labelValueType,
  type ObjectValueType,
  toParameterValueType,
  type ValueType,
} from './value-types.ts'

/** What types are found by. */
export interface TypeInferenceContext {
  shape: ContactShape
  /** Compilables that are used, and what these use, by their ids. */
  used: ReadonlyMap<string, CompilableValue>
  /** Those that are being looked at. */
  seen?: ReadonlySet<string>
}

/** Types by the roots of paths. */
export type RootTypes = Readonly<Record<string, ValueType>>

const NUMBER: ValueType = { kind: 'number' }
const DATE: ValueType = { kind: 'date' }
const asRow = (type: ValueType): ObjectValueType => (type.kind === 'object' ? type : createObjectType({}))

/** The roots that are not of rows. */
export function listCallRootTypes(parameters: readonly ExecutionParameter[]): RootTypes {
  const known = parameters.map(({ name, type }) => [name ?? '', toParameterValueType(type)] as const)
  return { arguments: { kind: 'object', members: new Map(known) }, now: DATE }
}

function stepsOf(path: string): string[] {
  try {
    return parseExpressionPath(path)
  } catch (error) {
    if (error instanceof PathSyntaxError) return []
    throw error
  }
}

/** The type of what an expression gives. */
export function inferExpressionType({ type, value }: DefinitionExpression, roots: RootTypes): ValueType {
  if (type === 'literal') return inferLiteralType(value)
  if (type === 'template') return { kind: 'text' }
  const [root = '', ...steps] = type === 'path' ? stepsOf(value) : []
  const known = Object.hasOwn(roots, root) ? roots[root] : undefined
  return known ? findTypeAtPath(known, steps) : ANY_TYPE
}

/** The type of the rows of a source. */
export function inferSourceType(source: PipelineSource, facts: TypeInferenceContext): ObjectValueType {
  switch (source.type) {
    case 'targets':
    case 'segment':
      return createContactType(facts.shape.fields)
    case 'events':
      return eventRowType
    case 'valueList':
      return labelValueType
    case 'inline':
      return createObjectType({})
    case 'compilable': {
      const { id } = source
      const { used, seen = new Set() } = facts
      const value = id === null ? undefined : used.get(id)
      if (id === null || value?.type !== 'pipeline' || seen.has(id)) return createObjectType({})
      return inferRowTypes(value, { ...facts, seen: new Set([...seen, id]) }).at(-1)!
    }
  }
}

function aggregateType({ function: name, value }: CursorAggregate, roots: RootTypes): ValueType {
  if (name === 'list') return LIST_TYPE
  if (name !== 'min' && name !== 'max' && name !== 'first' && name !== 'last') return NUMBER
  return value === null ? ANY_TYPE : inferExpressionType(value, roots)
}

function mapped<Given>(
  given: Readonly<Record<string, Given>>,
  typeOf: (one: Given) => ValueType,
): Map<string, ValueType> {
  return new Map(Object.entries(given).map(([name, one]) => [name, typeOf(one)]))
}

/** A row with members beside those it has; without its own id it is that of a contact no more. */
function withMembers(row: ObjectValueType, added: ReadonlyMap<string, ValueType>): ObjectValueType {
  const isContact = row.isContact === true && !added.has('id')
  return { kind: 'object', members: new Map([...row.members, ...added]), isContact }
}

/** The type of the rows that leave a cursor. */
function cursorType(
  cursor: PipelineCursor,
  row: ObjectValueType,
  roots: RootTypes,
  facts: TypeInferenceContext,
): ObjectValueType {
  const typeOf = (one: DefinitionExpression) => inferExpressionType(one, roots)
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
      const type = cursor.many
        ? LIST_TYPE
        : cursor.source
          ? { ...inferSourceType(cursor.source, facts), isContact: false }
          : ANY_TYPE
      return withMembers(row, new Map([[cursor.into ?? '', type]]))
    }
    case 'expand':
      return withMembers(row, new Map([[cursor.into ?? '', ANY_TYPE]]))
    case 'script':
      return createObjectType({})
    default:
      return row
  }
}

/** The types of rows before each cursor, then of those that leave the last one. */
export function inferRowTypes(
  { source, cursors, parameters }: PipelineDefinition,
  facts: TypeInferenceContext,
): ObjectValueType[] {
  const call = listCallRootTypes(parameters)
  const types = [source ? inferSourceType(source, facts) : createObjectType({})]
  for (const cursor of cursors) {
    const row = types.at(-1)!
    types.push(asRow(cursorType(cursor, row, { ...call, row }, facts)))
  }
  return types
}
