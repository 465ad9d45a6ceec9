import { useMemo } from 'react'
import { ExpressionInput as WrittenField } from '../../../components/expression/ExpressionInput.tsx'
import { type ApiExpression, isExpressionKind } from '../../../components/expression/expression.ts'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import { usePipelineEditor, usePipelineFault, usePipelineTextFaults } from './desk.ts'
import { literalExpression } from './kinds.ts'
import { LiteralField } from './LiteralField.tsx'
import { createLiteral, findLiteralKind, type LiteralKind, PLAIN_LITERAL_KINDS } from './literals.ts'

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
function asExpression(value: unknown): ApiExpression {
  const isOne = value !== null && typeof value === 'object' && 'type' in value
  return isOne ? (value as ApiExpression) : literalExpression(value ?? null)
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
export function PipelineExpressionField({
  at,
  label,
  names,
  literals = PLAIN_LITERAL_KINDS,
  isLabelHidden = false,
}: Props) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const error = usePipelineFault(at, `${at}/value`)
  const { type, value } = asExpression(readPointerValue(form.value, at))
  const kind = type === 'literal' ? (findLiteralKind(value, literals) ?? 'json') : type
  const kinds: readonly LiteralKind[] =
    literals.includes(kind as LiteralKind) || type !== 'literal' ? literals : [...literals, 'json']
  const choose = (next: string): void => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    const before = type === 'literal' ? value : undefined
    form.set(
      at,
      isExpressionKind(next)
        ? { type: next, value: text }
        : literalExpression(createLiteral(next as LiteralKind, before)),
    )
  }
  return (
    <WrittenField
      isInline
      {...{ label, isLabelHidden, isReadOnly, error }}
      way={kind}
      given={kinds.map((one) => ({ value: one, label: t(`as_${one}`) }))}
      text={String(value ?? '')}
      words={useWords(names)}
      faults={usePipelineTextFaults(`${at}/value`)}
      onWay={choose}
      onText={(text) => form.set(at, { type: kind, value: text })}
    >
      <LiteralField
        kind={kind as LiteralKind}
        {...{ label, value, error, isReadOnly }}
        onChange={(next) => form.set(at, literalExpression(next))}
      />
    </WrittenField>
  )
}
