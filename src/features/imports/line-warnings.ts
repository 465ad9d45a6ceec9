/** What lines have that is changed in reading them. */
const kinds = {
  damaged: 'bytes that are not valid in its encoding: each became "\uFFFD"',
  joined: 'a line break in a field of one line: it became a blank',
  surplus: 'cells behind its last column: they were not read',
} as const
export type LineWarning = keyof typeof kinds

/** Lines of a text that are named of each kind. */
const NAMED = 20

/** Warns of lines by their numbers, and by the name of their text if there are others: of the first 20 of each kind, then once that there are more. */
export function lineWarner(name: string | undefined, warn: (warning: string) => void) {
  const of = name === undefined ? '' : ` of "${name}"`
  const counts = new Map<LineWarning, number>()
  return (kind: LineWarning, line: number): void => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    if (count <= NAMED) warn(`Line ${line}${of} has ${kinds[kind]}.`)
    else if (count === NAMED + 1) warn(`More lines${of} have ${kinds[kind]}.`)
  }
}
