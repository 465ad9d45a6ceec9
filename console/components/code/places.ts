import type { Text } from '@codemirror/state'

/** A place in a text, both from 1. */
export interface CodePosition {
  line: number
  column: number
  /** Characters from there; the word that stands there when absent. */
  length?: number
}

const WORD = /^(?:[\p{L}\p{N}_$]+|[^\s])/u

/** From where to where a place is in the document: at least a character where there is one; places beyond it are at its end. */
export function toDocumentRange(doc: Text, { line, column, length }: CodePosition): { from: number; to: number } {
  if (line > doc.lines) return { from: doc.length, to: doc.length }
  const at = doc.line(Math.max(1, line))
  const from = Math.min(at.from + Math.max(1, column) - 1, at.to)
  if (length !== undefined && length > 0) return { from, to: Math.min(from + length, doc.length) }
  const word = WORD.exec(at.text.slice(from - at.from))?.[0].length ?? 0
  return { from: word === 0 && from > at.from ? from - 1 : from, to: from + word }
}

/** A text as a field of one line takes it. */
export const joinCodeLines = (text: string): string => text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
