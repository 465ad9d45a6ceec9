/** Number of single-character edits between two words (Levenshtein), for words of a few dozen characters. */
function computeEditDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const nextRow = [i]
    for (let j = 1; j <= b.length; j++) {
      nextRow[j] = Math.min(nextRow[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = nextRow
  }
  return row[b.length]!
}

/** The number of parts of a word (`HTTP_PORT` has two) that another one lacks; each may be misspelt by one character in four. */
function countMissingParts(word: string, otherWord: string): number {
  const [parts, otherParts] = [word, otherWord].map((text) => text.split(/[\s_.-]+/).filter(Boolean))
  const isPartFound = (part: string) =>
    otherParts!.some((otherPart) => computeEditDistance(part, otherPart) <= part.length / 4)
  return parts!.filter((part) => !isPartFound(part)).length
}

/**
 * The known word that is closest to a misspelt one: one of few edits, else one that has its parts, and of those the one
 * with the fewest edits. Undefined when there are none.
 */
export function findNearestWord(word: string, candidates: readonly string[]): string | undefined {
  const isOnePart = !/[\s_.-]/.test(word)
  const rankedCandidates = candidates.map((candidate) => {
    const editCount = computeEditDistance(word, candidate)
    return {
      one: candidate,
      missing: isOnePart && editCount <= word.length / 2 ? 0 : countMissingParts(word, candidate) + 1,
      edits: editCount,
    }
  })
  return rankedCandidates.toSorted((a, b) => a.missing - b.missing || a.edits - b.edits)[0]?.one
}
