import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { componentTexts } from '../texts.ts'
import type { FieldChoice } from './fields.tsx'
import styles from './NameValueField.module.css'
import { readPointerValue } from './pointers.ts'
import type { FormState } from './use-form.ts'

interface Props<T> {
  form: FormState<T>
  /** Pointer to an object of texts by name. */
  at: string
  label: string
  help?: string | undefined
  /** Allowed values; any text when absent. */
  choices?: readonly FieldChoice[] | undefined
  isReadOnly?: boolean
}

type NameValuePair = readonly [name: string, value: string]

const toPairs = (value: unknown): NameValuePair[] => Object.entries((value ?? {}) as Record<string, string>)

const toRecord = (pairs: readonly NameValuePair[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(([name]) => name !== ''))

const isSameRecord = (pairs: readonly NameValuePair[], storedValue: unknown): boolean =>
  JSON.stringify(toRecord(pairs)) === JSON.stringify(storedValue ?? {})

interface PairLineProps {
  pair: NameValuePair
  fault: string | undefined
  choices: readonly FieldChoice[] | undefined
  isReadOnly: boolean
  onChange(pair: NameValuePair): void
  onRemove(): void
}

function PairLine({ pair: [name, value], fault, choices, isReadOnly, onChange, onRemove }: PairLineProps) {
  const t = useTranslator(componentTexts)
  return (
    <div className={styles['pair']}>
      <TextInput
        aria-label={t('pairName')}
        placeholder={t('pairName')}
        readOnly={isReadOnly}
        value={name}
        onChange={(event) => onChange([event.currentTarget.value, value])}
      />
      {choices ? (
        <Select
          aria-label={t('pairValue')}
          allowDeselect={false}
          readOnly={isReadOnly}
          data={[...choices]}
          value={value}
          onChange={(next) => onChange([name, next ?? value])}
        />
      ) : (
        <TextInput
          aria-label={t('pairValue')}
          placeholder={t('pairValue')}
          error={fault}
          readOnly={isReadOnly}
          value={value}
          onChange={(event) => onChange([name, event.currentTarget.value])}
        />
      )}
      {!isReadOnly && (
        <ActionIcon variant="subtle" color="gray" aria-label={t('pairRemove', { name })} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </div>
  )
}

/** Names with a value each, such as the headers of a request. */
export function NameValueField<T>({ form, at, label, help, choices, isReadOnly = false }: Props<T>) {
  const t = useTranslator(componentTexts)
  const storedValue = readPointerValue(form.value, at)
  // Lines that have no name yet, or one that is there twice, are kept here while they are typed.
  const [typedPairs, setTypedPairs] = useState<NameValuePair[] | null>(null)
  const pairs = typedPairs && isSameRecord(typedPairs, storedValue) ? typedPairs : toPairs(storedValue)
  const changePairs = (next: NameValuePair[]): void => {
    setTypedPairs(next)
    form.set(at, toRecord(next))
  }
  return (
    <fieldset className={styles['pairs']}>
      <legend>{label}</legend>
      {help && <small>{help}</small>}
      {pairs.map((pair, index) => (
        <PairLine
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place: its name changes while it is typed.
          key={index}
          pair={pair}
          fault={form.faultAt(`${at}/${pair[0]}`)}
          choices={choices}
          isReadOnly={isReadOnly}
          onChange={(next) => changePairs(pairs.with(index, next))}
          onRemove={() => changePairs(pairs.toSpliced(index, 1))}
        />
      ))}
      {!isReadOnly && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => changePairs([...pairs, ['', choices?.[0]?.value ?? '']])}
        >
          {t('pairAdd')}
        </Button>
      )}
    </fieldset>
  )
}
