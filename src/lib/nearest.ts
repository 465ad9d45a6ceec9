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

/** The known word that is closest to a misspelt one; undefined when there are none. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  return known.toSorted((a, b) => distance(word, a) - distance(word, b))[0]
}
