/** Number of single-character edits between two words (Levenshtein), for words of a few dozen characters. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}

/** How many parts of a word (`HTTP_PORT` has two) another one lacks; each may be misspelt by one character in four. */
function missing(word: string, other: string): number {
  const [parts, others] = [word, other].map((text) => text.split(/[\s_.-]+/).filter(Boolean))
  const isThere = (part: string) => others!.some((one) => distance(part, one) <= part.length / 4)
  return parts!.filter((part) => !isThere(part)).length
}

/**
 * The known word that is closest to a misspelt one: one of few edits, else one that has its parts, and of those the one
 * with the fewest edits. Undefined when there are none.
 */
export function findNearestWord(word: string, known: readonly string[]): string | undefined {
  const isOnePart = !/[\s_.-]/.test(word)
  const ranked = known.map((one) => {
    const edits = distance(word, one)
    return { one, missing: isOnePart && edits <= word.length / 2 ? 0 : missing(word, one) + 1, edits }
  })
  return ranked.toSorted((a, b) => a.missing - b.missing || a.edits - b.edits)[0]?.one
}
