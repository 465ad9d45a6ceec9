import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from '../WorkflowsPage.module.css'
import type { NodeFieldProps } from './node-form.ts'
import { usePickChoices } from './picks.ts'
import { workflowFieldTexts } from './texts.ts'
import { WorkflowExpressionField } from './WorkflowExpressionField.tsx'

const escapePointerToken = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

type NamedValues = Readonly<Record<string, unknown>>

function RemoveButton({ name, onRemove }: { name: string; onRemove(): void }) {
  const t = useTranslator(workflowFieldTexts)
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t('removeOf', { name })} onClick={onRemove}>
      <IconX size={15} />
    </ActionIcon>
  )
}

/** A name to add; nothing is stored until it has one of its own. */
function NewNameField({ taken: existingValues, onAdd }: { taken: NamedValues; onAdd(name: string): void }) {
  const t = useTranslator(workflowFieldTexts)
  const [name, setName] = useState('')
  const addName = (): void => {
    if (name.trim() === '' || name in existingValues) return
    onAdd(name.trim())
    setName('')
  }
  return (
    <div className={styles['pair']}>
      <TextInput
        size="xs"
        aria-label={t('newName')}
        placeholder={t('newName')}
        error={name in existingValues && name !== '' ? t('nameTaken') : undefined}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          addName()
        }}
      />
      <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={addName}>
        {t('addValue')}
      </Button>
    </div>
  )
}

const omitName = (values: NamedValues, name: string): NamedValues | undefined => {
  const { [name]: _, ...remainingValues } = values
  return Object.keys(remainingValues).length === 0 ? undefined : remainingValues
}

const toNamedValues = (value: unknown): NamedValues =>
  value !== null && typeof value === 'object' ? (value as NamedValues) : {}

/** Names with an expression each. */
export function NamedExpressionsField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const storedValues = readPointerValue(form.value, at)
  const values = toNamedValues(storedValues)
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {Object.keys(values).map((name) => (
        <div key={name} className={styles['removable']}>
          <WorkflowExpressionField
            form={form}
            isReadOnly={isReadOnly}
            at={`${at}/${escapePointerToken(name)}`}
            label={name}
            least="literal"
          />
          {!isReadOnly && <RemoveButton name={name} onRemove={() => form.set(at, omitName(values, name))} />}
        </div>
      ))}
      {!isReadOnly && (
        <NewNameField
          taken={values}
          onAdd={(name) => form.set(at, { ...values, [name]: { type: 'path', value: '' } })}
        />
      )}
    </fieldset>
  )
}

/** Fields of the contact with the value that each gets. */
export function ContactValuesField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const t = useTranslator(workflowFieldTexts)
  const values = toNamedValues(readPointerValue(form.value, at))
  const { choices } = usePickChoices('field', [], [])
  const findFieldName = (key: string): string =>
    choices.find(({ value, label: name }) => value === key || name === key)?.label ?? key
  const remainingChoices = choices.filter(({ value, label: name }) => !(value in values || name in values))
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {Object.keys(values).map((key) => (
        <div key={key} className={styles['removable']}>
          <WorkflowExpressionField
            form={form}
            isReadOnly={isReadOnly}
            at={`${at}/${escapePointerToken(key)}`}
            label={findFieldName(key)}
            least="literal"
          />
          {!isReadOnly && (
            <RemoveButton name={findFieldName(key)} onRemove={() => form.set(at, omitName(values, key))} />
          )}
        </div>
      ))}
      {!isReadOnly && (
        <Select
          size="xs"
          searchable
          aria-label={t('addField')}
          placeholder={t('addField')}
          data={remainingChoices}
          value={null}
          onChange={(key) => key !== null && form.set(at, { ...values, [key]: { type: 'path', value: '' } })}
        />
      )}
    </fieldset>
  )
}

/** Names of ways out; where each leads stands with the other ways. */
export function NodeOutputsField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const values = toNamedValues(readPointerValue(form.value, at))
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {Object.keys(values).map((name) => (
        <div key={name} className={styles['removable']}>
          <bdi>{name}</bdi>
          {!isReadOnly && <RemoveButton name={name} onRemove={() => form.set(at, omitName(values, name))} />}
        </div>
      ))}
      {!isReadOnly && <NewNameField taken={values} onAdd={(name) => form.set(at, { ...values, [name]: null })} />}
    </fieldset>
  )
}
