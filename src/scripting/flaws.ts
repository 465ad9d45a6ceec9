import type { DefinitionFlaw, FlawPosition, FlawType } from './flaw-schemas.ts'

export type { DefinitionFlaw, FlawPosition, FlawType }

/** Flaws of a resource that are listed. */
export const MAX_LISTED_FLAWS = 200

const WARNING_TYPES: ReadonlySet<FlawType> = new Set([
  'unused-parameter',
  'missing-capability',
  'missing-entry',
  'unreachable',
  'never-fires',
  'in-memory',
])

/** Details of a flaw, in addition to its type and path. */
export interface FlawDetails {
  position?: FlawPosition | undefined
  /** Severity, if it is not that of the type. */
  severity?: DefinitionFlaw['severity']
}

/** One flaw; its severity is that of its type unless `details` says another. */
export function createFlaw(type: FlawType, path: string, message: string, details: FlawDetails = {}): DefinitionFlaw {
  const severity = details.severity ?? (WARNING_TYPES.has(type) ? 'warning' : 'error')
  return { type, severity, message, path, ...(details.position && { position: details.position }) }
}

/** Tokens of two pointers in order: numbers by value, so that the tenth node comes after the second. */
function comparePaths(leftPath: string, right: string): number {
  const [leftTokens, rightTokens] = [leftPath.split('/'), right.split('/')]
  for (const [index, leftToken] of leftTokens.entries()) {
    const rightToken = rightTokens[index]
    if (rightToken === undefined) return 1
    if (leftToken === rightToken) continue
    if (/^\d+$/.test(leftToken) && /^\d+$/.test(rightToken)) return Number(leftToken) - Number(rightToken)
    return leftToken < rightToken ? -1 : 1
  }
  return leftTokens.length - rightTokens.length
}

const START_POSITION: FlawPosition = { line: 0, column: 0, length: 0 }

/** Flaws as they are answered: by path, then position; at most 200, then one that says how many there are. */
export function sortListedFlaws(flaws: readonly DefinitionFlaw[]): DefinitionFlaw[] {
  const sorted = flaws.toSorted((leftFlaw, right) => {
    const [leftPosition, rightPosition] = [leftFlaw.position ?? START_POSITION, right.position ?? START_POSITION]
    return (
      comparePaths(leftFlaw.path, right.path) ||
      leftPosition.line - rightPosition.line ||
      leftPosition.column - rightPosition.column
    )
  })
  if (sorted.length <= MAX_LISTED_FLAWS) return sorted
  const message = `There are ${sorted.length} flaws; the first ${MAX_LISTED_FLAWS} are listed.`
  const severity = hasErrorFlaws(sorted.slice(MAX_LISTED_FLAWS)) ? 'error' : 'warning'
  return [...sorted.slice(0, MAX_LISTED_FLAWS), createFlaw('limit', '', message, { severity })]
}

/** Returns true if one of the flaws prevents the use of the resource. */
export function hasErrorFlaws(flaws: readonly DefinitionFlaw[]): boolean {
  return flaws.some(({ severity }) => severity === 'error')
}
