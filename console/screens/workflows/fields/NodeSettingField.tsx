import { MultiSelect, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { CodeEditor } from '../../../components/code/CodeEditor.tsx'
import { CriteriaBuilder } from '../../../components/criteria/CriteriaBuilder.tsx'
import { toCriteriaGroup } from '../../../components/criteria/model.ts'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { NodeSetting } from '../model/settings.ts'
import styles from '../WorkflowsPage.module.css'
import { ContactValuesField, NamedExpressionsField, NodeOutputsField } from './MapFields.tsx'
import { type NodeFieldProps, useNodeFieldFault, useNodeTextFaults, type WorkflowFormBinding } from './node-form.ts'
import { ObjectMultiPickField, ObjectPickField } from './ObjectPickField.tsx'
import {
  ClockTimeField,
  NodeInstantField,
  NodePeriodField,
  TimeZoneField,
  WaitSinceField,
  WaitTimeoutField,
} from './TimeFields.tsx'
import { workflowFieldTexts } from './texts.ts'
import { WorkflowEventField } from './WorkflowEventField.tsx'
import { WorkflowExpressionField } from './WorkflowExpressionField.tsx'
import { WorkflowJsonField } from './WorkflowJsonField.tsx'
import { WorkflowListField } from './WorkflowListField.tsx'
import { workflowChoiceLabel } from './words.ts'

type Of<As extends NodeSetting['as']> = Extract<NodeSetting, { as: As }>

function TextField({ form, at, label, isReadOnly, isScalar = false }: NodeFieldProps & { isScalar?: boolean }) {
  const value = readPointerValue(form.value, at)
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
      error={useNodeFieldFault({ form, at })}
      value={isScalar && typeof value === 'string' && /^(-?\d+(\.\d+)?|true|false)$/.test(value) ? `"${value}"` : shown}
      onChange={(event) => form.set(at, read(event.currentTarget.value))}
    />
  )
}

function NumberField({ form, at, label, isReadOnly, unit }: NodeFieldProps & { unit?: string | undefined }) {
  const value = readPointerValue(form.value, at)
  return (
    <NumberInput
      label={label}
      hideControls
      clampBehavior="none"
      maw={220}
      {...(unit !== undefined && { suffix: ` ${unit}` })}
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => form.set(at, next === '' ? undefined : Number(next))}
    />
  )
}

function ChoiceField({ setting, form, at, label, isReadOnly }: NodeFieldProps & { setting: Of<'choice'> }) {
  const t = useTranslator(workflowFieldTexts)
  const value = readPointerValue(form.value, at)
  return (
    <Select
      label={label}
      clearable
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      data={setting.choices.map((one) => ({ value: one, label: workflowChoiceLabel(t, one) }))}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => form.set(at, next ?? undefined)}
    />
  )
}

function ChoicesField({ setting, form, at, label, isReadOnly }: NodeFieldProps & { setting: Of<'choices'> }) {
  const t = useTranslator(workflowFieldTexts)
  const value = readPointerValue(form.value, at)
  const isNumber = typeof setting.choices[0] === 'number'
  return (
    <MultiSelect
      label={label}
      clearable
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      data={setting.choices.map((one) => ({
        value: String(one),
        label: workflowChoiceLabel(t, isNumber ? `day-${one}` : String(one)),
      }))}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => form.set(at, next.length === 0 ? undefined : isNumber ? next.map(Number).sort() : next)}
    />
  )
}

function TextsField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const value = readPointerValue(form.value, at)
  return (
    <TagsInput
      label={label}
      clearable
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => form.set(at, next.length === 0 ? undefined : next)}
    />
  )
}

function CriteriaField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const stored = readPointerValue(form.value, at)
  if (isReadOnly) return <WorkflowJsonField {...{ form, at, label, isReadOnly }} />
  return (
    <div role="group" aria-label={label}>
      <CriteriaBuilder group={toCriteriaGroup(stored)} onChange={(group) => form.set(at, group)} />
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
  form: WorkflowFormBinding
  isReadOnly: boolean
}) {
  const t = useTranslator(workflowFieldTexts)
  const { form, isReadOnly } = props
  const whole = (readPointerValue(form.value, base) ?? {}) as Record<string, unknown>
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
        <NodeSettingField key={one.at} setting={one} base={base} {...props} />
      ))}
    </>
  )
}

/** Settings that are folded away while none of them is set. */
function GroupField({ setting, base, form, isReadOnly }: Omit<Props, 'setting'> & { setting: Of<'group'> }) {
  const t = useTranslator(workflowFieldTexts)
  const [isOpen] = useState(() =>
    setting.settings.some(({ at }) => {
      const value = readPointerValue(form.value, `${base}${at}`)
      return value !== undefined && value !== null
    }),
  )
  return (
    <details className={styles['item']} open={isOpen}>
      <summary>{t(setting.label)}</summary>
      <div className={styles['fields']}>
        {setting.settings.map((one) => (
          <NodeSettingField key={one.at + one.as} setting={one} base={base} form={form} isReadOnly={isReadOnly} />
        ))}
      </div>
    </details>
  )
}

function CodeField({ form, at, label, isReadOnly }: NodeFieldProps) {
  return (
    <CodeEditor
      language="javascript"
      label={label}
      value={String(readPointerValue(form.value, at) ?? '')}
      readOnly={isReadOnly}
      faults={useNodeTextFaults(at)}
      error={useNodeFieldFault({ form, at })}
      onChange={(next) => form.set(at, next)}
    />
  )
}

function SwitchField({ form, at, label, isReadOnly }: NodeFieldProps) {
  return (
    <Switch
      label={label}
      disabled={isReadOnly}
      checked={readPointerValue(form.value, at) !== false}
      onChange={(event) => form.set(at, event.currentTarget.checked)}
    />
  )
}

/** Fields that need nothing but where they stand. */
const FIELDS = {
  text: TextField,
  json: WorkflowJsonField,
  code: CodeField,
  period: NodePeriodField,
  timeout: WaitTimeoutField,
  since: WaitSinceField,
  zone: TimeZoneField,
  event: WorkflowEventField,
  criteria: CriteriaField,
  switch: SwitchField,
  time: ClockTimeField,
  moment: NodeInstantField,
  texts: TextsField,
  values: NamedExpressionsField,
  fields: ContactValuesField,
  ways: NodeOutputsField,
} as const

interface Props {
  setting: NodeSetting
  /** What the setting is below. */
  base: string
  form: WorkflowFormBinding
  isReadOnly: boolean
}

/** One setting, written as its kind is. */
export function NodeSettingField({ setting, base, form, isReadOnly }: Props) {
  const t = useTranslator(workflowFieldTexts)
  const common = { form, isReadOnly, at: `${base}${setting.at}`, label: t(setting.label) }
  switch (setting.as) {
    case 'expression':
      return <WorkflowExpressionField {...common} least="literal" />
    case 'shaped':
      return <WorkflowExpressionField {...common} least="literal" shape={setting.shape} />
    case 'group':
      return <GroupField {...{ setting, base, form, isReadOnly }} />
    case 'condition':
      return <WorkflowExpressionField {...common} least="script" />
    case 'scalar':
      return <TextField {...common} isScalar />
    case 'number':
      return <NumberField {...common} unit={setting.unit} />
    case 'choice':
      return <ChoiceField {...common} setting={setting} />
    case 'choices':
      return <ChoicesField {...common} setting={setting} />
    case 'pick':
      return <ObjectPickField {...common} of={setting.of} />
    case 'picks':
      return <ObjectMultiPickField {...common} of={setting.of} />
    case 'list':
      return <WorkflowListField {...common} setting={setting} />
    case 'oneOf':
      return <OneOfField {...{ setting, base, form, isReadOnly }} />
    default: {
      const Field = FIELDS[setting.as]
      return <Field {...common} />
    }
  }
}
