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
  const found: string[] = []
  visitCompilableValue(value, '', { reference: (kind, id) => void (kind === 'pipeline' && found.push(String(id))) })
  return found
}

/** Arguments beside the parameters of what they are for. */
export function findArgumentFlaws(
  { given, givenPath }: Pick<CompilableCall, 'given' | 'givenPath'>,
  parameters: readonly ExecutionParameter[],
): DefinitionFlaw[] {
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  const values = given ?? {}
  const missing = parameters
    .filter(({ name, required, default: value }) => required && value === null && !Object.hasOwn(values, name ?? ''))
    .map(({ name }) => createFlaw('missing-parameter', givenPath, `The argument "${name}" is required.`))
  const own = Object.entries(values).flatMap(([name, { type, value }]) => {
    const path = appendJsonPointer(givenPath, name)
    const parameter = known.get(name)
    if (!parameter) return [createFlaw('unused-parameter', path, `There is no parameter "${name}": it is not used.`)]
    const asked = toParameterValueType(parameter.type)
    const fits = type !== 'literal' || value === null || canEqual(asked, inferLiteralType(value), value)
    return fits ? [] : [createFlaw('type-mismatch', path, `This must be ${formatValueType(asked)}.`)]
  })
  return [...missing, ...own]
}

/** Whether a way of uses leads from one compilable to another. */
function leadsTo(from: string, to: string, used: UsedCompilables, seen = new Set<string>()): boolean {
  if (from === to) return true
  const value = seen.has(from) ? undefined : used.get(from)
  seen.add(from)
  return value !== undefined && findUsedCompilableIds(value).some((next) => leadsTo(next, to, used, seen))
}

/** How many compilables stand on each other from one on; without end where they use each other. */
function depthOf(id: string, used: UsedCompilables, known = new Map<string, number>()): number {
  const value = used.get(id)
  const found = known.get(id)
  if (!value || found !== undefined) return found ?? 0
  // Met again before it is known, it is one of a circle.
  known.set(id, Number.POSITIVE_INFINITY)
  const depth = 1 + Math.max(0, ...findUsedCompilableIds(value).map((next) => depthOf(next, used, known)))
  known.set(id, depth)
  return depth
}

/** What is wrong with a compilable that is used, but for its own flaws. `own`: who uses it. */
export function findCompilableUseFlaws(
  { id, path }: CompilableCall,
  used: UsedCompilables,
  own: string | null,
): DefinitionFlaw[] {
  if (own !== null && leadsTo(id, own, used)) return [createFlaw('recursion', path, 'The compilables use each other.')]
  const value = used.get(id)
  if (!value) return [createFlaw('unknown-reference', path, `There is no compilable ${id}.`)]
  if (value.type !== 'pipeline')
    return [createFlaw('type-mismatch', path, `The compilable ${id} is of type ${value.type}, pipeline is needed.`)]
  const depth = depthOf(id, used)
  if (depth === Number.POSITIVE_INFINITY)
    return [createFlaw('flawed-reference', path, `The compilable ${id} has flaws.`)]
  return depth > MAX_COMPILABLE_DEPTH
    ? [createFlaw('limit', path, `Compilables stand on each other ${MAX_COMPILABLE_DEPTH} deep at most.`)]
    : []
}
