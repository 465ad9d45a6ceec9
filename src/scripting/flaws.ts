import type { DefinitionFlaw, FlawPosition, FlawType } from './flaw-schemas.ts'

export type { DefinitionFlaw, FlawPosition, FlawType }

/** Flaws of a resource that are listed. */
export const MAX_LISTED_FLAWS = 200

const warnings: ReadonlySet<FlawType> = new Set([
  ...(['unused-parameter', 'missing-capability', 'missing-entry', 'unreachable', 'never-fires', 'in-memory'] as const),
])

/** What is said of a flaw beside its type and place. */
export interface FlawDetails {
  position?: FlawPosition | undefined
  /** Where it is not that of the type. */
  severity?: DefinitionFlaw['severity']
}

/** One flaw; its severity is that of its type unless `details` says another. */
export function createFlaw(type: FlawType, path: string, message: string, details: FlawDetails = {}): DefinitionFlaw {
  const severity = details.severity ?? (warnings.has(type) ? 'warning' : 'error')
  return { type, severity, message, path, ...(details.position && { position: details.position }) }
}

/** Tokens of two pointers in order: numbers by value, so that the tenth node comes after the second. */
function comparePaths(left: string, right: string): number {
  const [one, other] = [left.split('/'), right.split('/')]
  for (const [index, token] of one.entries()) {
    const second = other[index]
    if (second === undefined) return 1
    if (token === second) continue
    if (/^\d+$/.test(token) && /^\d+$/.test(second)) return Number(token) - Number(second)
    return token < second ? -1 : 1
  }
  return one.length - other.length
}

const START: FlawPosition = { line: 0, column: 0, length: 0 }

/** Flaws as they are answered: by path, then position; at most 200, then one that says how many there are. */
export function sortListedFlaws(flaws: readonly DefinitionFlaw[]): DefinitionFlaw[] {
  const sorted = flaws.toSorted((left, right) => {
    const [one, other] = [left.position ?? START, right.position ?? START]
    return comparePaths(left.path, right.path) || one.line - other.line || one.column - other.column
  })
  if (sorted.length <= MAX_LISTED_FLAWS) return sorted
  const message = `There are ${sorted.length} flaws: the first ${MAX_LISTED_FLAWS} are listed.`
  const severity = hasErrorFlaws(sorted.slice(MAX_LISTED_FLAWS)) ? 'error' : 'warning'
  return [...sorted.slice(0, MAX_LISTED_FLAWS), createFlaw('limit', '', message, { severity })]
}

/** Whether one of them keeps the resource from being used. */
export function hasErrorFlaws(flaws: readonly DefinitionFlaw[]): boolean {
  return flaws.some(({ severity }) => severity === 'error')
}
