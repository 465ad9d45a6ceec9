import { MultiSelect, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core'
import { CodeEditor } from '../../../components/code/CodeEditor.tsx'
import { CriteriaBuilder } from '../../../components/criteria/CriteriaBuilder.tsx'
import { toCriteriaGroup } from '../../../components/criteria/model.ts'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import type { NodeSettingOf } from '../model/settings.ts'
import { type NodeFieldProps, useNodeFieldFault, useNodeTextFaults } from './node-form.ts'
import { workflowFieldTexts } from './texts.ts'
import { WorkflowJsonField } from './WorkflowJsonField.tsx'
import { workflowChoiceLabel } from './words.ts'

/** A text, or with `isScalar` a number or a truth where the text looks like one. */
export function NodeTextField({
  form,
  at,
  label,
  isReadOnly,
  isScalar = false,
}: NodeFieldProps & { isScalar?: boolean }) {
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

/** A number, with its unit. */
export function NodeNumberField({ form, at, label, isReadOnly, unit }: NodeFieldProps & { unit?: string | undefined }) {
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

/** One of the values that the setting lists. */
export function NodeChoiceField({
  setting,
  form,
  at,
  label,
  isReadOnly,
}: NodeFieldProps & { setting: NodeSettingOf<'choice'> }) {
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

/** Several of the values that the setting lists. */
export function NodeChoicesField({
  setting,
  form,
  at,
  label,
  isReadOnly,
}: NodeFieldProps & { setting: NodeSettingOf<'choices'> }) {
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

/** Texts in any number. */
export function NodeTextsField({ form, at, label, isReadOnly }: NodeFieldProps) {
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

/** Criteria that contacts must meet; JSON where they can only be read. */
export function NodeCriteriaField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const storedCriteria = readPointerValue(form.value, at)
  if (isReadOnly) return <WorkflowJsonField form={form} at={at} label={label} isReadOnly={isReadOnly} />
  return (
    <div role="group" aria-label={label}>
      <CriteriaBuilder group={toCriteriaGroup(storedCriteria)} onChange={(group) => form.set(at, group)} />
    </div>
  )
}

/** JavaScript, with its flaws at their places. */
export function NodeCodeField({ form, at, label, isReadOnly }: NodeFieldProps) {
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

/** A truth that holds unless it is switched off. */
export function NodeSwitchField({ form, at, label, isReadOnly }: NodeFieldProps) {
  return (
    <Switch
      label={label}
      disabled={isReadOnly}
      checked={readPointerValue(form.value, at) !== false}
      onChange={(event) => form.set(at, event.currentTarget.checked)}
    />
  )
}
