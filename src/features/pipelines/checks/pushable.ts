import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { listConditionLeaves } from '../definition/conditions.ts'
import type { PipelineCursor } from '../definition/cursors.ts'
import type { CompilableValue, PipelineDefinition } from '../definition/definition.ts'
import type { PipelineSource } from '../definition/sources.ts'

/** Compilables that are used, by their ids. */
export type UsedCompilables = ReadonlyMap<string, CompilableValue>

const isPlain = (expression: DefinitionExpression | null): boolean =>
  expression === null || expression.type === 'literal' || expression.type === 'path'

/** Whether the rows of a source come from a statement alone. */
export function isPushableSource(
  source: PipelineSource | null,
  used: UsedCompilables,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  if (source?.type !== 'compilable') return true
  const { id } = source
  const value = id === null ? undefined : used.get(id)
  if (id === null || value?.type !== 'pipeline' || seen.has(id)) return false
  return countPushableCursors(value, used, new Set([...seen, id])) === value.cursors.length
}

function isPushable(cursor: PipelineCursor, used: UsedCompilables, seen: ReadonlySet<string>): boolean {
  switch (cursor.type) {
    case 'filter':
      if (cursor.condition === null) return true
      return listConditionLeaves(cursor.condition, '').every(({ leaf }) => {
        if (leaf.type === 'compare') return isPlain(leaf.left) && isPlain(leaf.right)
        return leaf.type === 'criteria' || isPlain(leaf)
      })
    case 'map':
      return Object.values(cursor.fields ?? {}).every(isPlain)
    case 'sort':
      return cursor.by.every(({ value }) => isPlain(value))
    case 'distinct':
      return cursor.by.every(isPlain)
    case 'limit':
      return true
    case 'group':
      return (
        Object.values(cursor.by).every(isPlain) && Object.values(cursor.aggregates).every(({ value }) => isPlain(value))
      )
    case 'join':
      return (
        isPlain(cursor.on?.left ?? null) &&
        isPlain(cursor.on?.right ?? null) &&
        isPushableSource(cursor.source, used, seen)
      )
    case 'expand':
      return isPlain(cursor.value)
    case 'script':
      return false
  }
}

/** How many leading cursors of a pipeline become one statement with its source; -1: its source does not. */
export function countPushableCursors(
  { source, cursors }: PipelineDefinition,
  used: UsedCompilables,
  seen: ReadonlySet<string> = new Set(),
): number {
  if (!isPushableSource(source, used, seen)) return -1
  const first = cursors.findIndex((cursor) => !isPushable(cursor, used, seen))
  return first < 0 ? cursors.length : first
}
