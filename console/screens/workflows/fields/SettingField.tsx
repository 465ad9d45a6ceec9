import { MultiSelect, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CodeEditor } from '../../../components/code/CodeEditor.tsx'
import { Builder } from '../../../components/criteria/Builder.tsx'
import { asGroup } from '../../../components/criteria/model.ts'
import { valueAt } from '../../../components/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import type { Setting } from '../model/settings.ts'
import styles from '../Workflows.module.css'
import { EventField } from './EventField.tsx'
import { ExpressionField } from './ExpressionField.tsx'
import { JsonField } from './JsonField.tsx'
import { ListField } from './ListField.tsx'
import { ContactFields, ValuesField, WaysField } from './MapFields.tsx'
import { type EditedSteps, type FieldProps, useFault, usePlaces } from './node-form.ts'
import { PickField, PicksField } from './PickField.tsx'
import { ClockField, MomentField, PeriodField, SinceField, TimeoutField, ZoneField } from './TimeFields.tsx'
import { fieldTexts } from './texts.ts'
import { choiceWords } from './words.ts'

type Of<As extends Setting['as']> = Extract<Setting, { as: As }>

function TextField({ form, at, label, isReadOnly, isScalar = false }: FieldProps & { isScalar?: boolean }) {
  const value = valueAt(form.value, at)
  const shown = value === undefined || value === null ? '' : String(value)
  // A value that looks like a number or a truth is one; "1" in quotes is a text.
  const read = (text: string): unknown => {
    if (!isScalar) return text
    if (/^(-?\d+(\.\d+)?|true|false)$/.test(text)) return JSON.parse(text)
    return /^".*"$/.test(text) ? text.slice(1, -1) : text
  }
  return (
    <TextInput
      label={label}
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      value={isScalar && typeof value === 'string' && /^(-?\d+(\.\d+)?|true|false)$/.test(value) ? `"${value}"` : shown}
      onChange={(event) => form.set(at, read(event.currentTarget.value))}
    />
  )
}

function NumberField({ form, at, label, isReadOnly, unit }: FieldProps & { unit?: string | undefined }) {
  const value = valueAt(form.value, at)
  return (
    <NumberInput
      label={label}
      hideControls
      clampBehavior="none"
      maw={220}
      {...(unit !== undefined && { suffix: ` ${unit}` })}
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => form.set(at, next === '' ? undefined : Number(next))}
    />
  )
}

function ChoiceField({ setting, form, at, label, isReadOnly }: FieldProps & { setting: Of<'choice'> }) {
  const t = useText(fieldTexts)
  const value = valueAt(form.value, at)
  return (
    <Select
      label={label}
      clearable
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      data={setting.choices.map((one) => ({ value: one, label: choiceWords(t, one) }))}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => form.set(at, next ?? undefined)}
    />
  )
}

function ChoicesField({ setting, form, at, label, isReadOnly }: FieldProps & { setting: Of<'choices'> }) {
  const t = useText(fieldTexts)
  const value = valueAt(form.value, at)
  const isNumber = typeof setting.choices[0] === 'number'
  return (
    <MultiSelect
      label={label}
      clearable
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      data={setting.choices.map((one) => ({
        value: String(one),
        label: choiceWords(t, isNumber ? `day-${one}` : String(one)),
      }))}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => form.set(at, next.length === 0 ? undefined : isNumber ? next.map(Number).sort() : next)}
    />
  )
}

function TextsField({ form, at, label, isReadOnly }: FieldProps) {
  const value = valueAt(form.value, at)
  return (
    <TagsInput
      label={label}
      clearable
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => form.set(at, next.length === 0 ? undefined : next)}
    />
  )
}

function CriteriaField({ form, at, label, isReadOnly }: FieldProps) {
  const stored = valueAt(form.value, at)
  if (isReadOnly) return <JsonField {...{ form, at, label, isReadOnly }} />
  return (
    <div role="group" aria-label={label}>
      <Builder group={asGroup(stored)} onChange={(group) => form.set(at, group)} />
    </div>
  )
}

/** Which of several members is there, and the settings of that. */
function OneOfField({
  setting,
  base,
  ...props
}: {
  setting: Of<'oneOf'>
  base: string
  form: EditedSteps
  isReadOnly: boolean
}) {
  const t = useText(fieldTexts)
  const { form, isReadOnly } = props
  const whole = (valueAt(form.value, base) ?? {}) as Record<string, unknown>
  const { options } = setting
  const present =
    options.find(({ key }) => whole[key] !== undefined && whole[key] !== null) ??
    options.find(({ key }) => key in whole)
  const chosen = present ?? options[0]
  const choose = (key: string | null): void => {
    const next = options.find((one) => one.key === key)
    const keys = new Set(options.map((one) => one.key))
    const kept = Object.entries(whole).filter(([name]) => !keys.has(name))
    if (next) form.set(base, { ...Object.fromEntries(kept), [next.key]: next.blank })
  }
  return (
    <>
      {options.length > 1 && (
        <Select
          label={t(setting.label)}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={options.map(({ key }) => ({ value: key, label: t(`set-${key}` as 'set-period') }))}
          value={chosen?.key ?? null}
          onChange={choose}
        />
      )}
      {chosen?.settings.map((one) => (
        <SettingField key={one.at} setting={one} base={base} {...props} />
      ))}
    </>
  )
}

/** Settings that are folded away while none of them is set. */
function GroupField({ setting, base, form, isReadOnly }: Omit<Props, 'setting'> & { setting: Of<'group'> }) {
  const t = useText(fieldTexts)
  const [isOpen] = useState(() =>
    setting.settings.some(({ at }) => {
      const value = valueAt(form.value, `${base}${at}`)
      return value !== undefined && value !== null
    }),
  )
  return (
    <details className={styles['item']} open={isOpen}>
      <summary>{t(setting.label)}</summary>
      <div className={styles['fields']}>
        {setting.settings.map((one) => (
          <SettingField key={one.at + one.as} setting={one} base={base} form={form} isReadOnly={isReadOnly} />
        ))}
      </div>
    </details>
  )
}

function CodeField({ form, at, label, isReadOnly }: FieldProps) {
  return (
    <CodeEditor
      language="javascript"
      label={label}
      value={String(valueAt(form.value, at) ?? '')}
      readOnly={isReadOnly}
      faults={usePlaces(at)}
      error={useFault({ form, at })}
      onChange={(next) => form.set(at, next)}
    />
  )
}

function SwitchField({ form, at, label, isReadOnly }: FieldProps) {
  return (
    <Switch
      label={label}
      disabled={isReadOnly}
      checked={valueAt(form.value, at) !== false}
      onChange={(event) => form.set(at, event.currentTarget.checked)}
    />
  )
}

/** Fields that need nothing but where they stand. */
const FIELDS = {
  text: TextField,
  json: JsonField,
  code: CodeField,
  period: PeriodField,
  timeout: TimeoutField,
  since: SinceField,
  zone: ZoneField,
  event: EventField,
  criteria: CriteriaField,
  switch: SwitchField,
  time: ClockField,
  moment: MomentField,
  texts: TextsField,
  values: ValuesField,
  fields: ContactFields,
  ways: WaysField,
} as const

interface Props {
  setting: Setting
  /** What the setting is below. */
  base: string
  form: EditedSteps
  isReadOnly: boolean
}

/** One setting, written as its kind is. */
export function SettingField({ setting, base, form, isReadOnly }: Props) {
  const t = useText(fieldTexts)
  const common = { form, isReadOnly, at: `${base}${setting.at}`, label: t(setting.label) }
  switch (setting.as) {
    case 'expression':
      return <ExpressionField {...common} least="literal" />
    case 'shaped':
      return <ExpressionField {...common} least="literal" shape={setting.shape} />
    case 'group':
      return <GroupField {...{ setting, base, form, isReadOnly }} />
    case 'condition':
      return <ExpressionField {...common} least="script" />
    case 'scalar':
      return <TextField {...common} isScalar />
    case 'number':
      return <NumberField {...common} unit={setting.unit} />
    case 'choice':
      return <ChoiceField {...common} setting={setting} />
    case 'choices':
      return <ChoicesField {...common} setting={setting} />
    case 'pick':
      return <PickField {...common} of={setting.of} />
    case 'picks':
      return <PicksField {...common} of={setting.of} />
    case 'list':
      return <ListField {...common} setting={setting} />
    case 'oneOf':
      return <OneOfField {...{ setting, base, form, isReadOnly }} />
    default: {
      const Field = FIELDS[setting.as]
      return <Field {...common} />
    }
  }
}
