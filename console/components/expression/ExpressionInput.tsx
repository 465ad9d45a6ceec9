import { Autocomplete, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { CodeEditor } from '../code/CodeEditor.tsx'
import type { CodeFault } from '../code/editor-props.ts'
import type { FieldChoice } from '../form/fields.tsx'
import styles from './Expression.module.css'
import { EXPRESSION_KINDS, type ExpressionCompletions, isExpressionKind } from './expression.ts'
import { expressionTexts } from './texts.ts'

interface Props {
  label: string
  isLabelHidden?: boolean
  /** Editing mode: computed, or one of `given`. */
  way: string
  /** Ways of giving a value. */
  given: readonly FieldChoice[]
  /** Text of a computed expression. */
  text: string
  words: ExpressionCompletions
  error: string | undefined
  /** Within the text. */
  faults: readonly CodeFault[]
  isReadOnly: boolean
  /** True if the field shares a line with others: the mode is next to it, and scripts have one line. */
  isInline?: boolean
  onWay(way: string): void
  onText(text: string): void
  /** The field of a value that is given. */
  children: ReactNode
}

function ComputedField({ label, way, text, words, error, faults, isReadOnly, isInline = false, onText }: Props) {
  if (way === 'path')
    return (
      <Autocomplete
        {...(isInline && { size: 'xs' })}
        className={styles['wide']!}
        classNames={{ input: styles['path']! }}
        limit={60}
        aria-label={label}
        // What is written out whole has nothing to be completed.
        data={words.paths.includes(text) ? [] : [...new Set(words.paths)]}
        error={error ?? faults[0]?.message}
        readOnly={isReadOnly}
        value={text}
        onChange={onText}
      />
    )
  const isScript = way === 'script'
  return (
    <div className={styles['wide']}>
      <CodeEditor
        key={way}
        isLabelHidden
        label={label}
        language={isScript ? 'javascript' : 'liquid'}
        completions={isScript ? words.script : words.template}
        singleLine={isInline && isScript}
        minHeight={isInline ? 36 : 56}
        maxHeight={isInline ? 160 : 280}
        faults={faults}
        error={error}
        readOnly={isReadOnly}
        value={text}
        onChange={onText}
      />
    </div>
  )
}

/** A value that is given, read at a path, written as a template or computed by a script. */
export function ExpressionInput(props: Props) {
  const { label, isLabelHidden = false, way, given: valueModes, isReadOnly, isInline = false, onWay, children } = props
  const t = useTranslator(expressionTexts)
  const computedModes = EXPRESSION_KINDS.map((expressionKind) => ({
    value: expressionKind,
    label: t(`as-${expressionKind}`),
  }))
  const hasSingleMode = valueModes.length === 1
  const modeSelect = (
    <Select
      size="xs"
      {...(isInline && !isLabelHidden && { label })}
      {...(!isInline && { w: 120 })}
      aria-label={`${label}: ${t('writtenAs')}`}
      comboboxProps={{ width: 220, position: isInline ? 'bottom-start' : 'bottom-end' }}
      allowDeselect={false}
      readOnly={isReadOnly}
      data={
        hasSingleMode
          ? [...valueModes, ...computedModes]
          : [
              { group: t('computed'), items: computedModes },
              { group: t('given'), items: [...valueModes] },
            ]
      }
      value={way}
      onChange={(next) => next !== null && next !== way && onWay(next)}
    />
  )
  return (
    <div className={styles[isInline ? 'inline' : 'block']}>
      {isInline ? (
        modeSelect
      ) : (
        <div className={styles['labelled']}>
          <span aria-hidden>{label}</span>
          {modeSelect}
        </div>
      )}
      {isExpressionKind(way) ? <ComputedField {...props} /> : children}
    </div>
  )
}
