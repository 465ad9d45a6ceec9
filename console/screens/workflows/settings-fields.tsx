import { Autocomplete, Select } from '@mantine/core'
import { useState } from 'react'
import { CodeEditor } from '../../parts/code/CodeEditor.tsx'
import { ChoiceField, NumberField, TextField } from '../../parts/form/fields.tsx'
import { valueAt } from '../../parts/form/pointers.ts'
import type { Form } from '../../parts/form/use-form.ts'
import { useText } from '../../text/catalogue.ts'
import type { Draft } from './calls.ts'
import type { Setting } from './model/kinds.ts'
import { workflowTexts } from './texts.ts'
import styles from './Workflows.module.css'

interface Props {
  form: Form<Draft>
  at: string
  label: string
  isReadOnly: boolean
}

const SCOPE = [
  'contact',
  'data',
  'variables',
  'state',
  'event',
  'stamp',
  'last',
  'run',
  'environment',
  'account',
  'now',
]
const PATHS = [
  ...SCOPE,
  ...[
    'contact.id',
    'contact.fields.',
    'event.type',
    'event.data.',
    'last.outcome',
    'last.value',
    'run.id',
    'run.start',
  ],
]
const WORDS = SCOPE.map((label) => ({ label, type: 'variable' as const }))

const jsonOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: text.trim() === '' ? undefined : JSON.parse(text) }
  } catch {
    return null
  }
}

/** A member that is written as JSON; what cannot be read yet is not taken. */
export function JsonField({ form, at, label, isReadOnly }: Props) {
  const t = useText(workflowTexts)
  const stored = jsonOf(valueAt(form.value, at))
  const [typed, setTyped] = useState(stored)
  const read = parsed(typed)
  const isStale = read !== null && jsonOf(read.value) !== stored
  return (
    <CodeEditor
      language="json"
      label={label}
      minHeight={72}
      maxHeight={280}
      value={isStale ? stored : typed}
      readOnly={isReadOnly}
      error={read ? form.faultAt(at) : t('noJson')}
      onChange={(text) => {
        setTyped(text)
        const next = parsed(text)
        if (next) form.set(at, next.value)
      }}
    />
  )
}

interface Expression {
  type: string
  value: unknown
}
const isExpression = (value: unknown): value is Expression =>
  value !== null && typeof value === 'object' && 'type' in value && 'value' in value

/** A value that is given, read at a path, written as a template or computed by a script. */
export function ExpressionField({ form, at, label, isReadOnly, least }: Props & { least: string }) {
  const t = useText(workflowTexts)
  const stored = valueAt(form.value, at)
  const { type, value } = isExpression(stored)
    ? stored
    : { type: stored === undefined ? least : 'literal', value: stored }
  if (type === 'literal' && typeof value === 'object' && value !== null)
    return <JsonField form={form} at={at} label={label} isReadOnly={isReadOnly} />
  const text = value === undefined || value === null ? '' : String(value)
  const write = (next: string, as = type): void =>
    form.set(at, next === '' && as === type ? undefined : as === 'literal' ? next : { type: as, value: next })
  return (
    <div className={styles['expression']}>
      <Select
        label={label}
        aria-label={`${label}: ${t('writtenAs')}`}
        data={(['literal', 'path', 'template', 'script'] as const).map((one) => ({ value: one, label: t(one) }))}
        value={type}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(next) => next && write(text, next)}
      />
      {type === 'literal' || type === 'path' ? (
        <Autocomplete
          aria-label={label}
          data={type === 'path' ? PATHS : []}
          value={text}
          readOnly={isReadOnly}
          error={form.faultAt(at)}
          onChange={(next) => write(next)}
        />
      ) : (
        <CodeEditor
          isLabelHidden
          label={label}
          language={type === 'script' ? 'javascript' : 'liquid'}
          completions={type === 'script' ? { words: WORDS } : { variables: WORDS }}
          minHeight={56}
          value={text}
          readOnly={isReadOnly}
          error={form.faultAt(at)}
          onChange={(next) => write(next)}
        />
      )}
    </div>
  )
}

/** One setting of a node, written as its kind is. */
export function SettingField({
  setting,
  base,
  ...props
}: {
  setting: Setting
  base: string
  form: Form<Draft>
  isReadOnly: boolean
}) {
  const t = useText(workflowTexts)
  const common = { ...props, at: `${base}${setting.at}`, label: t(setting.label) }
  switch (setting.as) {
    case 'number':
      return <NumberField {...common} />
    case 'choice':
      return (
        <ChoiceField
          {...common}
          isClearable
          choices={(setting.choices ?? []).map((value) => ({ value, label: value }))}
        />
      )
    case 'expression':
      return <ExpressionField {...common} least="literal" />
    case 'condition':
      return <ExpressionField {...common} least="script" />
    case 'json':
      return <JsonField {...common} />
    case 'code':
      return (
        <CodeEditor
          language="javascript"
          label={common.label}
          value={String(valueAt(props.form.value, common.at) ?? '')}
          readOnly={props.isReadOnly}
          error={props.form.faultAt(common.at)}
          onChange={(next) => props.form.set(common.at, next)}
        />
      )
    default:
      return <TextField {...common} />
  }
}
