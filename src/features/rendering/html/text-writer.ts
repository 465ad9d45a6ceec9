/** Collects text as HTML shows it: blanks collapsed, blocks separated by line breaks. */
export interface TextWriter {
  text(plain: string): void
  /** Text whose spaces and line ends are kept. */
  preformatted(plain: string): void
  /** A template tag that prints a value, as it is. */
  output(source: string): void
  /** A template tag that prints nothing. */
  tag(source: string): void
  /** At least `count` line ends before what follows; none when nothing came before. */
  endLines(count: number): void
  /** One line end more. */
  breakLine(): void
  /** The address of the link whose text came last. */
  address(address: string): void
  result(): string
}

/** Blanks, and the invisible characters (zero width space, joiners) that fill up preview texts. */
const BLANKS_PATTERN = /((?:[ \t\r\n\f]|\u200b|\u200c|\u034f)+)/

export function createHtmlTextWriter(): TextWriter {
  let writtenText = ''
  let hasText = false
  /** Line ends that the text ends with, tags passed over: a loop begins with those that its body ends with. */
  let lineEnds = 0
  let pendingLines = 0
  let isBlankPending = false

  function flushLines(): void {
    if (pendingLines > 0 && hasText) {
      writtenText += '\n'.repeat(pendingLines)
      lineEnds += pendingLines
    } else if (isBlankPending && hasText && lineEnds === 0) writtenText += ' '
    pendingLines = 0
    isBlankPending = false
  }

  function write(text: string): void {
    flushLines()
    writtenText += text
    hasText = true
    lineEnds = 0
  }

  /** Writes text so that a brace from a character reference does not begin a template tag. */
  function writePlain(text: string): void {
    write(text.replaceAll('\u00a0', ' ').replaceAll('{', '{{ "{" }}'))
  }

  return {
    text(plain) {
      for (const [index, piece] of plain.split(BLANKS_PATTERN).entries()) {
        if (piece === '') continue
        if (index % 2 === 1) isBlankPending = true
        else writePlain(piece)
      }
    },
    preformatted(plain) {
      for (const [index, line] of plain.split(/\r\n|\r|\n/).entries()) {
        if (index > 0) pendingLines++
        if (line !== '') writePlain(line)
      }
    },
    output: write,
    tag(source) {
      flushLines()
      writtenText += source
    },
    endLines(count) {
      pendingLines = Math.max(pendingLines, count - lineEnds)
    },
    breakLine() {
      pendingLines++
    },
    address(address) {
      isBlankPending = true
      write(`[${address}]`)
    },
    result: () => `${writtenText.trim()}\n`,
  }
}
