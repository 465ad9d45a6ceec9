/** What stands for all names beyond the limit. */
const REST = 'other'

/** Names that come from outside, for the labels of a metric: the first `most` different ones as they are, then `other`. */
export function createNameLimiter(most: number): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    if (known.has(name)) return name
    if (known.size >= most) return REST
    known.add(name)
    return name
  }
}
