import { appendJsonPointer } from '../../../lib/errors/problem.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { listConditionLeaves } from '../definition/conditions.ts'
import type { PipelineCursor, PipelineCursorOf } from '../definition/cursors.ts'
import type { PipelineDefinition } from '../definition/definition.ts'
import { isArgumentPath } from '../definition/expressions.ts'
import { classifyPeriodBound, type PipelineSource } from '../definition/sources.ts'
import { findComparisonFlaws } from './comparisons.ts'
import { countPushableCursors, type UsedCompilables } from './pushable.ts'
import { inferExpressionType, type RootTypes } from './row-types.ts'
import { ANY_TYPE, canEqual, formatValueType, type ObjectValueType, type ValueType } from './value-types.ts'

/** Scope at the position of a cursor. */
export interface CursorCheckScope {
  roots: RootTypes
  row: ObjectValueType
  shape: ContactShape
}

/** Says that an expression does not give what is asked for, if that is known. */
function findTypeMismatch(
  value: unknown,
  path: string,
  roots: RootTypes,
  kinds: readonly ValueType['kind'][],
): DefinitionFlaw[] {
  const { kind } = inferExpressionType(value as DefinitionExpression, roots)
  if (kind === 'any' || kinds.includes(kind)) return []
  return [createFlaw('type-mismatch', path, `This must be ${formatValueType({ kind: kinds[0]! } as ValueType)}.`)]
}

/** Flaws of a source, by the types of its arguments. */
export function findSourceFlaws(source: PipelineSource, path: string, roots: RootTypes): DefinitionFlaw[] {
  if (source.type === 'segment' && isArgumentPath(source.segment))
    return findTypeMismatch(source.segment, `${path}/segment`, roots, ['number'])
  if (source.type === 'inline' && isArgumentPath(source.rows))
    return findTypeMismatch(source.rows, `${path}/rows`, roots, ['list'])
  if (source.type !== 'events') return []
  return (['start', 'end'] as const).flatMap((name) => {
    const bound = source[name]
    const isPath = bound !== null && classifyPeriodBound(bound) === 'expression' && isArgumentPath(bound)
    return isPath ? findTypeMismatch(bound, `${path}/${name}`, roots, ['date', 'text', 'number']) : []
  })
}

function findFilterFlaws(
  { condition }: PipelineCursorOf<'filter'>,
  path: string,
  { roots, row, shape }: CursorCheckScope,
): DefinitionFlaw[] {
  if (condition === null) return []
  const inferType = (expression: DefinitionExpression | null) =>
    expression ? inferExpressionType(expression, roots) : ANY_TYPE
  return listConditionLeaves(condition, `${path}/condition`).flatMap(({ leaf, path: at }) => {
    if (leaf.type === 'compare')
      return findComparisonFlaws(leaf, at, { left: inferType(leaf.left), right: inferType(leaf.right), shape })
    if (leaf.type === 'criteria' && !row.isContact)
      return [createFlaw('type-mismatch', at, 'Criteria apply to contacts, but the rows are no longer contacts.')]
    return []
  })
}

function findGroupFlaws(
  { aggregates }: PipelineCursorOf<'group'>,
  path: string,
  { roots }: CursorCheckScope,
): DefinitionFlaw[] {
  return Object.entries(aggregates).flatMap(([name, { function: summing, value }]) =>
    value !== null && (summing === 'sum' || summing === 'avg')
      ? findTypeMismatch(value, `${appendJsonPointer(`${path}/aggregates`, name)}/value`, roots, ['number'])
      : [],
  )
}

function findJoinFlaws({ on }: PipelineCursorOf<'join'>, path: string, { roots }: CursorCheckScope): DefinitionFlaw[] {
  if (!on?.left || !on.right) return []
  const [leftType, rightType] = [inferExpressionType(on.left, roots), inferExpressionType(on.right, roots)]
  if (canEqual(leftType, rightType)) return []
  return [
    createFlaw(
      'type-mismatch',
      `${path}/on/right`,
      `This is ${formatValueType(rightType)}, which never equals ${formatValueType(leftType)}.`,
    ),
  ]
}

/** Flaws of a cursor, by the types of its input. */
export function findCursorFlaws(cursor: PipelineCursor, path: string, facts: CursorCheckScope): DefinitionFlaw[] {
  switch (cursor.type) {
    case 'filter':
      return findFilterFlaws(cursor, path, facts)
    case 'limit':
      return (['count', 'offset'] as const).flatMap((name) =>
        isArgumentPath(cursor[name]) ? findTypeMismatch(cursor[name], `${path}/${name}`, facts.roots, ['number']) : [],
      )
    case 'group':
      return findGroupFlaws(cursor, path, facts)
    case 'join':
      return findJoinFlaws(cursor, path, facts)
    case 'expand':
      return cursor.value ? findTypeMismatch(cursor.value, `${path}/value`, facts.roots, ['list']) : []
    default:
      return []
  }
}

const HOLDING_CURSOR_TYPES: readonly PipelineCursor['type'][] = ['sort', 'group', 'distinct', 'join']

/** Cursors that hold rows in memory, because they or those before them cannot go to the database. */
export function findInMemoryFlaws(pipeline: PipelineDefinition, usedCompilables: UsedCompilables): DefinitionFlaw[] {
  const pushedCount = Math.max(0, countPushableCursors(pipeline, usedCompilables))
  return pipeline.cursors.flatMap(({ type }, index) =>
    index >= pushedCount && HOLDING_CURSOR_TYPES.includes(type)
      ? [createFlaw('in-memory', `/value/cursors/${index}`, `The ${type} runs in memory, with at most 100,000 rows.`)]
      : [],
  )
}
