import { Select } from '@mantine/core'
import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import {
  type Column,
  chosenReading,
  type Feature,
  type Field,
  MARKS,
  readingOf,
  UNITS,
  withReading,
} from './mapping.ts'
import { importTexts } from './texts.ts'

interface Props {
  column: Column
  name: string
  field: Field
  features: readonly Feature[]
  onChange(features: Feature[]): void
}

/** A choice of how to read a column of numbers or dates with several readings. Each option shows the first cell as it would be read. */
export function Reading({ column, name, field, features, onChange }: Props) {
  const t = useText(importTexts)
  const format = useFormat()
  const { decimalMark, dateUnit } = readingOf(features, column)
  const number = field.type === 'numeric' ? column.numbers?.[0] : undefined
  const date = field.type === 'date' ? column.dates?.[0] : undefined
  if (!number && !date) return null
  const marks = MARKS.flatMap((value) =>
    number ? [{ value, label: t(`read.${value}`, { cell: number.cell, value: format.number(number[value]) }) }] : [],
  )
  const units = UNITS.flatMap((value) => {
    const day = date?.[value]
    return date && day
      ? [{ value, label: t(`read.${value}`, { cell: date.cell, value: format.calendarDate(day) }) }]
      : []
  })
  const unset = number ? t('readUnset') : t('readRefused')
  return (
    <Select
      size="xs"
      clearable
      clearButtonProps={{ 'aria-label': unset }}
      aria-label={t('readingOf', { column: name })}
      placeholder={unset}
      data={[...marks, ...units]}
      value={(number ? decimalMark : dateUnit) ?? null}
      onChange={(value) => onChange(withReading(features, column, chosenReading(value)))}
    />
  )
}
