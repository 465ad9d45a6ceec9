import { appendJsonPointer } from '../../../lib/errors/problem.ts'
import { createFlaw, type DefinitionFlaw } from '../../../scripting/flaws.ts'
import type { CompilableCall } from '../../../scripting/schemas/shape.ts'
import type { CompilableValue } from '../definition/definition.ts'
import { visitCompilableValue } from '../definition/definition.ts'
import type { ExecutionParameter } from '../definition/parameters.ts'
import type { UsedCompilables } from './pushable.ts'
import { canEqual, formatValueType, inferLiteralType, toParameterValueType } from './value-types.ts'

/** Compilables that use each other stand on each other so deep at most. */
export const MAX_COMPILABLE_DEPTH = 5

/** The ids of compilables that a value names. */
export function findUsedCompilableIds(value: CompilableValue): string[] {
  const foundIds: string[] = []
  visitCompilableValue(value, '', { reference: (kind, id) => void (kind === 'pipeline' && foundIds.push(String(id))) })
  return foundIds
}

/** Flaws of arguments compared with the parameters of their compilable. */
export function findArgumentFlaws(
  { given: givenArguments, givenPath }: Pick<CompilableCall, 'given' | 'givenPath'>,
  parameters: readonly ExecutionParameter[],
): DefinitionFlaw[] {
  const parametersByName = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  const values = givenArguments ?? {}
  const missing = parameters
    .filter(({ name, required, default: value }) => required && value === null && !Object.hasOwn(values, name ?? ''))
    .map(({ name }) => createFlaw('missing-parameter', givenPath, `The argument "${name}" is required.`))
  const valueFlaws = Object.entries(values).flatMap(([name, { type, value }]) => {
    const path = appendJsonPointer(givenPath, name)
    const parameter = parametersByName.get(name)
    if (!parameter)
      return [createFlaw('unused-parameter', path, `There is no parameter "${name}", so the argument is ignored.`)]
    const expectedType = toParameterValueType(parameter.type)
    const isMatchingType =
      type !== 'literal' || value === null || canEqual(expectedType, inferLiteralType(value), value)
    return isMatchingType ? [] : [createFlaw('type-mismatch', path, `This must be ${formatValueType(expectedType)}.`)]
  })
  return [...missing, ...valueFlaws]
}

/** True if one compilable uses another, directly or through others. */
function usesIndirectly(
  from: string,
  to: string,
  usedCompilables: UsedCompilables,
  visitedIds = new Set<string>(),
): boolean {
  if (from === to) return true
  const value = visitedIds.has(from) ? undefined : usedCompilables.get(from)
  visitedIds.add(from)
  return (
    value !== undefined &&
    findUsedCompilableIds(value).some((next) => usesIndirectly(next, to, usedCompilables, visitedIds))
  )
}

/** Number of compilables in the longest chain of uses from one on; infinite if they use each other. */
function computeUseDepth(
  id: string,
  usedCompilables: UsedCompilables,
  knownDepths = new Map<string, number>(),
): number {
  const value = usedCompilables.get(id)
  const knownDepth = knownDepths.get(id)
  if (!value || knownDepth !== undefined) return knownDepth ?? 0
  // Met again before it is known, it is one of a circle.
  knownDepths.set(id, Number.POSITIVE_INFINITY)
  const depth =
    1 + Math.max(0, ...findUsedCompilableIds(value).map((next) => computeUseDepth(next, usedCompilables, knownDepths)))
  knownDepths.set(id, depth)
  return depth
}

/** Flaws of using a compilable, apart from its own flaws. `compilableId` is the id of the user. */
export function findCompilableUseFlaws(
  { id, path }: CompilableCall,
  usedCompilables: UsedCompilables,
  compilableId: string | null,
): DefinitionFlaw[] {
  if (compilableId !== null && usesIndirectly(id, compilableId, usedCompilables))
    return [createFlaw('recursion', path, 'The compilables use each other.')]
  const value = usedCompilables.get(id)
  if (!value) return [createFlaw('unknown-reference', path, `There is no compilable ${id}.`)]
  if (value.type !== 'pipeline')
    return [createFlaw('type-mismatch', path, `The compilable ${id} is of type ${value.type}; a pipeline is required.`)]
  const depth = computeUseDepth(id, usedCompilables)
  if (depth === Number.POSITIVE_INFINITY)
    return [createFlaw('flawed-reference', path, `The compilable ${id} has flaws.`)]
  return depth > MAX_COMPILABLE_DEPTH
    ? [createFlaw('limit', path, `Compilables can use each other at most ${MAX_COMPILABLE_DEPTH} levels deep.`)]
    : []
}
