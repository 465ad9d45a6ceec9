import { Input } from '@mantine/core'
import { type CSSProperties, lazy, type ReactNode, type Ref, Suspense, useId } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import styles from './CodeEditor.module.css'
import type { CodeCompletions } from './completions.ts'
import type { CodeLanguage } from './languages.ts'
import type { CodePosition } from './places.ts'
import type { InsertionPoint } from './spots.ts'
import { codeTexts } from './texts.ts'

const LazyCodeMirrorEditor = lazy(() => import('./CodeMirrorEditor.tsx'))

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

/**
 * Code to write: colours, completion, faults at their places, search (Ctrl or ⌘ F). Tab leaves it; Ctrl or ⌘ M has Tab indent instead, and
 * then Esc, Tab leaves it. Loaded when it is first used.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { label, isLabelHidden = false, help, error, singleLine = false, readOnly = false, faults = [], tools } = props
  const { minHeight = singleLine ? 36 : 160, maxHeight = 560 } = props
  const t = useTranslator(codeTexts)
  const id = useId()
  return (
    <div className={styles['field']}>
      {!isLabelHidden && (
        <div className={styles['head']}>
          <Input.Label component="div">{label}</Input.Label>
          {tools}
        </div>
      )}
      {help && <Input.Description>{help}</Input.Description>}
      <div
        className={styles['box']}
        data-line={singleLine || undefined}
        data-fault={error !== undefined || undefined}
        data-readonly={readOnly || undefined}
        style={{ '--code-least': `${minHeight}px`, '--code-most': `${maxHeight}px` } as CSSProperties}
      >
        <Suspense fallback={<LoadingSkeleton lines={singleLine ? [60] : [40, 70, 55]} />}>
          <LazyCodeMirrorEditor {...props} describedBy={`${id}-keys ${id}-faults`} />
        </Suspense>
      </div>
      <span id={`${id}-keys`} hidden>
        {t(singleLine ? 'lineKeys' : 'keys')}
      </span>
      <span id={`${id}-faults`} hidden>
        {faults.map(({ line, message }) => t('faultAt', { line, message })).join(' ')}
      </span>
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </div>
  )
}
