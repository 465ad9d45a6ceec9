import { Select } from '@mantine/core'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { WORKFLOW_EVENT_SETTINGS } from '../model/events.ts'
import styles from '../WorkflowsPage.module.css'
import { NodeSettingField } from './NodeSettingField.tsx'
import { type NodeFieldProps, useNodeFieldFault } from './node-form.ts'
import { workflowFieldTexts } from './texts.ts'
import { WorkflowExpressionField } from './WorkflowExpressionField.tsx'
import { workflowEventLabel } from './words.ts'

/** Event selection: the type, among the allowed ones, the members to filter by, and a condition if allowed. */
export function WorkflowEventField({
  form,
  at,
  label,
  isReadOnly,
  types = Object.keys(WORKFLOW_EVENT_SETTINGS),
  hasCondition = true,
}: NodeFieldProps & { types?: readonly string[]; hasCondition?: boolean }) {
  const t = useTranslator(workflowFieldTexts)
  const storedEvent = (readPointerValue(form.value, at) ?? {}) as { type?: string; filter?: unknown }
  const { type } = storedEvent
  const fault = useNodeFieldFault({ form, at })
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      <Select
        searchable
        aria-label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={fault}
        data={types.map((value) => ({ value, label: workflowEventLabel(t, value) }))}
        value={type ?? null}
        onChange={(next) =>
          next !== null &&
          form.set(at, { type: next, ...(storedEvent.filter != null && { filter: storedEvent.filter }) })
        }
      />
      {(WORKFLOW_EVENT_SETTINGS[type ?? ''] ?? []).map((setting) => (
        <NodeSettingField key={setting.at} setting={setting} base={at} form={form} isReadOnly={isReadOnly} />
      ))}
      {hasCondition && (
        <WorkflowExpressionField {...{ form, isReadOnly }} at={`${at}/filter`} label={t('set-filter')} least="script" />
      )}
    </fieldset>
  )
}
