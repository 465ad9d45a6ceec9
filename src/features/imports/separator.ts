import { csvReader } from './csv.ts'

/** In the order of preference when two divide equally well. */
const CANDIDATES = [';', ',', '|', '\t'] as const

const LINES = 20

/** Characters of a text that are enough to tell. */
export const SEPARATOR_SAMPLE = 1 << 18

/**
 * The separator which divides the first 20 lines of `sample` most evenly: the greatest share of lines have the same
 * number of cells, more than one. Of equally even ones `;` wins, then the one that gives more cells.
 */
export function detectSeparator(sample: string): string {
  const scores = CANDIDATES.map((separator) => ({ separator, ...evenness(sample, separator) }))
  const [best] = scores.sort(
    (a, b) => b.share - a.share || Number(b.separator === ';') - Number(a.separator === ';') || b.cells - a.cells,
  )
  return best && best.share > 0 ? best.separator : ';'
}

/** `share`: how many of the lines have the commonest number of cells above one; `cells`: that number. */
function evenness(sample: string, separator: string): { share: number; cells: number } {
  const reader = csvReader(separator)
  const lines = [...reader.read(sample), ...reader.end()].slice(0, LINES)
  const counts = new Map<number, number>()
  for (const { cells } of lines) {
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])
  return most ? { share: most[1] / lines.length, cells: most[0] } : { share: 0, cells: 0 }
}
