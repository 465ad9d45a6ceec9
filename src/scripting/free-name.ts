const NAME_LENGTH = 255

/** `name (n)`, with the lowest number from 1 that is free, cut to fit. */
export function findFreeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = ` (${number})`
    const candidate = `${name.slice(0, NAME_LENGTH - suffix.length)}${suffix}`
    if (!taken.has(candidate)) return candidate
  }
}
