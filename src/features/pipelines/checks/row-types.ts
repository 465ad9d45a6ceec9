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

/** Context for inferring types. */
export interface TypeInferenceContext {
  shape: ContactShape
  /** Compilables that are used, and what these use, by their ids. */
  used: ReadonlyMap<string, CompilableValue>
  /** Those that are being looked at. */
  seen?: ReadonlySet<string>
}

/** Types by the roots of paths. */
export type RootTypes = Readonly<Record<string, ValueType>>

const NUMBER_TYPE: ValueType = { kind: 'number' }
const DATE_TYPE: ValueType = { kind: 'date' }
const toRowType = (type: ValueType): ObjectValueType => (type.kind === 'object' ? type : createObjectType({}))

/** The roots that are not of rows. */
export function listCallRootTypes(parameters: readonly ExecutionParameter[]): RootTypes {
  const parameterTypes = parameters.map(({ name, type }) => [name ?? '', toParameterValueType(type)] as const)
  return { arguments: { kind: 'object', members: new Map(parameterTypes) }, now: DATE_TYPE }
}

function parsePathSteps(path: string): string[] {
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
  const [rootName = '', ...steps] = type === 'path' ? parsePathSteps(value) : []
  const rootType = Object.hasOwn(roots, rootName) ? roots[rootName] : undefined
  return rootType ? findTypeAtPath(rootType, steps) : ANY_TYPE
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
      const { used: usedCompilables, seen: visitedIds = new Set() } = facts
      const value = id === null ? undefined : usedCompilables.get(id)
      if (id === null || value?.type !== 'pipeline' || visitedIds.has(id)) return createObjectType({})
      return inferRowTypes(value, { ...facts, seen: new Set([...visitedIds, id]) }).at(-1)!
    }
  }
}

function inferAggregateType({ function: name, value }: CursorAggregate, roots: RootTypes): ValueType {
  if (name === 'list') return LIST_TYPE
  if (name !== 'min' && name !== 'max' && name !== 'first' && name !== 'last') return NUMBER_TYPE
  return value === null ? ANY_TYPE : inferExpressionType(value, roots)
}

function mapTypes<Given>(
  namedValues: Readonly<Record<string, Given>>,
  typeOf: (namedValue: Given) => ValueType,
): Map<string, ValueType> {
  return new Map(Object.entries(namedValues).map(([name, namedValue]) => [name, typeOf(namedValue)]))
}

/** Row type with additional members; if its own id is replaced, it is no longer that of a contact. */
function addMembers(row: ObjectValueType, added: ReadonlyMap<string, ValueType>): ObjectValueType {
  const isContact = row.isContact === true && !added.has('id')
  return { kind: 'object', members: new Map([...row.members, ...added]), isContact }
}

/** The type of the rows that leave a cursor. */
function inferCursorType(
  cursor: PipelineCursor,
  row: ObjectValueType,
  roots: RootTypes,
  facts: TypeInferenceContext,
): ObjectValueType {
  const inferType = (expression: DefinitionExpression) => inferExpressionType(expression, roots)
  switch (cursor.type) {
    case 'map': {
      const members = mapTypes(cursor.fields ?? {}, inferType)
      return cursor.keep ? addMembers(row, members) : { kind: 'object', members }
    }
    case 'group': {
      const aggregates = mapTypes(cursor.aggregates, (aggregate) => inferAggregateType(aggregate, roots))
      return { kind: 'object', members: new Map([...mapTypes(cursor.by, inferType), ...aggregates]) }
    }
    case 'join': {
      const type = cursor.many
        ? LIST_TYPE
        : cursor.source
          ? { ...inferSourceType(cursor.source, facts), isContact: false }
          : ANY_TYPE
      return addMembers(row, new Map([[cursor.into ?? '', type]]))
    }
    case 'expand':
      return addMembers(row, new Map([[cursor.into ?? '', ANY_TYPE]]))
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
  const callRoots = listCallRootTypes(parameters)
  const rowTypes = [source ? inferSourceType(source, facts) : createObjectType({})]
  for (const cursor of cursors) {
    const row = rowTypes.at(-1)!
    rowTypes.push(toRowType(inferCursorType(cursor, row, { ...callRoots, row }, facts)))
  }
  return rowTypes
}
