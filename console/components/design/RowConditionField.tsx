import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useContactFields } from '../../api/definitions.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import type en from './en.ts'
import {
  formatConditionLiquid,
  parseRowCondition,
  ROW_CONDITION_TESTS,
  type RowFieldCondition,
} from './model/condition.ts'
import { designTexts } from './texts.ts'

interface Props {
  condition: string | undefined
  isReadOnly: boolean
  onChange(condition: string | undefined): void
}

type Mode = 'all' | 'field' | 'liquid'

const modeOf = (condition: string | undefined): Mode =>
  condition === undefined ? 'all' : parseRowCondition(condition) ? 'field' : 'liquid'

/** A condition in words, where it can be said in some. */
export function formatRowCondition(condition: string, t: Translator<typeof en>): string {
  const found = parseRowCondition(condition)
  return found ? t(`said_${found.test}`, { field: found.field, value: found.value }) : condition
}

function FieldWords({ said, isReadOnly, onChange }: Omit<Props, 'condition'> & { said: RowFieldCondition }) {
  const t = useTranslator(designTexts)
  const fields = useContactFields()
  const names = (fields.data ?? []).map(({ name }) => name).filter((name) => !name.includes('"'))
  const set = (part: Partial<RowFieldCondition>): void => onChange(formatConditionLiquid({ ...said, ...part }))
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
        data={ROW_CONDITION_TESTS.map((value) => ({ value, label: t(`test_${value}`) }))}
        value={said.test}
        onChange={(test) => test && set({ test: test as RowFieldCondition['test'] })}
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
export function RowConditionField({ condition, isReadOnly, onChange }: Props) {
  const t = useTranslator(designTexts)
  const fields = useContactFields()
  const [isLiquid, setLiquid] = useState(false)
  const mode = isLiquid ? 'liquid' : modeOf(condition)
  const said = condition === undefined ? undefined : parseRowCondition(condition)
  const choose = (next: string | null): void => {
    setLiquid(next === 'liquid')
    const field = fields.data?.[0]?.name
    if (next === 'all') onChange(undefined)
    else if (next === 'field' && field && !said) onChange(formatConditionLiquid({ field, test: 'some', value: '' }))
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
