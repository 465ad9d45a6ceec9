import { Autocomplete, Select } from '@mantine/core'
import { useMemo } from 'react'
import { CodeEditor } from '../../../parts/code/CodeEditor.tsx'
import { valueAt } from '../../../parts/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import { useDesk, useFault, useTextFaults } from './desk.ts'
import { type Expression, literal } from './kinds.ts'
import { LiteralField } from './LiteralField.tsx'
import { firstLiteral, kindOfLiteral, type LiteralKind, PLAIN } from './literals.ts'
import styles from './Pipeline.module.css'

const COMPUTED = ['path', 'template', 'script'] as const

interface Props {
  at: string
  label: string
  /** What paths are offered, such as `row.id`. */
  names: readonly string[]
  /** How a value that is given may be written. */
  literals?: readonly LiteralKind[]
  isLabelHidden?: boolean
}

/** What stands there, as an expression: bare values are literals. */
function asExpression(value: unknown): Expression {
  const isOne = value !== null && typeof value === 'object' && 'type' in value
  return isOne ? (value as Expression) : literal(value ?? null)
}

/** Roots and members of paths, for what is written in templates and scripts. */
function useWords(names: readonly string[]) {
  return useMemo(() => {
    const roots = [...new Set(names.map((name) => name.split(/[.[]/, 1)[0] ?? ''))]
    const below = (path: readonly string[]) => {
      const start = `${path.join('.')}.`
      const members = names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length))
      return [...new Set(members.map((name) => name.split(/[.[]/, 1)[0] ?? ''))].map((label) => ({ label }))
    }
    return {
      words: [...roots, ...names].map((label) => ({ label, type: 'variable' as const })),
      variables: roots.map((label) => ({ label, type: 'variable' as const })),
      properties: below,
    }
  }, [names])
}

function Computed({ at, label, names, type, text }: Props & { type: 'template' | 'script'; text: string }) {
  const { form, isReadOnly } = useDesk()
  const faults = useTextFaults(`${at}/value`)
  const error = useFault(at, `${at}/value`)
  return (
    <div className={styles['wide']}>
      <CodeEditor
        isLabelHidden
        singleLine={type === 'script'}
        minHeight={36}
        maxHeight={160}
        label={label}
        language={type === 'script' ? 'javascript' : 'liquid'}
        completions={useWords(names)}
        faults={faults}
        error={error}
        readOnly={isReadOnly}
        value={text}
        onChange={(value) => form.set(at, { type, value })}
      />
    </div>
  )
}

function PathInput({ at, label, names, text }: Props & { text: string }) {
  const { form, isReadOnly } = useDesk()
  const placed = useTextFaults(`${at}/value`)
  const error = useFault(at, `${at}/value`) ?? placed[0]?.message
  return (
    <Autocomplete
      size="xs"
      className={styles['wide']!}
      classNames={{ input: styles['path']! }}
      limit={60}
      aria-label={label}
      // What is written out whole has nothing to be completed.
      data={names.includes(text) ? [] : [...new Set(names)]}
      error={error}
      readOnly={isReadOnly}
      value={text}
      onChange={(value) => form.set(at, { type: 'path', value })}
    />
  )
}

/** A value that is given, read at a path, written as a template or computed by a script. */
export function ExpressionField(props: Props) {
  const { at, label, literals = PLAIN, isLabelHidden = false } = props
  const t = useText(scriptTexts)
  const { form, isReadOnly } = useDesk()
  const error = useFault(at, `${at}/value`)
  const { type, value } = asExpression(valueAt(form.value, at))
  const kind = type === 'literal' ? (kindOfLiteral(value, literals) ?? 'json') : type
  const kinds: readonly (LiteralKind | (typeof COMPUTED)[number])[] = [
    ...(literals.includes(kind as LiteralKind) || type !== 'literal' ? literals : [...literals, 'json' as const]),
  ]
  const choose = (next: string): void => {
    const isComputed = COMPUTED.some((one) => one === next)
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    const before = type === 'literal' ? value : undefined
    form.set(at, isComputed ? { type: next, value: text } : literal(firstLiteral(next as LiteralKind, before)))
  }
  return (
    <div className={styles['expression']}>
      <Select
        size="xs"
        {...(!isLabelHidden && { label })}
        aria-label={`${label}: ${t('writtenAs')}`}
        comboboxProps={{ width: 220, position: 'bottom-start' }}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={[
          { group: t('computed'), items: COMPUTED.map((one) => ({ value: one, label: t(`as_${one}`) })) },
          { group: t('given'), items: kinds.map((one) => ({ value: one, label: t(`as_${one}`) })) },
        ]}
        value={kind}
        onChange={(next) => next !== null && next !== kind && choose(next)}
      />
      {kind === 'path' && <PathInput {...props} text={String(value ?? '')} />}
      {(kind === 'template' || kind === 'script') && (
        <Computed {...props} key={kind} type={kind} text={String(value ?? '')} />
      )}
      {type === 'literal' && (
        <LiteralField
          kind={kind as LiteralKind}
          label={label}
          value={value}
          error={error}
          isReadOnly={isReadOnly}
          onChange={(next) => form.set(at, literal(next))}
        />
      )}
    </div>
  )
}
