import type { ImportLine } from '../run/lines.ts'
import { type CsvDialect, createCsvReader } from './csv.ts'

/** In order of preference when two divide equally well. */
const SEPARATOR_CANDIDATES = [';', ',', '|', '\t'] as const

const SAMPLE_LINES = 20

/** The number of characters that suffice to detect the dialect. */
const SAMPLE_CHARACTERS = 1 << 16

/** The detected dialect of a text. */
export interface DetectedDialect extends CsvDialect {
  width: number
  /** Its first line names the separator, such as `sep=;` of spreadsheets: it is neither a header nor data. */
  hasSeparatorLine: boolean
}

function readSampleLines(sample: string, dialect: CsvDialect): ImportLine[] {
  const reader = createCsvReader(dialect)
  return [...reader.read(sample), ...reader.end()]
}

/**
 * The separator which divides the first 20 lines of `sample` most evenly: the greatest share of lines have the same
 * number of cells, more than one. Among equally even ones, `preferred` wins, then the one that gives more cells.
 */
export function detectSeparator(sample: string, preferred = ';'): string {
  const separatorScores = SEPARATOR_CANDIDATES.map((separator) => ({
    separator,
    ...measureEvenness(sample, separator),
  }))
  const [bestScore] = separatorScores.sort(
    (a, b) =>
      b.share - a.share || Number(b.separator === preferred) - Number(a.separator === preferred) || b.cells - a.cells,
  )
  return bestScore && bestScore.share > 0 ? bestScore.separator : preferred
}

/** `share`: the share of lines that have the most common number of cells above one; `cells`: that number. */
function measureEvenness(sample: string, separator: string): { share: number; cells: number } {
  const lines = readSampleLines(sample, { separator }).slice(0, SAMPLE_LINES)
  const counts = new Map<number, number>()
  for (const { cells } of lines) {
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  }
  const [mostCommon] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])
  return mostCommon ? { share: mostCommon[1] / lines.length, cells: mostCommon[0] } : { share: 0, cells: 0 }
}

/** The separator that a first line such as `sep=;` names, and where the next line begins. */
function parseSeparatorLine(sample: string): { separator: string; end: number } | undefined {
  const [line = ''] = sample.slice(0, 20).split(/[\r\n]/, 1)
  const [, separator] = /^"?sep=([^"\r\n])"?$/i.exec(line) ?? []
  return separator === undefined ? undefined : { separator, end: line.length }
}

/** The possible ways of quoting; the first wins a tie. */
const QUOTING_CANDIDATES = [
  {},
  { isPadded: true },
  { isEscaped: true },
  { isEscaped: true, isPadded: true },
] as const satisfies Omit<CsvDialect, 'separator'>[]

/** The ways of quoting that can make a difference in a sample. */
function listPossibleQuotings(sample: string): readonly Omit<CsvDialect, 'separator'>[] {
  if (!sample.includes('"')) return [{}]
  return QUOTING_CANDIDATES.filter((quoting) => !('isEscaped' in quoting) || sample.includes('\\"'))
}

/** The dialect whose quoting leaves the fewest lines with odd quotes, and the lines of the sample in it. */
function detectQuoting(sample: string, separator: string): { dialect: CsvDialect; lines: ImportLine[] } {
  const readings = listPossibleQuotings(sample).map((quoting) => {
    const dialect = { separator, ...quoting }
    const lines = readSampleLines(sample, dialect)
    return { dialect, lines, odd: lines.filter(({ isOdd, fault }) => isOdd || fault).length }
  })
  return readings.reduce((best, reading) => (reading.odd < best.odd ? reading : best))
}

/** The most common number of cells; in a tie, that of the earliest line. */
function findUsualWidth(lines: readonly ImportLine[]): number {
  const counts = new Map<number, number>()
  for (const { cells, isOdd, fault } of lines) {
    if (!isOdd && !fault) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  }
  const [mostCommon] = [...counts].sort((a, b) => b[1] - a[1])
  return mostCommon?.[0] ?? 1
}

/**
 * Detects the dialect of a text from its first 64 K characters. `separator`: if known; `name`: that of its file. A separator line
 * overrides both.
 */
export function detectDialect(
  beginning: string,
  { separator: separatorOption, name }: { separator: string | undefined; name: string },
): DetectedDialect {
  const separatorDeclaration = parseSeparatorLine(beginning)
  const sample = beginning.slice(separatorDeclaration?.end ?? 0, SAMPLE_CHARACTERS)
  const separator =
    separatorDeclaration?.separator ?? separatorOption ?? detectSeparator(sample, /\.tsv$/i.test(name) ? '\t' : ';')
  const { dialect, lines } = detectQuoting(sample, separator)
  return { ...dialect, width: findUsualWidth(lines), hasSeparatorLine: separatorDeclaration !== undefined }
}

/** A dialect for a sheet: as wide as the widest of its first lines, since rows end at their last value. */
export function detectSheetDialect(lines: readonly ImportLine[]): DetectedDialect {
  const width = lines.reduce((widest, { cells }) => Math.max(widest, cells.length), 1)
  return { separator: ';', width, hasSeparatorLine: false }
}

/** The lines of a text without the separator line. */
export function dropSeparatorLine(lines: ImportLine[], { hasSeparatorLine }: DetectedDialect): ImportLine[] {
  return hasSeparatorLine ? lines.filter(({ number }) => number > 1) : lines
}
