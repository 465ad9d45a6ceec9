import { Select } from '@mantine/core'
import { valueAt } from '../../../components/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import { EVENTS } from '../model/events.ts'
import styles from '../Workflows.module.css'
import { ExpressionField } from './ExpressionField.tsx'
import { type FieldProps, useFault } from './node-form.ts'
import { SettingField } from './SettingField.tsx'
import { fieldTexts } from './texts.ts'
import { eventWords } from './words.ts'

/** Which events: their type, of those asked for, the members that filter it, and a condition where there may be one. */
export function EventField({
  form,
  at,
  label,
  isReadOnly,
  types = Object.keys(EVENTS),
  hasCondition = true,
}: FieldProps & { types?: readonly string[]; hasCondition?: boolean }) {
  const t = useText(fieldTexts)
  const stored = (valueAt(form.value, at) ?? {}) as { type?: string; filter?: unknown }
  const { type } = stored
  const fault = useFault({ form, at })
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      <Select
        searchable
        aria-label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={fault}
        data={types.map((value) => ({ value, label: eventWords(t, value) }))}
        value={type ?? null}
        onChange={(next) =>
          next !== null && form.set(at, { type: next, ...(stored.filter != null && { filter: stored.filter }) })
        }
      />
      {(EVENTS[type ?? ''] ?? []).map((setting) => (
        <SettingField key={setting.at} setting={setting} base={at} form={form} isReadOnly={isReadOnly} />
      ))}
      {hasCondition && (
        <ExpressionField {...{ form, isReadOnly }} at={`${at}/filter`} label={t('set-filter')} least="script" />
      )}
    </fieldset>
  )
}
