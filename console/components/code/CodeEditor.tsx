import { Input } from '@mantine/core'
import { type CSSProperties, lazy, Suspense, useId } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { LoadingSkeleton } from '../layout/LoadingSkeleton.tsx'
import styles from './CodeEditor.module.css'
import type { CodeEditorProps } from './editor-props.ts'
import { codeTexts } from './texts.ts'

const LazyCodeMirrorEditor = lazy(() => import('./CodeMirrorEditor.tsx'))

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
