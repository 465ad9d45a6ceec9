import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CriteriaBuilder.module.css'
import type { CriteriaField, CriterionValueKind } from './model.ts'
import { criteriaTexts } from './texts.ts'

export interface CriterionValueProps {
  value: unknown
  onChange(value: unknown): void
}

interface TimeAmount {
  value: number
  unit: string
}

const TIME_UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function NumberValueInput({ value, onChange, label, min }: CriterionValueProps & { label: string; min?: number }) {
  return (
    <NumberInput
      size="xs"
      w={92}
      hideControls
      aria-label={label}
      {...(min !== undefined && { min })}
      value={typeof value === 'number' || typeof value === 'string' ? value : ''}
      onChange={onChange}
    />
  )
}

function AmountInput({ value, onChange }: CriterionValueProps) {
  const t = useTranslator(criteriaTexts)
  const timeAmount = (isObject(value) ? value : { value: 30, unit: 'day' }) as unknown as TimeAmount
  return (
    <>
      <NumberValueInput
        label={t('howMany')}
        min={0}
        value={timeAmount.value}
        onChange={(next) => onChange({ ...timeAmount, value: next })}
      />
      <Select
        size="xs"
        w={110}
        aria-label={t('unit')}
        allowDeselect={false}
        data={TIME_UNITS.map((unit) => ({ value: unit, label: t(unit, { count: timeAmount.value }) }))}
        value={timeAmount.unit}
        onChange={(unit) => onChange({ ...timeAmount, unit })}
      />
    </>
  )
}

export function DateValueField({ value, onChange, label }: CriterionValueProps & { label: string }) {
  return (
    <TextInput
      size="xs"
      w={150}
      type="date"
      aria-label={label}
      value={typeof value === 'string' ? value.slice(0, 10) : ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** A point in time: so long ago or ahead, or a date. */
function InstantInput({ value, onChange }: CriterionValueProps) {
  const t = useTranslator(criteriaTexts)
  const timeMode = isObject(value) ? ('ago' in value ? 'ago' : 'ahead') : 'on'
  const timeAmount = isObject(value) ? value[timeMode] : { value: 30, unit: 'day' }
  return (
    <>
      {timeMode === 'on' ? (
        <DateValueField label={t('date')} value={value} onChange={onChange} />
      ) : (
        <AmountInput value={timeAmount} onChange={(next) => onChange({ [timeMode]: next })} />
      )}
      <Select
        size="xs"
        w={120}
        aria-label={t('moment')}
        allowDeselect={false}
        data={(['ago', 'ahead', 'on'] as const).map((modeName) => ({ value: modeName, label: t(modeName) }))}
        value={timeMode}
        onChange={(next) => onChange(next === 'on' ? new Date().toISOString().slice(0, 10) : { [next!]: timeAmount })}
      />
    </>
  )
}

/** A span of time: the last or next days, or from a date to another. `canBeOpen`: or at any time. */
export function TimeSpanField({ value, onChange, canBeOpen = false }: CriterionValueProps & { canBeOpen?: boolean }) {
  const t = useTranslator(criteriaTexts)
  const spanModes = canBeOpen ? (['anyTime', 'last', 'next', 'dates'] as const) : (['last', 'next', 'dates'] as const)
  const timeSpan = isObject(value) ? value : {}
  const timeMode = !isObject(value) ? 'anyTime' : 'last' in timeSpan ? 'last' : 'next' in timeSpan ? 'next' : 'dates'
  const chooseMode = (next: string | null): void => {
    const today = new Date().toISOString().slice(0, 10)
    if (next === 'anyTime') onChange(undefined)
    else onChange(next === 'dates' ? { start: today } : { [next!]: timeSpan[timeMode] ?? { value: 30, unit: 'day' } })
  }
  return (
    <>
      <Select
        size="xs"
        w={140}
        aria-label={t('period')}
        allowDeselect={false}
        data={spanModes.map((modeName) => ({ value: modeName, label: t(modeName) }))}
        value={timeMode}
        onChange={chooseMode}
      />
      {(timeMode === 'last' || timeMode === 'next') && (
        <AmountInput value={timeSpan[timeMode]} onChange={(timeAmount) => onChange({ [timeMode]: timeAmount })} />
      )}
      {timeMode === 'dates' &&
        (['start', 'end'] as const).map((side) => (
          <DateValueField
            key={side}
            label={t(side)}
            value={timeSpan[side]}
            onChange={(date) => onChange({ ...timeSpan, [side]: date === '' ? undefined : date })}
          />
        ))}
    </>
  )
}

function DaysInput({ value, onChange }: CriterionValueProps) {
  const t = useTranslator(criteriaTexts)
  const dayRange = isObject(value) ? value : {}
  return (
    <>
      <NumberValueInput
        label={t('fromDay')}
        value={dayRange['from']}
        onChange={(from) => onChange({ ...dayRange, from })}
      />
      <span className={styles['word']}>{t('to')}</span>
      <NumberValueInput label={t('toDay')} value={dayRange['to']} onChange={(to) => onChange({ ...dayRange, to })} />
      <span className={styles['word']}>{t('daysFromNow')}</span>
    </>
  )
}

interface FieldValueProps extends CriterionValueProps {
  field: CriteriaField | undefined
  labels: readonly string[]
}

function SingleValueInput({ value, onChange, field, labels }: FieldValueProps) {
  const t = useTranslator(criteriaTexts)
  if (field?.type === 'numeric') return <NumberValueInput label={t('value')} value={value} onChange={onChange} />
  if (field?.type === 'date') return <DateValueField label={t('value')} value={value} onChange={onChange} />
  if (field?.valueListId !== undefined)
    return (
      <Select
        size="xs"
        w={200}
        searchable
        allowDeselect={false}
        aria-label={t('value')}
        data={[...labels]}
        value={typeof value === 'string' && value !== '' ? value : null}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      size="xs"
      w={200}
      aria-label={t('value')}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function MultiValueInput({ value, onChange, field, labels }: FieldValueProps) {
  const t = useTranslator(criteriaTexts)
  const inputProps = { size: 'xs' as const, miw: 200, maw: 480, 'aria-label': t('values') }
  const chosenTexts = Array.isArray(value) ? value.map(String) : []
  if (field?.valueListId !== undefined)
    return <MultiSelect {...inputProps} searchable data={[...labels]} value={chosenTexts} onChange={onChange} />
  const parseTexts = (texts: string[]): unknown[] => (field?.type === 'numeric' ? texts.map(Number) : texts)
  return (
    <TagsInput
      {...inputProps}
      placeholder={t('enterEach')}
      value={chosenTexts}
      onChange={(next) => onChange(parseTexts(next))}
    />
  )
}

function toPair(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [undefined, undefined]
}

/** The value of an operator, in the way that fits it. */
export function OperatorValueField({ kind, ...props }: FieldValueProps & { kind: CriterionValueKind }) {
  const t = useTranslator(criteriaTexts)
  const { value, onChange } = props
  const [first, second] = toPair(value)
  if (kind === 'none') return null
  if (kind === 'one') return <SingleValueInput {...props} />
  if (kind === 'many') return <MultiValueInput {...props} />
  if (kind === 'span') return <TimeSpanField value={value} onChange={onChange} />
  if (kind === 'days') return <DaysInput value={value} onChange={onChange} />
  if (kind === 'moment') return <InstantInput value={value} onChange={onChange} />
  const RangeInput = kind === 'moments' ? InstantInput : NumberValueInput
  return (
    <>
      <RangeInput label={t('from')} value={first} onChange={(from) => onChange([from, second])} />
      <span className={styles['word']}>{t('and')}</span>
      <RangeInput label={t('to')} value={second} onChange={(to) => onChange([first, to])} />
    </>
  )
}
