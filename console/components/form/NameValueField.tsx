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
  /** An object of texts by their names stands there. */
  at: string
  label: string
  help?: string | undefined
  /** What a value may be; anything when absent. */
  choices?: readonly FieldChoice[] | undefined
  isReadOnly?: boolean
}

type Pair = readonly [name: string, value: string]

const pairsOf = (value: unknown): Pair[] => Object.entries((value ?? {}) as Record<string, string>)

const mapOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(pairs.filter(([name]) => name !== ''))

const isSame = (pairs: readonly Pair[], stored: unknown): boolean =>
  JSON.stringify(mapOf(pairs)) === JSON.stringify(stored ?? {})

interface LineProps {
  pair: Pair
  fault: string | undefined
  choices: readonly FieldChoice[] | undefined
  isReadOnly: boolean
  onChange(pair: Pair): void
  onRemove(): void
}

function Line({ pair: [name, value], fault, choices, isReadOnly, onChange, onRemove }: LineProps) {
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
  const stored = readPointerValue(form.value, at)
  // Lines that have no name yet, or one that is there twice, are kept here while they are typed.
  const [typed, setTyped] = useState<Pair[] | null>(null)
  const pairs = typed && isSame(typed, stored) ? typed : pairsOf(stored)
  const set = (next: Pair[]): void => {
    setTyped(next)
    form.set(at, mapOf(next))
  }
  return (
    <fieldset className={styles['pairs']}>
      <legend>{label}</legend>
      {help && <small>{help}</small>}
      {pairs.map((pair, index) => (
        <Line
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place: its name changes while it is typed.
          key={index}
          pair={pair}
          fault={form.faultAt(`${at}/${pair[0]}`)}
          choices={choices}
          isReadOnly={isReadOnly}
          onChange={(next) => set(pairs.with(index, next))}
          onRemove={() => set(pairs.toSpliced(index, 1))}
        />
      ))}
      {!isReadOnly && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set([...pairs, ['', choices?.[0]?.value ?? '']])}
        >
          {t('pairAdd')}
        </Button>
      )}
    </fieldset>
  )
}
