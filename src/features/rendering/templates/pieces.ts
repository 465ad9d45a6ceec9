/** A text that a template writes into every message. Made once when it is parsed: the object itself is what names it. */
export interface StaticText {
  readonly type: 'static'
  readonly text: string
}

/** What a rendered part is made of: what its template wrote, and what is this message's own. */
export type TextPiece = string | StaticText

/** Below this, copying a text on lines of its own takes more than it spares. */
const LEAST_STATIC = 64

/** Begins or ends with half of a surrogate pair: the other half may come from a value. */
const HALVED = /^[\udc00-\udfff]|[\ud800-\udbff]$/

/**
 * A text of a template in pieces. A static text neither begins nor ends with white space, so that blanks and line ends
 * at its seams, which depend on what is beside them, are not its own.
 */
export function splitTextPieces(text: string): TextPiece[] {
  const core = text.trim()
  if (core.length < LEAST_STATIC || HALVED.test(core)) return text === '' ? [] : [text]
  const start = text.indexOf(core)
  const around = [text.slice(0, start), { type: 'static', text: core } as const, text.slice(start + core.length)]
  return around.filter((piece) => piece !== '')
}

/** The text of pieces, or of anything else that stands for some text. */
export function joinTextPieces(pieces: readonly (string | { text: string })[]): string {
  let text = ''
  for (const piece of pieces) text += typeof piece === 'string' ? piece : piece.text
  return text
}

/** Adds a piece; texts of a message that follow each other become one. */
export function appendTextPiece<T extends object>(pieces: (string | T)[], piece: string | T): void {
  const last = pieces.length - 1
  const before = pieces[last]
  if (typeof piece === 'string' && typeof before === 'string') pieces[last] = before + piece
  else if (piece !== '') pieces.push(piece)
}
