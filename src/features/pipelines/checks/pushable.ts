import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { listConditionLeaves } from '../definition/conditions.ts'
import type { PipelineCursor } from '../definition/cursors.ts'
import type { CompilableValue, PipelineDefinition } from '../definition/definition.ts'
import type { PipelineSource } from '../definition/sources.ts'

/** Compilables that are used, by their ids. */
export type UsedCompilables = ReadonlyMap<string, CompilableValue>

const isPlainExpression = (expression: DefinitionExpression | null): boolean =>
  expression === null || expression.type === 'literal' || expression.type === 'path'

/** True if the rows of a source come from a single statement. */
export function isPushableSource(
  source: PipelineSource | null,
  usedCompilables: UsedCompilables,
  visitedIds: ReadonlySet<string> = new Set(),
): boolean {
  if (source?.type !== 'compilable') return true
  const { id } = source
  const value = id === null ? undefined : usedCompilables.get(id)
  if (id === null || value?.type !== 'pipeline' || visitedIds.has(id)) return false
  return countPushableCursors(value, usedCompilables, new Set([...visitedIds, id])) === value.cursors.length
}

function isPushableCursor(
  cursor: PipelineCursor,
  usedCompilables: UsedCompilables,
  visitedIds: ReadonlySet<string>,
): boolean {
  switch (cursor.type) {
    case 'filter':
      if (cursor.condition === null) return true
      return listConditionLeaves(cursor.condition, '').every(({ leaf }) => {
        if (leaf.type === 'compare') return isPlainExpression(leaf.left) && isPlainExpression(leaf.right)
        return leaf.type === 'criteria' || isPlainExpression(leaf)
      })
    case 'map':
      return Object.values(cursor.fields ?? {}).every(isPlainExpression)
    case 'sort':
      return cursor.by.every(({ value }) => isPlainExpression(value))
    case 'distinct':
      return cursor.by.every(isPlainExpression)
    case 'limit':
      return true
    case 'group':
      return (
        Object.values(cursor.by).every(isPlainExpression) &&
        Object.values(cursor.aggregates).every(({ value }) => isPlainExpression(value))
      )
    case 'join':
      return (
        isPlainExpression(cursor.on?.left ?? null) &&
        isPlainExpression(cursor.on?.right ?? null) &&
        isPushableSource(cursor.source, usedCompilables, visitedIds)
      )
    case 'expand':
      return isPlainExpression(cursor.value)
    case 'script':
      return false
  }
}

/** Number of leading cursors of a pipeline that form one statement with its source; -1 if the source itself is not a statement. */
export function countPushableCursors(
  { source, cursors }: PipelineDefinition,
  usedCompilables: UsedCompilables,
  visitedIds: ReadonlySet<string> = new Set(),
): number {
  if (!isPushableSource(source, usedCompilables, visitedIds)) return -1
  const firstUnpushable = cursors.findIndex((cursor) => !isPushableCursor(cursor, usedCompilables, visitedIds))
  return firstUnpushable < 0 ? cursors.length : firstUnpushable
}
