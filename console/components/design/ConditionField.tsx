import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useFields } from '../../api/definitions.ts'
import { type Text, useText } from '../../text/catalogue.ts'
import type en from './en.ts'
import { type FieldCondition, readCondition, TESTS, writeCondition } from './model/condition.ts'
import { designTexts } from './texts.ts'

interface Props {
  condition: string | undefined
  isReadOnly: boolean
  onChange(condition: string | undefined): void
}

type Mode = 'all' | 'field' | 'liquid'

const modeOf = (condition: string | undefined): Mode =>
  condition === undefined ? 'all' : readCondition(condition) ? 'field' : 'liquid'

/** A condition in words, where it can be said in some. */
export function conditionWords(condition: string, t: Text<typeof en>): string {
  const found = readCondition(condition)
  return found ? t(`said_${found.test}`, { field: found.field, value: found.value }) : condition
}

function FieldWords({ said, isReadOnly, onChange }: Omit<Props, 'condition'> & { said: FieldCondition }) {
  const t = useText(designTexts)
  const fields = useFields()
  const names = (fields.data ?? []).map(({ name }) => name).filter((name) => !name.includes('"'))
  const set = (part: Partial<FieldCondition>): void => onChange(writeCondition({ ...said, ...part }))
  const hasValue = said.test === 'is' || said.test === 'isNot'
  return (
    <>
      <Select
        size="xs"
        searchable
        label={t('field')}
        readOnly={isReadOnly}
        allowDeselect={false}
        data={[...new Set([said.field, ...names])]}
        value={said.field}
        onChange={(field) => field && set({ field })}
      />
      <Select
        size="xs"
        label={t('comparison')}
        readOnly={isReadOnly}
        allowDeselect={false}
        data={TESTS.map((value) => ({ value, label: t(`test_${value}`) }))}
        value={said.test}
        onChange={(test) => test && set({ test: test as FieldCondition['test'] })}
      />
      {hasValue && (
        <TextInput
          size="xs"
          label={t('value')}
          readOnly={isReadOnly}
          value={said.value}
          onChange={(event) => set({ value: event.currentTarget.value })}
        />
      )}
    </>
  )
}

/** Who sees a row: everybody, contacts by one of their fields, or what Liquid says. */
export function ConditionField({ condition, isReadOnly, onChange }: Props) {
  const t = useText(designTexts)
  const fields = useFields()
  const [isLiquid, setLiquid] = useState(false)
  const mode = isLiquid ? 'liquid' : modeOf(condition)
  const said = condition === undefined ? undefined : readCondition(condition)
  const choose = (next: string | null): void => {
    setLiquid(next === 'liquid')
    const field = fields.data?.[0]?.name
    if (next === 'all') onChange(undefined)
    else if (next === 'field' && field && !said) onChange(writeCondition({ field, test: 'some', value: '' }))
  }
  return (
    <>
      <Select
        size="xs"
        label={t('shownTo')}
        readOnly={isReadOnly}
        allowDeselect={false}
        data={(['all', 'field', 'liquid'] as const).map((value) => ({ value, label: t(`shownTo_${value}`) }))}
        value={mode}
        onChange={choose}
      />
      {mode === 'field' && said && <FieldWords {...{ said, isReadOnly, onChange }} />}
      {mode === 'liquid' && (
        <TextInput
          size="xs"
          label={t('condition')}
          description={t('conditionHelp')}
          readOnly={isReadOnly}
          value={condition ?? ''}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        />
      )}
    </>
  )
}
