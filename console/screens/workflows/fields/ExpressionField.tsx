import { Autocomplete, Select } from '@mantine/core'
import { CodeEditor } from '../../../parts/code/CodeEditor.tsx'
import { valueAt } from '../../../parts/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import styles from '../Workflows.module.css'
import { JsonField } from './JsonField.tsx'
import { type FieldProps, useFault, usePlaces } from './node-form.ts'
import { useScopeWords } from './scope.ts'
import { fieldTexts } from './texts.ts'

const MODES = ['literal', 'path', 'template', 'script'] as const
type Mode = (typeof MODES)[number]

interface Expression {
  type: Mode
  value: unknown
}
const isExpression = (value: unknown): value is Expression =>
  value !== null &&
  typeof value === 'object' &&
  'value' in value &&
  MODES.includes((value as { type?: Mode }).type as Mode)

/** What a text that was typed as a value is stored as: a number or a truth where it looks like one and one stood there. */
function literal(text: string, before: unknown): unknown {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function Written({
  mode,
  text,
  onChange,
  ...props
}: FieldProps & { mode: Mode; text: string; onChange(text: string): void }) {
  const { at, label, isReadOnly } = props
  const { paths, template, script } = useScopeWords()
  const [fault, faults] = [useFault(props), usePlaces(at)]
  if (mode === 'literal' || mode === 'path')
    return (
      <Autocomplete
        aria-label={label}
        data={mode === 'path' ? [...paths] : []}
        limit={40}
        value={text}
        readOnly={isReadOnly}
        error={fault}
        onChange={onChange}
      />
    )
  return (
    <CodeEditor
      isLabelHidden
      label={label}
      language={mode === 'script' ? 'javascript' : 'liquid'}
      completions={mode === 'script' ? script : template}
      faults={faults}
      minHeight={56}
      maxHeight={280}
      value={text}
      readOnly={isReadOnly}
      error={fault}
      onChange={onChange}
    />
  )
}

/** A value that is given, read at a path, written as a template or computed by a script. `least`: what an empty one begins as. */
export function ExpressionField({ least, ...props }: FieldProps & { least: Mode }) {
  const t = useText(fieldTexts)
  const { form, at, label, isReadOnly } = props
  const stored = valueAt(form.value, at)
  const isEmpty = stored === undefined || stored === null
  const { type: mode, value } = isExpression(stored)
    ? stored
    : { type: isEmpty ? least : ('literal' as const), value: stored }
  if (mode === 'literal' && typeof value === 'object' && value !== null) return <JsonField {...props} />
  const text = value === undefined || value === null ? '' : String(value)
  const write = (next: string, as: Mode): void => {
    if (next === '' && as === mode) form.set(at, undefined)
    else form.set(at, as === 'literal' ? literal(next, value) : { type: as, value: next })
  }
  return (
    <div className={styles['expression']}>
      <div className={styles['labelled']}>
        <span aria-hidden>{label}</span>
        <Select
          size="xs"
          w={110}
          aria-label={`${label}: ${t('writtenAs')}`}
          data={MODES.map((one) => ({ value: one, label: t(`as-${one}`) }))}
          value={mode}
          allowDeselect={false}
          readOnly={isReadOnly}
          onChange={(next) => next && write(text, next as Mode)}
        />
      </div>
      <Written {...props} mode={mode} text={text} onChange={(next) => write(next, mode)} />
    </div>
  )
}
