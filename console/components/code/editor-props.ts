import type { ReactNode, Ref } from 'react'
import type { CodeCompletions } from './completions.ts'
import type { CodeLanguage } from './languages.ts'
import type { CodePosition } from './places.ts'
import type { InsertionPoint } from './spots.ts'

/** Something wrong in the text, in words. */
export interface CodeFault extends CodePosition {
  message: string
  severity?: 'error' | 'warning'
}

/** Operations that a code editor offers to its parent. */
export interface CodeEditorHandle {
  /** The cursor position; the end of the message until the cursor has been placed. */
  cursor(): InsertionPoint
}

export interface CodeEditorProps {
  value: string
  onChange(value: string): void
  language: CodeLanguage
  /** Accessible name of the editor: shown above it unless `isLabelHidden`, and read by screen readers. */
  label: string
  isLabelHidden?: boolean
  /** Below it. */
  help?: string
  /** The service's words on the whole. */
  error?: string | undefined
  completions?: CodeCompletions
  faults?: readonly CodeFault[]
  readOnly?: boolean
  /** Pixels; of several lines. */
  minHeight?: number
  maxHeight?: number
  /** A field of one line. */
  singleLine?: boolean
  /** Buttons next to the label. */
  tools?: ReactNode
  hold?: Ref<CodeEditorHandle>
  /** Takes files that are dropped or pasted; `spot` gives where, once for each of them. */
  onFiles?(files: readonly File[], spot: () => InsertionPoint): void
}
