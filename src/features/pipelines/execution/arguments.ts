import { appendJsonPointer, invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { MAX_INT32 } from '../../../lib/int32.ts'
import { parseExpressionPath } from '../../../scripting/expressions/paths.ts'
import type { CompilableValue, PipelineDefinition } from '../definition/definition.ts'
import { isArgumentPath } from '../definition/expressions.ts'
import { parseArgument } from '../definition/parameter-types.ts'
import type { ExecutionParameter } from '../definition/parameters.ts'

/** Arguments by their names. */
export type ArgumentValues = Readonly<Record<string, unknown>>

/** Reads arguments: those that are absent, or null, take their defaults. What no parameter takes is a fault. */
function parseAll(
  parameters: readonly ExecutionParameter[],
  rawArguments: ArgumentValues,
): { read: ArgumentValues; faults: ProblemFault[] } {
  const names = new Set(parameters.map(({ name }) => name))
  const faults = Object.keys(rawArguments).flatMap((name): ProblemFault[] =>
    names.has(name) ? [] : [{ pointer: appendJsonPointer('', name), detail: 'is not a parameter of the compilable' }],
  )
  const parsedEntries: [string, unknown][] = []
  for (const { name, type, required, default: byDefault } of parameters) {
    if (name === null || type === null) continue
    const value = (Object.hasOwn(rawArguments, name) ? rawArguments[name] : null) ?? byDefault
    if (value === null || value === undefined) {
      if (required) faults.push({ pointer: `/${name}`, detail: 'is required' })
      continue
    }
    const parsedArgument = parseArgument(type, value)
    if ('misfit' in parsedArgument) faults.push({ pointer: `/${name}`, detail: parsedArgument.misfit })
    else parsedEntries.push([name, parsedArgument.value])
  }
  return { read: Object.fromEntries(parsedEntries), faults }
}

/** The arguments that say how many rows there are. */
function listCountNames(pipeline: PipelineDefinition): string[] {
  const countExpressions = pipeline.cursors.flatMap((cursor) =>
    cursor.type === 'limit' ? [cursor.count, cursor.offset] : [],
  )
  return countExpressions.flatMap((count) => (isArgumentPath(count) ? (parseExpressionPath(count.value)[1] ?? []) : []))
}

function findCountFaults(pipeline: PipelineDefinition, parsedArguments: ArgumentValues): ProblemFault[] {
  return listCountNames(pipeline).flatMap((name): ProblemFault[] => {
    const value = parsedArguments[name]
    const isValidCount =
      value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_INT32)
    return isValidCount
      ? []
      : [{ pointer: `/${name}`, detail: 'must be an integer of 0 or more: it is a number of rows' }]
  })
}

/** Parses the arguments of an execution; `pointer` is the position of their object. Throws 400 with a pointer for each fault. */
export function parseArguments(value: CompilableValue, rawArguments: ArgumentValues, pointer = ''): ArgumentValues {
  const { read: parsedArguments, faults } = parseAll(value.parameters, rawArguments)
  if (value.type === 'pipeline') faults.push(...findCountFaults(value, parsedArguments))
  if (faults.length > 0)
    throw invalidRequestProblem(faults.map((fault) => ({ ...fault, pointer: `${pointer}${fault.pointer}` })))
  return parsedArguments
}

/** The same, where names that no parameter has are passed over. */
export function parseKnownArguments(value: CompilableValue, rawArguments: ArgumentValues): ArgumentValues {
  const names = new Set(value.parameters.map(({ name }) => name))
  return parseArguments(value, Object.fromEntries(Object.entries(rawArguments).filter(([name]) => names.has(name))))
}
