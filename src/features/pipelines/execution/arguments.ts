import { appendJsonPointer, invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { parseExpressionPath } from '../../../scripting/expressions/paths.ts'
import type { CompilableValue, PipelineDefinition } from '../definition/definition.ts'
import { isArgumentPath } from '../definition/expressions.ts'
import { parseArgument } from '../definition/parameter-types.ts'
import type { ExecutionParameter } from '../definition/parameters.ts'

/** Arguments by their names. */
export type ArgumentValues = Readonly<Record<string, unknown>>

const MAX_INT32 = 0x7fffffff

/** Reads arguments: those that are absent, or null, take their defaults. What no parameter takes is a fault. */
function readAll(
  parameters: readonly ExecutionParameter[],
  given: ArgumentValues,
): { read: ArgumentValues; faults: ProblemFault[] } {
  const names = new Set(parameters.map(({ name }) => name))
  const faults = Object.keys(given).flatMap((name): ProblemFault[] =>
    names.has(name) ? [] : [{ pointer: appendJsonPointer('', name), detail: 'is no parameter of the compilable' }],
  )
  const read: [string, unknown][] = []
  for (const { name, type, required, default: byDefault } of parameters) {
    if (name === null || type === null) continue
    const value = (Object.hasOwn(given, name) ? given[name] : null) ?? byDefault
    if (value === null || value === undefined) {
      if (required) faults.push({ pointer: `/${name}`, detail: 'is required' })
      continue
    }
    const argument = parseArgument(type, value)
    if ('misfit' in argument) faults.push({ pointer: `/${name}`, detail: argument.misfit })
    else read.push([name, argument.value])
  }
  return { read: Object.fromEntries(read), faults }
}

/** The arguments that say how many rows there are. */
function countNames(pipeline: PipelineDefinition): string[] {
  const counts = pipeline.cursors.flatMap((cursor) => (cursor.type === 'limit' ? [cursor.count, cursor.offset] : []))
  return counts.flatMap((count) => (isArgumentPath(count) ? (parseExpressionPath(count.value)[1] ?? []) : []))
}

function countFaults(pipeline: PipelineDefinition, read: ArgumentValues): ProblemFault[] {
  return countNames(pipeline).flatMap((name): ProblemFault[] => {
    const value = read[name]
    const fits = value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_INT32)
    return fits ? [] : [{ pointer: `/${name}`, detail: 'must be an integer from 0: it is a number of rows' }]
  })
}

/** What is given to an execution; `pointer`: where its members stand. Throws 400 with a pointer for each fault. */
export function parseArguments(value: CompilableValue, given: ArgumentValues, pointer = ''): ArgumentValues {
  const { read, faults } = readAll(value.parameters, given)
  if (value.type === 'pipeline') faults.push(...countFaults(value, read))
  if (faults.length > 0)
    throw invalidRequestProblem(faults.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` })))
  return read
}

/** The same, where names that no parameter has are passed over. */
export function parseKnownArguments(value: CompilableValue, given: ArgumentValues): ArgumentValues {
  const names = new Set(value.parameters.map(({ name }) => name))
  return parseArguments(value, Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name))))
}
