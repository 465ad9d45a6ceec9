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

type Way = 'literal' | 'path' | 'template' | 'script'
const GIVEN = 'literal'

/** What a text that was typed as a value is stored as: a number or a truth where it looks like one and one stood there. */
function literal(text: string, before: unknown): unknown {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

interface Props extends NodeFieldProps {
  /** How an empty one begins. */
  least: Way
  /** How a value that is given is written, where that is no text. */
  shape?: LiteralShape | undefined
}

const textOf = (value: unknown): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value)

/** A value that is given, read at a path, written as a template or computed by a script. */
export function WorkflowExpressionField({ form, at, label, isReadOnly, least, shape }: Props) {
  const t = useTranslator(workflowFieldTexts)
  const error = useNodeFieldFault({ form, at })
  const stored = readPointerValue(form.value, at)
  const isEmpty = stored === undefined || stored === null
  const { type: way, value } = isApiExpression(stored) ? stored : { type: isEmpty ? least : GIVEN, value: stored }
  const text = textOf(value)
  const give = (next: unknown): void =>
    form.set(at, next !== null && typeof next === 'object' ? { type: GIVEN, value: next } : (next ?? undefined))
  const isJson = !shape && way === GIVEN && value !== null && typeof value === 'object'
  const Shaped = shape || isJson ? LITERAL_SHAPE_FIELDS[shape ?? 'json'] : null
  return (
    <WrittenField
      {...{ label, isReadOnly, error, text, way }}
      given={[{ value: GIVEN, label: t('as-literal') }]}
      words={useScopeCompletions()}
      faults={useNodeTextFaults(at)}
      onWay={(next) => form.set(at, isExpressionKind(next) ? { type: next, value: text } : shape ? undefined : text)}
      onText={(next) => form.set(at, next === '' ? undefined : { type: way, value: next })}
    >
      {Shaped ? (
        <Shaped {...{ label, value, isReadOnly, error }} onChange={give} />
      ) : (
        <TextInput
          aria-label={label}
          readOnly={isReadOnly}
          error={error}
          value={text}
          onChange={({ currentTarget: { value: next } }) => give(next === '' ? undefined : literal(next, value))}
        />
      )}
    </WrittenField>
  )
}
