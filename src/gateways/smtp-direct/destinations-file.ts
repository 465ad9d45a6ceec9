import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { OperatorError } from '../../lib/errors/operator-error.ts'
import { singularizeAfterOne } from '../../lib/text/nouns.ts'
import { builtInDestinations, type DestinationTable } from './destination-table.ts'
import { compileReplyPattern } from './destinations.ts'

const ReplyRuleSchema = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: 500 }),
    verdict: Type.Enum(['slow', 'suspend', 'refuse', 'ignore']),
    minutes: Type.Optional(Type.Number({ minimum: 0.1, maximum: 1440 })),
  },
  { additionalProperties: false },
)

const limitMembers = {
  connections: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
  messages: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  rate: Type.Optional(Type.Number({ minimum: 0.001, maximum: 10_000 })),
  backoff: Type.Optional(Type.Array(Type.Number({ minimum: 0.1, maximum: 1440 }), { minItems: 1, maxItems: 20 })),
  replies: Type.Optional(Type.Array(ReplyRuleSchema, { maxItems: 100 })),
}

const HostsSchema = Type.Array(Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)*$', maxLength: 253 }), {
  minItems: 1,
})

/** An operator's file: what it names replaces the built-in row. */
const DestinationsFile = Type.Object(
  {
    common: Type.Optional(Type.Object(limitMembers, { additionalProperties: false })),
    destinations: Type.Optional(
      Type.Array(
        Type.Object(
          { name: Type.String({ pattern: '^[a-z0-9.-]{1,100}$' }), hosts: Type.Optional(HostsSchema), ...limitMembers },
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
function findFaults(candidateTable: unknown): string[] {
  if (!Value.Check(DestinationsFile, candidateTable))
    return Value.Errors(DestinationsFile, candidateTable).map(
      ({ instancePath, message }) => `${instancePath || '/'} ${singularizeAfterOne(message)}`,
    )
  const builtInNames = new Set(builtInDestinations.destinations.map(({ name }) => name))
  const rules = [
    ...(candidateTable.common?.replies ?? []).map((rule, index) => ({ rule, at: `/common/replies/${index}` })),
    ...(candidateTable.destinations ?? []).flatMap(({ replies = [] }, row) =>
      replies.map((rule, index) => ({ rule, at: `/destinations/${row}/replies/${index}` })),
    ),
  ]
  const withoutHosts = (candidateTable.destinations ?? []).flatMap(({ name, hosts }, row) =>
    hosts === undefined && !builtInNames.has(name)
      ? [`/destinations/${row} has no hosts, and "${name}" is not built in`]
      : [],
  )
  const rowNames = (candidateTable.destinations ?? []).map(({ name }) => name)
  const duplicates = rowNames.flatMap((name, row) =>
    rowNames.indexOf(name) < row ? [`/destinations/${row} names "${name}" again`] : [],
  )
  const patternFaults = rules.flatMap(({ rule, at }) => {
    try {
      compileReplyPattern(rule)
      return []
    } catch (error) {
      return [`${at}/pattern ${error instanceof Error ? error.message : error}`]
    }
  })
  return [...withoutHosts, ...duplicates, ...patternFaults]
}

/** The built-in table with what a file changes of it. Throws a plain Error that names every fault and its place. */
export function mergeDestinationTable(candidateTable: unknown): DestinationTable {
  const faults = findFaults(candidateTable)
  if (faults.length > 0) throw new Error(faults.join('; '))
  const { common, destinations = [], warmUp = builtInDestinations.warmUp } = candidateTable as DestinationsFile
  const changesByName = new Map(destinations.map((row) => [row.name, row]))
  const mergedRows = builtInDestinations.destinations.map((row) => ({ ...row, ...changesByName.get(row.name) }))
  const mergedNames = new Set(mergedRows.map(({ name }) => name))
  const addedRows = destinations.flatMap(({ hosts, ...row }) =>
    hosts && !mergedNames.has(row.name) ? [{ ...row, hosts }] : [],
  )
  // An operator's own rows are tried first.
  return { common: { ...builtInDestinations.common, ...common }, destinations: [...addedRows, ...mergedRows], warmUp }
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
