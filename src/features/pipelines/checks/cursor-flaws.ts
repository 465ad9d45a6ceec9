import { pointerTo } from '../../../lib/errors/problem.ts'
import type { Expression } from '../../../scripting/expressions/expression-types.ts'
import { type Flaw, flaw } from '../../../scripting/flaws.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import { leavesOf } from '../definition/conditions.ts'
import type { Cursor, CursorOf } from '../definition/cursors.ts'
import type { Pipeline } from '../definition/definition.ts'
import { isArgument } from '../definition/expressions.ts'
import { boundKind, type Source } from '../definition/sources.ts'
import { comparisonFlaws } from './comparisons.ts'
import { pushableCursors, type Used } from './pushable.ts'
import { expressionType, type Roots } from './row-types.ts'
import { ANY, canEqual, type ObjectType, type ValueType, wordsOf } from './value-types.ts'

/** What is known where a cursor stands. */
export interface CursorFacts {
  roots: Roots
  row: ObjectType
  shape: ContactShape
}

/** Says that an expression does not give what is asked for, if that is known. */
function mismatch(value: unknown, path: string, roots: Roots, kinds: readonly ValueType['kind'][]): Flaw[] {
  const { kind } = expressionType(value as Expression, roots)
  if (kind === 'any' || kinds.includes(kind)) return []
  return [flaw('type-mismatch', path, `This must be ${wordsOf({ kind: kinds[0]! } as ValueType)}.`)]
}

/** What is wrong with a source by the types of arguments. */
export function sourceFlaws(source: Source, path: string, roots: Roots): Flaw[] {
  if (source.type === 'segment' && isArgument(source.segment))
    return mismatch(source.segment, `${path}/segment`, roots, ['number'])
  if (source.type === 'inline' && isArgument(source.rows)) return mismatch(source.rows, `${path}/rows`, roots, ['list'])
  if (source.type !== 'events') return []
  return (['start', 'end'] as const).flatMap((name) => {
    const bound = source[name]
    const isPath = bound !== null && boundKind(bound) === 'expression' && isArgument(bound)
    return isPath ? mismatch(bound, `${path}/${name}`, roots, ['date', 'text', 'number']) : []
  })
}

function filterFlaws({ condition }: CursorOf<'filter'>, path: string, { roots, row, shape }: CursorFacts): Flaw[] {
  if (condition === null) return []
  const typeOf = (one: Expression | null) => (one ? expressionType(one, roots) : ANY)
  return leavesOf(condition, `${path}/condition`).flatMap(({ leaf, path: at }) => {
    if (leaf.type === 'compare')
      return comparisonFlaws(leaf, at, { left: typeOf(leaf.left), right: typeOf(leaf.right), shape })
    if (leaf.type === 'criteria' && !row.isContact)
      return [flaw('type-mismatch', at, 'Criteria are of contacts: the rows are none any more.')]
    return []
  })
}

function groupFlaws({ aggregates }: CursorOf<'group'>, path: string, { roots }: CursorFacts): Flaw[] {
  return Object.entries(aggregates).flatMap(([name, { function: summing, value }]) =>
    value !== null && (summing === 'sum' || summing === 'avg')
      ? mismatch(value, `${pointerTo(`${path}/aggregates`, name)}/value`, roots, ['number'])
      : [],
  )
}

function joinFlaws({ on }: CursorOf<'join'>, path: string, { roots }: CursorFacts): Flaw[] {
  if (!on?.left || !on.right) return []
  const [left, right] = [expressionType(on.left, roots), expressionType(on.right, roots)]
  if (canEqual(left, right)) return []
  return [flaw('type-mismatch', `${path}/on/right`, `What is ${wordsOf(right)} never equals ${wordsOf(left)}.`)]
}

/** What is wrong with a cursor by the types of what it is given. */
export function cursorFlaws(cursor: Cursor, path: string, facts: CursorFacts): Flaw[] {
  switch (cursor.type) {
    case 'filter':
      return filterFlaws(cursor, path, facts)
    case 'limit':
      return (['count', 'offset'] as const).flatMap((name) =>
        isArgument(cursor[name]) ? mismatch(cursor[name], `${path}/${name}`, facts.roots, ['number']) : [],
      )
    case 'group':
      return groupFlaws(cursor, path, facts)
    case 'join':
      return joinFlaws(cursor, path, facts)
    case 'expand':
      return cursor.value ? mismatch(cursor.value, `${path}/value`, facts.roots, ['list']) : []
    default:
      return []
  }
}

const HOLDING: readonly Cursor['type'][] = ['sort', 'group', 'distinct', 'join']

/** Cursors that hold rows in memory, because they or those before them cannot go to the database. */
export function inMemoryFlaws(pipeline: Pipeline, used: Used): Flaw[] {
  const pushed = Math.max(0, pushableCursors(pipeline, used))
  return pipeline.cursors.flatMap(({ type }, index) =>
    index >= pushed && HOLDING.includes(type)
      ? [flaw('in-memory', `/value/cursors/${index}`, `The ${type} is done in memory, of at most 100,000 rows.`)]
      : [],
  )
}
