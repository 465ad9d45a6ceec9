import { pointerTo } from '../../../lib/errors/problem.ts'
import { type Flaw, flaw } from '../../../scripting/flaws.ts'
import type { Call } from '../../../scripting/schemas/shape.ts'
import type { CompilableValue } from '../definition/definition.ts'
import { visitValue } from '../definition/definition.ts'
import type { Parameter } from '../definition/parameters.ts'
import type { Used } from './pushable.ts'
import { canEqual, literalType, parameterType, wordsOf } from './value-types.ts'

/** Compilables that use each other stand on each other so deep at most. */
export const MAX_DEPTH = 5

/** The ids of compilables that a value names. */
export function compilablesIn(value: CompilableValue): string[] {
  const found: string[] = []
  visitValue(value, '', { reference: (kind, id) => void (kind === 'pipeline' && found.push(String(id))) })
  return found
}

/** Arguments beside the parameters of what they are for. */
export function argumentFlaws(
  { given, givenPath }: Pick<Call, 'given' | 'givenPath'>,
  parameters: readonly Parameter[],
): Flaw[] {
  const known = new Map(parameters.map((parameter) => [parameter.name, parameter]))
  const values = given ?? {}
  const missing = parameters
    .filter(({ name, required, default: value }) => required && value === null && !Object.hasOwn(values, name ?? ''))
    .map(({ name }) => flaw('missing-parameter', givenPath, `The argument "${name}" is required.`))
  const own = Object.entries(values).flatMap(([name, { type, value }]) => {
    const path = pointerTo(givenPath, name)
    const parameter = known.get(name)
    if (!parameter) return [flaw('unused-parameter', path, `There is no parameter "${name}": it is not used.`)]
    const asked = parameterType(parameter.type)
    const fits = type !== 'literal' || value === null || canEqual(asked, literalType(value), value)
    return fits ? [] : [flaw('type-mismatch', path, `This must be ${wordsOf(asked)}.`)]
  })
  return [...missing, ...own]
}

/** Whether a way of uses leads from one compilable to another. */
function leadsTo(from: string, to: string, used: Used, seen = new Set<string>()): boolean {
  if (from === to) return true
  const value = seen.has(from) ? undefined : used.get(from)
  seen.add(from)
  return value !== undefined && compilablesIn(value).some((next) => leadsTo(next, to, used, seen))
}

/** How many compilables stand on each other from one on; without end where they use each other. */
function depthOf(id: string, used: Used, known = new Map<string, number>()): number {
  const value = used.get(id)
  const found = known.get(id)
  if (!value || found !== undefined) return found ?? 0
  // Met again before it is known, it is one of a circle.
  known.set(id, Number.POSITIVE_INFINITY)
  const depth = 1 + Math.max(0, ...compilablesIn(value).map((next) => depthOf(next, used, known)))
  known.set(id, depth)
  return depth
}

/** What is wrong with a compilable that is used, but for its own flaws. `own`: who uses it. */
export function useFlaws({ id, path }: Call, used: Used, own: string | null): Flaw[] {
  if (own !== null && leadsTo(id, own, used)) return [flaw('recursion', path, 'The compilables use each other.')]
  const value = used.get(id)
  if (!value) return [flaw('unknown-reference', path, `There is no compilable ${id}.`)]
  if (value.type !== 'pipeline')
    return [flaw('type-mismatch', path, `The compilable ${id} is of type ${value.type}, pipeline is needed.`)]
  const depth = depthOf(id, used)
  if (depth === Number.POSITIVE_INFINITY) return [flaw('flawed-reference', path, `The compilable ${id} has flaws.`)]
  return depth > MAX_DEPTH ? [flaw('limit', path, `Compilables stand on each other ${MAX_DEPTH} deep at most.`)] : []
}
