import { Select } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import {
  type ApiImportFeature,
  DATE_UNITS,
  DECIMAL_MARKS,
  findColumnReading,
  type ImportPreviewColumn,
  type ImportTargetField,
  parseReadingChoice,
  setColumnReading,
} from './mapping.ts'
import { importTexts } from './texts.ts'

interface Props {
  column: ImportPreviewColumn
  name: string
  field: ImportTargetField
  features: readonly ApiImportFeature[]
  onChange(features: ApiImportFeature[]): void
}

/** A choice of how to read a column of numbers or dates with several readings. Each option shows the first cell as it would be read. */
export function ColumnReadingField({ column, name, field, features, onChange }: Props) {
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const { decimalMark, dateUnit } = findColumnReading(features, column)
  const number = field.type === 'numeric' ? column.numbers?.[0] : undefined
  const date = field.type === 'date' ? column.dates?.[0] : undefined
  if (!number && !date) return null
  const marks = DECIMAL_MARKS.flatMap((value) =>
    number ? [{ value, label: t(`read.${value}`, { cell: number.cell, value: format.number(number[value]) }) }] : [],
  )
  const units = DATE_UNITS.flatMap((value) => {
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
      onChange={(value) => onChange(setColumnReading(features, column, parseReadingChoice(value)))}
    />
  )
}
