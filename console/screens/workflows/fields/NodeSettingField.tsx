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

type SettingOf<As extends NodeSetting['as']> = Extract<NodeSetting, { as: As }>

function TextField({ form, at, label, isReadOnly, isScalar = false }: NodeFieldProps & { isScalar?: boolean }) {
  const value = readPointerValue(form.value, at)
  const shownText = value === undefined || value === null ? '' : String(value)
  // A value that looks like a number or a truth is one; "1" in quotes is a text.
  const parseText = (text: string): unknown => {
    if (!isScalar) return text
    if (/^(-?\d+(\.\d+)?|true|false)$/.test(text)) return JSON.parse(text)
    return /^".*"$/.test(text) ? text.slice(1, -1) : text
  }
  return (
    <TextInput
      label={label}
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      value={
        isScalar && typeof value === 'string' && /^(-?\d+(\.\d+)?|true|false)$/.test(value) ? `"${value}"` : shownText
      }
      onChange={(event) => form.set(at, parseText(event.currentTarget.value))}
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

function ChoiceField({ setting, form, at, label, isReadOnly }: NodeFieldProps & { setting: SettingOf<'choice'> }) {
  const t = useTranslator(workflowFieldTexts)
  const value = readPointerValue(form.value, at)
  return (
    <Select
      label={label}
      clearable
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      data={setting.choices.map((choiceValue) => ({ value: choiceValue, label: workflowChoiceLabel(t, choiceValue) }))}
      value={typeof value === 'string' ? value : null}
      onChange={(next) => form.set(at, next ?? undefined)}
    />
  )
}

function ChoicesField({ setting, form, at, label, isReadOnly }: NodeFieldProps & { setting: SettingOf<'choices'> }) {
  const t = useTranslator(workflowFieldTexts)
  const value = readPointerValue(form.value, at)
  const isNumeric = typeof setting.choices[0] === 'number'
  return (
    <MultiSelect
      label={label}
      clearable
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      data={setting.choices.map((choiceValue) => ({
        value: String(choiceValue),
        label: workflowChoiceLabel(t, isNumeric ? `day-${choiceValue}` : String(choiceValue)),
      }))}
      value={Array.isArray(value) ? value.map(String) : []}
      onChange={(next) => form.set(at, next.length === 0 ? undefined : isNumeric ? next.map(Number).sort() : next)}
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
  const storedCriteria = readPointerValue(form.value, at)
  if (isReadOnly) return <WorkflowJsonField {...{ form, at, label, isReadOnly }} />
  return (
    <div role="group" aria-label={label}>
      <CriteriaBuilder group={toCriteriaGroup(storedCriteria)} onChange={(group) => form.set(at, group)} />
    </div>
  )
}

/** Choice of one member among several, and its settings. */
function OneOfField({
  setting,
  base,
  ...props
}: {
  setting: SettingOf<'oneOf'>
  base: string
  form: WorkflowFormBinding
  isReadOnly: boolean
}) {
  const t = useTranslator(workflowFieldTexts)
  const { form, isReadOnly } = props
  const parentValue = (readPointerValue(form.value, base) ?? {}) as Record<string, unknown>
  const { options } = setting
  const presentOption =
    options.find(({ key }) => parentValue[key] !== undefined && parentValue[key] !== null) ??
    options.find(({ key }) => key in parentValue)
  const chosenOption = presentOption ?? options[0]
  const chooseOption = (key: string | null): void => {
    const nextOption = options.find((option) => option.key === key)
    const optionKeys = new Set(options.map((option) => option.key))
    const retainedMembers = Object.entries(parentValue).filter(([name]) => !optionKeys.has(name))
    if (nextOption) form.set(base, { ...Object.fromEntries(retainedMembers), [nextOption.key]: nextOption.blank })
  }
  return (
    <>
      {options.length > 1 && (
        <Select
          label={t(setting.label)}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={options.map(({ key }) => ({ value: key, label: t(`set-${key}` as 'set-period') }))}
          value={chosenOption?.key ?? null}
          onChange={chooseOption}
        />
      )}
      {chosenOption?.settings.map((nestedSetting) => (
        <NodeSettingField key={nestedSetting.at} setting={nestedSetting} base={base} {...props} />
      ))}
    </>
  )
}

/** Settings that are folded away while none of them is set. */
function GroupField({ setting, base, form, isReadOnly }: Omit<Props, 'setting'> & { setting: SettingOf<'group'> }) {
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
        {setting.settings.map((nestedSetting) => (
          <NodeSettingField
            key={nestedSetting.at + nestedSetting.as}
            setting={nestedSetting}
            base={base}
            form={form}
            isReadOnly={isReadOnly}
          />
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
const FIELD_COMPONENTS = {
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
  /** Pointer to the parent of the setting. */
  base: string
  form: WorkflowFormBinding
  isReadOnly: boolean
}

/** One setting, written as its kind is. */
export function NodeSettingField({ setting, base, form, isReadOnly }: Props) {
  const t = useTranslator(workflowFieldTexts)
  const fieldProps = { form, isReadOnly, at: `${base}${setting.at}`, label: t(setting.label) }
  switch (setting.as) {
    case 'expression':
      return <WorkflowExpressionField {...fieldProps} least="literal" />
    case 'shaped':
      return <WorkflowExpressionField {...fieldProps} least="literal" shape={setting.shape} />
    case 'group':
      return <GroupField {...{ setting, base, form, isReadOnly }} />
    case 'condition':
      return <WorkflowExpressionField {...fieldProps} least="script" />
    case 'scalar':
      return <TextField {...fieldProps} isScalar />
    case 'number':
      return <NumberField {...fieldProps} unit={setting.unit} />
    case 'choice':
      return <ChoiceField {...fieldProps} setting={setting} />
    case 'choices':
      return <ChoicesField {...fieldProps} setting={setting} />
    case 'pick':
      return <ObjectPickField {...fieldProps} of={setting.of} />
    case 'picks':
      return <ObjectMultiPickField {...fieldProps} of={setting.of} />
    case 'list':
      return <WorkflowListField {...fieldProps} setting={setting} />
    case 'oneOf':
      return <OneOfField {...{ setting, base, form, isReadOnly }} />
    default: {
      const FieldComponent = FIELD_COMPONENTS[setting.as]
      return <FieldComponent {...fieldProps} />
    }
  }
}
