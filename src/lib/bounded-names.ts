/** The placeholder for all names beyond the limit. */
const OVERFLOW_NAME = 'other'

/** Names that come from outside, for the labels of a metric: the first `most` different ones as they are, then `other`. */
export function createNameLimiter(most: number): (name: string) => string {
  const knownNames = new Set<string>()
  return (name) => {
    if (knownNames.has(name)) return name
    if (knownNames.size >= most) return OVERFLOW_NAME
    knownNames.add(name)
    return name
  }
}
