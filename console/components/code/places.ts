import type { Text } from '@codemirror/state'

/** A place in a text, both from 1. */
export interface CodePosition {
  line: number
  column: number
  /** Number of characters from that position; defaults to the word at that position. */
  length?: number
}

const LEADING_WORD = /^(?:[\p{L}\p{N}_$]+|[^\s])/u

/** From where to where a place is in the document: at least a character where there is one; places beyond it are at its end. */
export function toDocumentRange(doc: Text, { line, column, length }: CodePosition): { from: number; to: number } {
  if (line > doc.lines) return { from: doc.length, to: doc.length }
  const lineInfo = doc.line(Math.max(1, line))
  const startOffset = Math.min(lineInfo.from + Math.max(1, column) - 1, lineInfo.to)
  if (length !== undefined && length > 0) return { from: startOffset, to: Math.min(startOffset + length, doc.length) }
  const wordLength = LEADING_WORD.exec(lineInfo.text.slice(startOffset - lineInfo.from))?.[0].length ?? 0
  return {
    from: wordLength === 0 && startOffset > lineInfo.from ? startOffset - 1 : startOffset,
    to: startOffset + wordLength,
  }
}

/** A text as a field of one line takes it. */
export const joinCodeLines = (text: string): string => text.replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
