/** What lines have that is changed in reading them. */
const kinds = {
  damaged: 'bytes that are not valid in its encoding: each became "\uFFFD"',
} as const
export type LineWarning = keyof typeof kinds

/** Lines of a text that are named of each kind. */
const NAMED = 20

/** Warns of lines of a text by their numbers: of the first 20 of each kind, then once that there are more. */
export function lineWarner(name: string, warn: (warning: string) => void) {
  const counts = new Map<LineWarning, number>()
  return (kind: LineWarning, line: number): void => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (count <= NAMED) warn(`Line ${line} of "${name}" has ${kinds[kind]}.`)
    else if (count === NAMED + 1) warn(`More lines of "${name}" have ${kinds[kind]}.`)
  }
}
