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

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

type Values = Readonly<Record<string, unknown>>

function Remove({ name, onRemove }: { name: string; onRemove(): void }) {
  const t = useTranslator(workflowFieldTexts)
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={t('removeOf', { name })} onClick={onRemove}>
      <IconX size={15} />
    </ActionIcon>
  )
}

/** A name to add; nothing is stored until it has one of its own. */
function NewName({ taken, onAdd }: { taken: Values; onAdd(name: string): void }) {
  const t = useTranslator(workflowFieldTexts)
  const [name, setName] = useState('')
  const add = (): void => {
    if (name.trim() === '' || name in taken) return
    onAdd(name.trim())
    setName('')
  }
  return (
    <div className={styles['pair']}>
      <TextInput
        size="xs"
        aria-label={t('newName')}
        placeholder={t('newName')}
        error={name in taken && name !== '' ? t('nameTaken') : undefined}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          add()
        }}
      />
      <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        {t('addValue')}
      </Button>
    </div>
  )
}

const without = (values: Values, name: string): Values | undefined => {
  const { [name]: _, ...rest } = values
  return Object.keys(rest).length === 0 ? undefined : rest
}

const valuesOf = (value: unknown): Values => (value !== null && typeof value === 'object' ? (value as Values) : {})

/** Names with an expression each. */
export function NamedExpressionsField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const stored = readPointerValue(form.value, at)
  const values = valuesOf(stored)
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {Object.keys(values).map((name) => (
        <div key={name} className={styles['removable']}>
          <WorkflowExpressionField
            {...{ form, isReadOnly }}
            at={`${at}/${escaped(name)}`}
            label={name}
            least="literal"
          />
          {!isReadOnly && <Remove name={name} onRemove={() => form.set(at, without(values, name))} />}
        </div>
      ))}
      {!isReadOnly && (
        <NewName taken={values} onAdd={(name) => form.set(at, { ...values, [name]: { type: 'path', value: '' } })} />
      )}
    </fieldset>
  )
}

/** Fields of the contact with the value that each gets. */
export function ContactValuesField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const t = useTranslator(workflowFieldTexts)
  const values = valuesOf(readPointerValue(form.value, at))
  const { choices } = usePickChoices('field', [], [])
  const nameOf = (key: string): string =>
    choices.find(({ value, label: name }) => value === key || name === key)?.label ?? key
  const left = choices.filter(({ value, label: name }) => !(value in values || name in values))
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {Object.keys(values).map((key) => (
        <div key={key} className={styles['removable']}>
          <WorkflowExpressionField
            {...{ form, isReadOnly }}
            at={`${at}/${escaped(key)}`}
            label={nameOf(key)}
            least="literal"
          />
          {!isReadOnly && <Remove name={nameOf(key)} onRemove={() => form.set(at, without(values, key))} />}
        </div>
      ))}
      {!isReadOnly && (
        <Select
          size="xs"
          searchable
          aria-label={t('addField')}
          placeholder={t('addField')}
          data={left}
          value={null}
          onChange={(key) => key !== null && form.set(at, { ...values, [key]: { type: 'path', value: '' } })}
        />
      )}
    </fieldset>
  )
}

/** Names of ways out; where each leads stands with the other ways. */
export function NodeOutputsField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const values = valuesOf(readPointerValue(form.value, at))
  return (
    <fieldset className={styles['group']}>
      <legend>{label}</legend>
      {Object.keys(values).map((name) => (
        <div key={name} className={styles['removable']}>
          <bdi>{name}</bdi>
          {!isReadOnly && <Remove name={name} onRemove={() => form.set(at, without(values, name))} />}
        </div>
      ))}
      {!isReadOnly && <NewName taken={values} onAdd={(name) => form.set(at, { ...values, [name]: null })} />}
    </fieldset>
  )
}
