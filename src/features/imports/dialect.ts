import { csvReader, type Dialect, type Line } from './csv.ts'

/** In the order of preference when two divide equally well. */
const CANDIDATES = [';', ',', '|', '\t'] as const

const LINES = 20

/** Characters of a text that are enough to tell. */
export const DIALECT_SAMPLE = 1 << 18

/** How a text is read. */
export interface FoundDialect extends Dialect {
  width: number
  /** Its first line names the separator, `sep=;`, as spreadsheets have it: it is neither a header nor data. */
  hasSeparatorLine: boolean
}

function linesOf(sample: string, dialect: Dialect): Line[] {
  const reader = csvReader(dialect)
  return [...reader.read(sample), ...reader.end()]
}

/**
 * The separator which divides the first 20 lines of `sample` most evenly: the greatest share of lines have the same
 * number of cells, more than one. Of equally even ones `preferred` wins, then the one that gives more cells.
 */
export function detectSeparator(sample: string, preferred = ';'): string {
  const scores = CANDIDATES.map((separator) => ({ separator, ...evenness(sample, separator) }))
  const [best] = scores.sort(
    (a, b) =>
      b.share - a.share || Number(b.separator === preferred) - Number(a.separator === preferred) || b.cells - a.cells,
  )
  return best && best.share > 0 ? best.separator : preferred
}

/** `share`: how many of the lines have the commonest number of cells above one; `cells`: that number. */
function evenness(sample: string, separator: string): { share: number; cells: number } {
  const lines = linesOf(sample, { separator }).slice(0, LINES)
  const counts = new Map<number, number>()
  for (const { cells } of lines) {
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])
  return most ? { share: most[1] / lines.length, cells: most[0] } : { share: 0, cells: 0 }
}

/** The separator that a first line such as `sep=;` names, and where the next line begins. */
function separatorLine(sample: string): { separator: string; end: number } | undefined {
  const [line = ''] = sample.slice(0, 20).split(/[\r\n]/, 1)
  const [, separator] = /^"?sep=([^"\r\n])"?$/i.exec(line) ?? []
  return separator === undefined ? undefined : { separator, end: line.length }
}

/** Quoting that a text may have; the first one where others do no better. */
const QUOTINGS = [
  {},
  { isPadded: true },
  { isEscaped: true },
  { isEscaped: true, isPadded: true },
] as const satisfies Omit<Dialect, 'separator'>[]

/** The quoting under which the quotes of the fewest lines are odd. */
function detectQuoting(sample: string, separator: string): Dialect {
  const hasEscapes = sample.includes('\\"')
  const dialects = QUOTINGS.filter((quoting) => hasEscapes || !('isEscaped' in quoting)).map((quoting) => ({
    separator,
    ...quoting,
  }))
  const scores = dialects.map((dialect) => ({
    dialect,
    odd: linesOf(sample, dialect).filter(({ isOdd, fault }) => isOdd || fault).length,
  }))
  return scores.reduce((best, score) => (score.odd < best.odd ? score : best)).dialect
}

/** The number of cells that most lines have, of equally usual ones that of the first line. */
function usualWidth(lines: readonly Line[]): number {
  const counts = new Map<number, number>()
  for (const { cells, isOdd, fault } of lines) {
    if (!isOdd && !fault) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  return most?.[0] ?? 1
}

/** How a text is read, by its first part: `separator` where it is known, `name` that of its file. A first line that names a separator overrules both. */
export function detectDialect(
  sample: string,
  { separator: known, name }: { separator: string | undefined; name: string },
): FoundDialect {
  const named = separatorLine(sample)
  const text = sample.slice(named?.end ?? 0)
  const separator = named?.separator ?? known ?? detectSeparator(text, /\.tsv$/i.test(name) ? '\t' : ';')
  const dialect = text.includes('"') ? detectQuoting(text, separator) : { separator }
  return { ...dialect, width: usualWidth(linesOf(text, dialect)), hasSeparatorLine: named !== undefined }
}

/** Lines of a text without the one that names the separator. */
export function recordsOf(lines: Line[], { hasSeparatorLine }: FoundDialect): Line[] {
  return hasSeparatorLine ? lines.filter(({ number }) => number > 1) : lines
}
