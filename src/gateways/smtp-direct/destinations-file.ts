import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { builtInDestinations, type DestinationTable } from './destination-table.ts'
import { compileReplyPattern } from './destinations.ts'

const Rule = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: 500 }),
    verdict: Type.Enum(['slow', 'suspend', 'refuse', 'ignore']),
    minutes: Type.Optional(Type.Number({ minimum: 0.1, maximum: 1440 })),
  },
  { additionalProperties: false },
)

const limits = {
  connections: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  messages: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  rate: Type.Optional(Type.Number({ minimum: 0.001, maximum: 10_000 })),
  backoff: Type.Optional(Type.Array(Type.Number({ minimum: 0.1, maximum: 1440 }), { minItems: 1, maxItems: 20 })),
  replies: Type.Optional(Type.Array(Rule, { maxItems: 100 })),
}

const Hosts = Type.Array(Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)*$', maxLength: 253 }), { minItems: 1 })

/** An operator's file: what it names replaces the built-in row. */
const DestinationsFile = Type.Object(
  {
    common: Type.Optional(Type.Object(limits, { additionalProperties: false })),
    destinations: Type.Optional(
      Type.Array(
        Type.Object(
          { name: Type.String({ pattern: '^[a-z0-9.-]{1,100}$' }), hosts: Type.Optional(Hosts), ...limits },
          { additionalProperties: false },
        ),
      ),
    ),
    warmUp: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 100 })),
  },
  { additionalProperties: false },
)
type DestinationsFile = Static<typeof DestinationsFile>

/** The faults of a file, each with its place. */
function faultsOf(given: unknown): string[] {
  if (!Value.Check(DestinationsFile, given))
    return Value.Errors(DestinationsFile, given).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
  const names = new Set(builtInDestinations.destinations.map(({ name }) => name))
  const rules = [
    ...(given.common?.replies ?? []).map((rule, index) => ({ rule, at: `/common/replies/${index}` })),
    ...(given.destinations ?? []).flatMap(({ replies = [] }, row) =>
      replies.map((rule, index) => ({ rule, at: `/destinations/${row}/replies/${index}` })),
    ),
  ]
  const withoutHosts = (given.destinations ?? []).flatMap(({ name, hosts }, row) =>
    hosts === undefined && !names.has(name) ? [`/destinations/${row} has no hosts, and "${name}" is not built in`] : [],
  )
  const seen = (given.destinations ?? []).map(({ name }) => name)
  const duplicates = seen.flatMap((name, row) =>
    seen.indexOf(name) < row ? [`/destinations/${row} names "${name}" again`] : [],
  )
  const wrong = rules.flatMap(({ rule, at }) => {
    try {
      compileReplyPattern(rule)
      return []
    } catch (error) {
      return [`${at}/pattern ${error instanceof Error ? error.message : error}`]
    }
  })
  return [...withoutHosts, ...duplicates, ...wrong]
}

/** The built-in table with what a file changes of it. Throws a plain Error that names every fault and its place. */
export function mergeDestinationTable(given: unknown): DestinationTable {
  const faults = faultsOf(given)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const { common, destinations = [], warmUp = builtInDestinations.warmUp } = given as DestinationsFile
  const changes = new Map(destinations.map((row) => [row.name, row]))
  const changed = builtInDestinations.destinations.map((row) => ({ ...row, ...changes.get(row.name) }))
  const known = new Set(changed.map(({ name }) => name))
  const added = destinations.flatMap(({ hosts, ...row }) => (hosts && !known.has(row.name) ? [{ ...row, hosts }] : []))
  // An operator's own rows are tried first.
  return { common: { ...builtInDestinations.common, ...common }, destinations: [...added, ...changed], warmUp }
}

/** The table of an installation: of the file, when there is one. Throws a plain Error that says what is wrong with it. */
export function readDestinationTable(file: string | undefined): DestinationTable {
  if (file === undefined) return builtInDestinations
  try {
    return mergeDestinationTable(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new OperatorError(`STENTOR_DESTINATIONS_FILE: ${file}: ${error instanceof Error ? error.message : error}`)
  }
}
