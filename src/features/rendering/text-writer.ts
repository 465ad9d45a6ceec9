/** Collects text as HTML shows it: blanks collapsed, blocks parted by line ends. */
export interface TextWriter {
  text(plain: string): void
  /** A template tag, as it is. */
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
const BLANKS = /((?:[ \t\r\n\f]|\u200b|\u200c|\u034f)+)/
const BRACES = /\{[{%]/g

export function textWriter(): TextWriter {
  let written = ''
  let pendingLines = 0
  let isBlankPending = false

  function settle(): void {
    if (pendingLines > 0 && written !== '') written += '\n'.repeat(pendingLines)
    else if (isBlankPending && written !== '' && !written.endsWith('\n')) written += ' '
    pendingLines = 0
    isBlankPending = false
  }

  return {
    text(plain) {
      for (const [index, piece] of plain.split(BLANKS).entries()) {
        if (piece === '') continue
        if (index % 2 === 1) {
          isBlankPending = true
          continue
        }
        settle()
        // Text that only became braces when it was decoded is no template.
        written += piece.replaceAll('\u00a0', ' ').replace(BRACES, (braces) => `{{ "${braces}" }}`)
      }
    },
    tag(source) {
      settle()
      written += source
    },
    endLines(count) {
      pendingLines = Math.max(pendingLines, count)
    },
    breakLine() {
      pendingLines++
    },
    address(address) {
      const isLineEmpty = written === '' || written.endsWith('\n') || pendingLines > 0
      settle()
      written += isLineEmpty || written.endsWith(' ') ? `[${address}]` : ` [${address}]`
    },
    result: () => `${written.trim()}\n`,
  }
}
