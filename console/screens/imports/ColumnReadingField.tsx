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
  fieldType: ImportTargetField['type']
  features: readonly ApiImportFeature[]
  onChange(features: ApiImportFeature[]): void
}

/** A choice of how to read a column of numbers or dates with several readings. Each option shows the first cell as it would be read. */
export function ColumnReadingField({ column, name, fieldType, features, onChange }: Props) {
  const t = useTranslator(importTexts)
  const format = useLocaleFormat()
  const { decimalMark, dateUnit } = findColumnReading(features, column)
  const numberReading = fieldType === 'numeric' ? column.numbers?.[0] : undefined
  const dateReading = fieldType === 'date' ? column.dates?.[0] : undefined
  if (!numberReading && !dateReading) return null
  const markOptions = DECIMAL_MARKS.flatMap((value) =>
    numberReading
      ? [{ value, label: t(`read.${value}`, { cell: numberReading.cell, value: format.number(numberReading[value]) }) }]
      : [],
  )
  const unitOptions = DATE_UNITS.flatMap((value) => {
    const exampleDay = dateReading?.[value]
    return dateReading && exampleDay
      ? [{ value, label: t(`read.${value}`, { cell: dateReading.cell, value: format.calendarDate(exampleDay) }) }]
      : []
  })
  const unsetLabel = numberReading ? t('readUnset') : t('readRefused')
  return (
    <Select
      size="xs"
      w={170}
      clearable
      clearButtonProps={{ 'aria-label': unsetLabel }}
      aria-label={t('readingOf', { column: name })}
      placeholder={unsetLabel}
      data={[...markOptions, ...unitOptions]}
      value={(numberReading ? decimalMark : dateUnit) ?? null}
      onChange={(value) => onChange(setColumnReading(features, column, parseReadingChoice(value)))}
    />
  )
}
