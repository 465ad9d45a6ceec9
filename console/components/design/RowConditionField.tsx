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

type ConditionMode = 'all' | 'field' | 'liquid'

const detectMode = (condition: string | undefined): ConditionMode =>
  condition === undefined ? 'all' : parseRowCondition(condition) ? 'field' : 'liquid'

/** A condition in words, where it can be said in some. */
export function formatRowCondition(condition: string, t: Translator<typeof en>): string {
  const rowCondition = parseRowCondition(condition)
  return rowCondition
    ? t(`said_${rowCondition.test}`, { field: rowCondition.field, value: rowCondition.value })
    : condition
}

function FieldConditionInputs({
  said: fieldCondition,
  isReadOnly,
  onChange,
}: Omit<Props, 'condition'> & { said: RowFieldCondition }) {
  const t = useTranslator(designTexts)
  const contactFields = useContactFields()
  const fieldNames = (contactFields.data ?? []).map(({ name }) => name).filter((name) => !name.includes('"'))
  const changeCondition = (part: Partial<RowFieldCondition>): void =>
    onChange(formatConditionLiquid({ ...fieldCondition, ...part }))
  const hasValue = fieldCondition.test === 'is' || fieldCondition.test === 'isNot'
  return (
    <>
      <Select
        size="xs"
        searchable
        label={t('field')}
        readOnly={isReadOnly}
        allowDeselect={false}
        data={[...new Set([fieldCondition.field, ...fieldNames])]}
        value={fieldCondition.field}
        onChange={(field) => field && changeCondition({ field })}
      />
      <Select
        size="xs"
        label={t('comparison')}
        readOnly={isReadOnly}
        allowDeselect={false}
        data={ROW_CONDITION_TESTS.map((value) => ({ value, label: t(`test_${value}`) }))}
        value={fieldCondition.test}
        onChange={(test) => test && changeCondition({ test: test as RowFieldCondition['test'] })}
      />
      {hasValue && (
        <TextInput
          size="xs"
          label={t('value')}
          readOnly={isReadOnly}
          value={fieldCondition.value}
          onChange={(event) => changeCondition({ value: event.currentTarget.value })}
        />
      )}
    </>
  )
}

/** Audience of a row: everybody, contacts selected by one of their fields, or a Liquid condition. */
export function RowConditionField({ condition, isReadOnly, onChange }: Props) {
  const t = useTranslator(designTexts)
  const contactFields = useContactFields()
  const [isLiquid, setLiquid] = useState(false)
  const conditionMode = isLiquid ? 'liquid' : detectMode(condition)
  const fieldCondition = condition === undefined ? undefined : parseRowCondition(condition)
  const chooseMode = (next: string | null): void => {
    setLiquid(next === 'liquid')
    const firstFieldName = contactFields.data?.[0]?.name
    if (next === 'all') onChange(undefined)
    else if (next === 'field' && firstFieldName && !fieldCondition)
      onChange(formatConditionLiquid({ field: firstFieldName, test: 'some', value: '' }))
  }
  return (
    <>
      <Select
        size="xs"
        label={t('shownTo')}
        readOnly={isReadOnly}
        allowDeselect={false}
        data={(['all', 'field', 'liquid'] as const).map((value) => ({ value, label: t(`shownTo_${value}`) }))}
        value={conditionMode}
        onChange={chooseMode}
      />
      {conditionMode === 'field' && fieldCondition && (
        <FieldConditionInputs said={fieldCondition} isReadOnly={isReadOnly} onChange={onChange} />
      )}
      {conditionMode === 'liquid' && (
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
