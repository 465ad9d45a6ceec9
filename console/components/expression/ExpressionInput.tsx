import { Autocomplete, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { CodeEditor, type CodeFault } from '../code/CodeEditor.tsx'
import type { FieldChoice } from '../form/fields.tsx'
import styles from './Expression.module.css'
import { EXPRESSION_KINDS, type ExpressionCompletions, isExpressionKind } from './expression.ts'
import { expressionTexts } from './texts.ts'

interface Props {
  label: string
  isLabelHidden?: boolean
  /** How it is written: computed, or one of `given`. */
  way: string
  /** Ways of giving a value. */
  given: readonly FieldChoice[]
  /** Of what is computed. */
  text: string
  words: ExpressionCompletions
  error: string | undefined
  /** Within the text. */
  faults: readonly CodeFault[]
  isReadOnly: boolean
  /** It stands in a line with others: its way beside it, scripts of one line. */
  isInline?: boolean
  onWay(way: string): void
  onText(text: string): void
  /** The field of a value that is given. */
  children: ReactNode
}

function Written({ label, way, text, words, error, faults, isReadOnly, isInline = false, onText }: Props) {
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
  const { label, isLabelHidden = false, way, given, isReadOnly, isInline = false, onWay, children } = props
  const t = useTranslator(expressionTexts)
  const computed = EXPRESSION_KINDS.map((one) => ({ value: one, label: t(`as-${one}`) }))
  const isOnly = given.length === 1
  const ways = (
    <Select
      size="xs"
      {...(isInline && !isLabelHidden && { label })}
      {...(!isInline && { w: 120 })}
      aria-label={`${label}: ${t('writtenAs')}`}
      comboboxProps={{ width: 220, position: isInline ? 'bottom-start' : 'bottom-end' }}
      allowDeselect={false}
      readOnly={isReadOnly}
      data={
        isOnly
          ? [...given, ...computed]
          : [
              { group: t('computed'), items: computed },
              { group: t('given'), items: [...given] },
            ]
      }
      value={way}
      onChange={(next) => next !== null && next !== way && onWay(next)}
    />
  )
  return (
    <div className={styles[isInline ? 'inline' : 'block']}>
      {isInline ? (
        ways
      ) : (
        <div className={styles['labelled']}>
          <span aria-hidden>{label}</span>
          {ways}
        </div>
      )}
      {isExpressionKind(way) ? <Written {...props} /> : children}
    </div>
  )
}
