import { appendTextPiece, splitTextPieces, type TextPiece } from '../templates/pieces.ts'

/** A text of a derived template in pieces, closed up inside. */
export function splitCollapsedPieces(text: string): TextPiece[] {
  return splitTextPieces(text).map((piece) =>
    typeof piece === 'string' ? piece : { type: 'static', text: closeLines(piece.text) },
  )
}

/**
 * Derived text without the blanks and blank lines that conditions leave, and with one line end behind it. Static pieces
 * are closed up already, and neither begin nor end with white space: what is between two of them is read by itself.
 */
export function collapseBlankLines(pieces: readonly TextPiece[]): TextPiece[] {
  const closed: TextPiece[] = []
  const last = pieces.length - 1
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece !== 'string') {
      appendTextPiece(closed, piece)
      continue
    }
    const text = closeLines(piece)
    const started = index === 0 ? text.trimStart() : text
    appendTextPiece(closed, index === last ? started.trimEnd() : started)
  }
  appendTextPiece(closed, '\n')
  return closed
}

/** Most texts have no stray blanks and blank lines, and are only searched. */
function closeLines(text: string): string {
  const lines = withoutStrayBlanks(text)
  return lines.includes('\n\n\n') ? lines.replace(/\n{3,}/g, '\n\n') : lines
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

/** Without blanks before line ends. Line ends are looked for, and not every blank of the text looked behind. */
function withoutStrayBlanks(text: string): string {
  let kept = ''
  let from = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    const stop = text.charCodeAt(end - 1) === 13 ? end - 1 : end
    let last = stop
    while (last > from && isBlank(text.charCodeAt(last - 1))) last--
    if (last === stop) continue
    kept += text.slice(from, last)
    from = stop
  }
  return from === 0 ? text : kept + text.slice(from)
}
