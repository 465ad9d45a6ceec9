const MAX_NAME_LENGTH = 255

/** `name (n)`, with the lowest number from 1 that is free, cut to fit. */
export function findFreeName(name: string, usedNames: ReadonlySet<string>): string {
  for (let suffixNumber = 1; ; suffixNumber++) {
    const suffix = ` (${suffixNumber})`
    const candidate = `${name.slice(0, MAX_NAME_LENGTH - suffix.length)}${suffix}`
    if (!usedNames.has(candidate)) return candidate
  }
}
