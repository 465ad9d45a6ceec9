/** A text that a template writes into every message. Made once when it is parsed: the object itself is what names it. */
export interface StaticText {
  readonly type: 'static'
  readonly text: string
}

/** Piece of a rendered part: output of its template, or text that belongs only to this message. */
export type TextPiece = string | StaticText

/** Below this, copying a text on lines of its own takes more than it spares. */
const MIN_STATIC_LENGTH = 64

/** Begins or ends with half of a surrogate pair: the other half may come from a value. */
const SURROGATE_EDGE_PATTERN = /^[\udc00-\udfff]|[\ud800-\udbff]$/

/**
 * Splits the text of a template into pieces. A static text neither begins nor ends with white space: spaces and line ends at its edges
 * depend on the adjacent pieces.
 */
export function splitTextPieces(text: string): TextPiece[] {
  const trimmedText = text.trim()
  if (trimmedText.length < MIN_STATIC_LENGTH || SURROGATE_EDGE_PATTERN.test(trimmedText))
    return text === '' ? [] : [text]
  const start = text.indexOf(trimmedText)
  const surroundingPieces = [
    text.slice(0, start),
    { type: 'static', text: trimmedText } as const,
    text.slice(start + trimmedText.length),
  ]
  return surroundingPieces.filter((piece) => piece !== '')
}

/** The text of pieces, or of anything else that stands for some text. */
export function joinTextPieces(pieces: readonly (string | { text: string })[]): string {
  let text = ''
  for (const piece of pieces) text += typeof piece === 'string' ? piece : piece.text
  return text
}

/** Adds a piece; texts of a message that follow each other become one. */
export function appendTextPiece<T extends object>(pieces: (string | T)[], piece: string | T): void {
  const lastIndex = pieces.length - 1
  const lastPiece = pieces[lastIndex]
  if (typeof piece === 'string' && typeof lastPiece === 'string') pieces[lastIndex] = lastPiece + piece
  else if (piece !== '') pieces.push(piece)
}
