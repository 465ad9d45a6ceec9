import { TextInput } from '@mantine/core'
import { ExpressionInput as WrittenField } from '../../../components/expression/ExpressionInput.tsx'
import { isApiExpression, isExpressionKind } from '../../../components/expression/expression.ts'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { LiteralShape } from '../model/settings.ts'
import { LITERAL_SHAPE_FIELDS } from '../shapes/shapes.tsx'
import { type NodeFieldProps, useNodeFieldFault, useNodeTextFaults } from './node-form.ts'
import { useScopeCompletions } from './scope.ts'
import { workflowFieldTexts } from './texts.ts'

type ExpressionMode = 'literal' | 'path' | 'template' | 'script'
const LITERAL_MODE = 'literal'

/** Value of a text typed as a literal: a number or a boolean if it looks like one and replaces one. */
function parseLiteral(text: string, before: unknown): unknown {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

interface Props extends NodeFieldProps {
  /** Initial mode of an empty expression. */
  least: ExpressionMode
  /** Input type of a literal value other than text. */
  shape?: LiteralShape | undefined
}

const formatText = (value: unknown): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value)

/** A value that is given, read at a path, written as a template or computed by a script. */
export function WorkflowExpressionField({ form, at, label, isReadOnly, least, shape }: Props) {
  const t = useTranslator(workflowFieldTexts)
  const error = useNodeFieldFault({ form, at })
  const storedExpression = readPointerValue(form.value, at)
  const isEmpty = storedExpression === undefined || storedExpression === null
  const { type: way, value } = isApiExpression(storedExpression)
    ? storedExpression
    : { type: isEmpty ? least : LITERAL_MODE, value: storedExpression }
  const text = formatText(value)
  const changeExpression = (next: unknown): void =>
    form.set(at, next !== null && typeof next === 'object' ? { type: LITERAL_MODE, value: next } : (next ?? undefined))
  const isJson = !shape && way === LITERAL_MODE && value !== null && typeof value === 'object'
  const ShapedField = shape || isJson ? LITERAL_SHAPE_FIELDS[shape ?? 'json'] : null
  return (
    <WrittenField
      label={label}
      isReadOnly={isReadOnly}
      error={error}
      text={text}
      way={way}
      given={[{ value: LITERAL_MODE, label: t('as-literal') }]}
      words={useScopeCompletions()}
      faults={useNodeTextFaults(at)}
      onWay={(next) => form.set(at, isExpressionKind(next) ? { type: next, value: text } : shape ? undefined : text)}
      onText={(next) => form.set(at, next === '' ? undefined : { type: way, value: next })}
    >
      {ShapedField ? (
        <ShapedField label={label} value={value} isReadOnly={isReadOnly} error={error} onChange={changeExpression} />
      ) : (
        <TextInput
          aria-label={label}
          readOnly={isReadOnly}
          error={error}
          value={text}
          onChange={({ currentTarget: { value: next } }) =>
            changeExpression(next === '' ? undefined : parseLiteral(next, value))
          }
        />
      )}
    </WrittenField>
  )
}
