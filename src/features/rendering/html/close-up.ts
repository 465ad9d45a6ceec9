import { appendTextPiece, splitTextPieces, type TextPiece } from '../templates/pieces.ts'

/** A text of a derived template in pieces, closed up inside. */
export function splitCollapsedPieces(text: string): TextPiece[] {
  return splitTextPieces(text).map((piece) =>
    typeof piece === 'string' ? piece : { type: 'static', text: collapseLines(piece.text) },
  )
}

/**
 * Derived text without the blanks and blank lines that conditions leave, and with one line end behind it. Static pieces
 * are closed up already, and neither begin nor end with white space: what is between two of them is read by itself.
 */
export function collapseBlankLines(pieces: readonly TextPiece[]): TextPiece[] {
  const collapsedPieces: TextPiece[] = []
  const lastIndex = pieces.length - 1
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece !== 'string') {
      appendTextPiece(collapsedPieces, piece)
      continue
    }
    const text = collapseLines(piece)
    const trimmedStart = index === 0 ? text.trimStart() : text
    appendTextPiece(collapsedPieces, index === lastIndex ? trimmedStart.trimEnd() : trimmedStart)
  }
  appendTextPiece(collapsedPieces, '\n')
  return collapsedPieces
}

/** Most texts have no stray blanks and blank lines, and are only searched. */
function collapseLines(text: string): string {
  const lines = trimLineEnds(text)
  return lines.includes('\n\n\n') ? lines.replace(/\n{3,}/g, '\n\n') : lines
}

function isBlankCode(code: number): boolean {
  return code === 32 || code === 9
}

/** Without blanks before line ends. Line ends are looked for, and not every blank of the text looked behind. */
function trimLineEnds(text: string): string {
  let trimmedText = ''
  let copyStart = 0
  for (let lineEnd = text.indexOf('\n'); lineEnd >= 0; lineEnd = text.indexOf('\n', lineEnd + 1)) {
    const contentEnd = text.charCodeAt(lineEnd - 1) === 13 ? lineEnd - 1 : lineEnd
    let trimPosition = contentEnd
    while (trimPosition > copyStart && isBlankCode(text.charCodeAt(trimPosition - 1))) trimPosition--
    if (trimPosition === contentEnd) continue
    trimmedText += text.slice(copyStart, trimPosition)
    copyStart = contentEnd
  }
  return copyStart === 0 ? text : trimmedText + text.slice(copyStart)
}
