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
  /** Suggested paths, such as `row.id`. */
  names: readonly string[]
  /** Kinds of literal values that are allowed. */
  literals?: readonly LiteralKind[]
  isLabelHidden?: boolean
}

/** Converts the stored value to an expression: bare values become literals. */
function toExpression(value: unknown): ApiExpression {
  const isExpression = value !== null && typeof value === 'object' && 'type' in value
  return isExpression ? (value as ApiExpression) : literalExpression(value ?? null)
}

/** Roots and members of paths, for what is written in templates and scripts. */
function useNameCompletions(names: readonly string[]) {
  return useMemo(() => {
    const rootNames = [...new Set(names.map((name) => name.split(/[.[]/, 1)[0] ?? ''))]
    const listMembersBelow = (path: readonly string[]) => {
      const pathPrefix = `${path.join('.')}.`
      const memberNames = names
        .filter((name) => name.startsWith(pathPrefix))
        .map((name) => name.slice(pathPrefix.length))
      return [...new Set(memberNames.map((name) => name.split(/[.[]/, 1)[0] ?? ''))].map((label) => ({ label }))
    }
    const nameCompletions = {
      words: [...rootNames, ...names].map((label) => ({ label, type: 'variable' as const })),
      variables: rootNames.map((label) => ({ label, type: 'variable' as const })),
      properties: listMembersBelow,
    }
    return { paths: names, template: nameCompletions, script: nameCompletions }
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
  const { type, value } = toExpression(readPointerValue(form.value, at))
  const expressionKind = type === 'literal' ? (findLiteralKind(value, literals) ?? 'json') : type
  const expressionKinds: readonly LiteralKind[] =
    literals.includes(expressionKind as LiteralKind) || type !== 'literal' ? literals : [...literals, 'json']
  const chooseKind = (next: string): void => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
    const literalValue = type === 'literal' ? value : undefined
    form.set(
      at,
      isExpressionKind(next)
        ? { type: next, value: text }
        : literalExpression(createLiteral(next as LiteralKind, literalValue)),
    )
  }
  return (
    <WrittenField
      isInline
      label={label}
      isLabelHidden={isLabelHidden}
      isReadOnly={isReadOnly}
      error={error}
      way={expressionKind}
      given={expressionKinds.map((kindOption) => ({ value: kindOption, label: t(`as_${kindOption}`) }))}
      text={String(value ?? '')}
      words={useNameCompletions(names)}
      faults={usePipelineTextFaults(`${at}/value`)}
      onWay={chooseKind}
      onText={(text) => form.set(at, { type: expressionKind, value: text })}
    >
      <LiteralField
        kind={expressionKind as LiteralKind}
        label={label}
        value={value}
        error={error}
        isReadOnly={isReadOnly}
        onChange={(next) => form.set(at, literalExpression(next))}
      />
    </WrittenField>
  )
}
