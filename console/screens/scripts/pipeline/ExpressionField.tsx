import { useMemo } from 'react'
import { ExpressionField as WrittenField } from '../../../components/expression/ExpressionField.tsx'
import { type Expression, isComputed } from '../../../components/expression/expression.ts'
import { valueAt } from '../../../components/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import { useDesk, useFault, useTextFaults } from './desk.ts'
import { literal } from './kinds.ts'
import { LiteralField } from './LiteralField.tsx'
import { firstLiteral, kindOfLiteral, type LiteralKind, PLAIN } from './literals.ts'

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
    const all = {
      words: [...roots, ...names].map((label) => ({ label, type: 'variable' as const })),
      variables: roots.map((label) => ({ label, type: 'variable' as const })),
      properties: below,
    }
    return { paths: names, template: all, script: all }
  }, [names])
}

/** A value that is given, read at a path, written as a template or computed by a script. */
export function ExpressionField({ at, label, names, literals = PLAIN, isLabelHidden = false }: Props) {
  const t = useText(scriptTexts)
  const { form, isReadOnly } = useDesk()
  const error = useFault(at, `${at}/value`)
  const { type, value } = asExpression(valueAt(form.value, at))
  const kind = type === 'literal' ? (kindOfLiteral(value, literals) ?? 'json') : type
  const kinds: readonly LiteralKind[] =
    literals.includes(kind as LiteralKind) || type !== 'literal' ? literals : [...literals, 'json']
  const choose = (next: string): void => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    const before = type === 'literal' ? value : undefined
    form.set(at, isComputed(next) ? { type: next, value: text } : literal(firstLiteral(next as LiteralKind, before)))
  }
  return (
    <WrittenField
      isInline
      {...{ label, isLabelHidden, isReadOnly, error }}
      way={kind}
      given={kinds.map((one) => ({ value: one, label: t(`as_${one}`) }))}
      text={String(value ?? '')}
      words={useWords(names)}
      faults={useTextFaults(`${at}/value`)}
      onWay={choose}
      onText={(text) => form.set(at, { type: kind, value: text })}
    >
      <LiteralField
        kind={kind as LiteralKind}
        {...{ label, value, error, isReadOnly }}
        onChange={(next) => form.set(at, literal(next))}
      />
    </WrittenField>
  )
}
