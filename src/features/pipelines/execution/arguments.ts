import { type Fault, invalid, pointerTo } from '../../../lib/errors/problem.ts'
import { parsePath } from '../../../scripting/expressions/paths.ts'
import type { CompilableValue, Pipeline } from '../definition/definition.ts'
import { isArgument } from '../definition/expressions.ts'
import { readArgument } from '../definition/parameter-types.ts'
import type { Parameter } from '../definition/parameters.ts'

/** Arguments by their names. */
export type Arguments = Readonly<Record<string, unknown>>

const MAX_INT32 = 0x7fffffff

/** Reads arguments: those that are absent, or null, take their defaults. What no parameter takes is a fault. */
function readAll(parameters: readonly Parameter[], given: Arguments): { read: Arguments; faults: Fault[] } {
  const names = new Set(parameters.map(({ name }) => name))
  const faults = Object.keys(given).flatMap((name): Fault[] =>
    names.has(name) ? [] : [{ pointer: pointerTo('', name), detail: 'is no parameter of the compilable' }],
  )
  const read: [string, unknown][] = []
  for (const { name, type, required, default: byDefault } of parameters) {
    if (name === null || type === null) continue
    const value = (Object.hasOwn(given, name) ? given[name] : null) ?? byDefault
    if (value === null || value === undefined) {
      if (required) faults.push({ pointer: `/${name}`, detail: 'is required' })
      continue
    }
    const argument = readArgument(type, value)
    if ('misfit' in argument) faults.push({ pointer: `/${name}`, detail: argument.misfit })
    else read.push([name, argument.value])
  }
  return { read: Object.fromEntries(read), faults }
}

/** The arguments that say how many rows there are. */
function countNames(pipeline: Pipeline): string[] {
  const counts = pipeline.cursors.flatMap((cursor) => (cursor.type === 'limit' ? [cursor.count, cursor.offset] : []))
  return counts.flatMap((count) => (isArgument(count) ? (parsePath(count.value)[1] ?? []) : []))
}

function countFaults(pipeline: Pipeline, read: Arguments): Fault[] {
  return countNames(pipeline).flatMap((name): Fault[] => {
    const value = read[name]
    const fits = value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_INT32)
    return fits ? [] : [{ pointer: `/${name}`, detail: 'must be an integer from 0: it is a number of rows' }]
  })
}

/** What is given to an execution; `pointer`: where its members stand. Throws 400 with a pointer for each fault. */
export function readArguments(value: CompilableValue, given: Arguments, pointer = ''): Arguments {
  const { read, faults } = readAll(value.parameters, given)
  if (value.type === 'pipeline') faults.push(...countFaults(value, read))
  if (faults.length > 0) throw invalid(faults.map((one) => ({ ...one, pointer: `${pointer}${one.pointer}` })))
  return read
}

/** The same, where names that no parameter has are passed over. */
export function takenArguments(value: CompilableValue, given: Arguments): Arguments {
  const names = new Set(value.parameters.map(({ name }) => name))
  return readArguments(value, Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name))))
}
