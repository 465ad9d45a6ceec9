import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './CriteriaBuilder.module.css'
import type { CriteriaField, CriterionValueKind } from './model.ts'
import { criteriaTexts } from './texts.ts'

export interface CriterionValueProps {
  value: unknown
  onChange(value: unknown): void
}

interface Amount {
  value: number
  unit: string
}

const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function NumberValue({ value, onChange, label, min }: CriterionValueProps & { label: string; min?: number }) {
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

function AmountValue({ value, onChange }: CriterionValueProps) {
  const t = useTranslator(criteriaTexts)
  const amount = (isObject(value) ? value : { value: 30, unit: 'day' }) as unknown as Amount
  return (
    <>
      <NumberValue
        label={t('howMany')}
        min={0}
        value={amount.value}
        onChange={(next) => onChange({ ...amount, value: next })}
      />
      <Select
        size="xs"
        w={110}
        aria-label={t('unit')}
        allowDeselect={false}
        data={UNITS.map((unit) => ({ value: unit, label: t(unit) }))}
        value={amount.unit}
        onChange={(unit) => onChange({ ...amount, unit })}
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
function MomentValue({ value, onChange }: CriterionValueProps) {
  const t = useTranslator(criteriaTexts)
  const mode = isObject(value) ? ('ago' in value ? 'ago' : 'ahead') : 'on'
  const amount = isObject(value) ? value[mode] : { value: 30, unit: 'day' }
  return (
    <>
      {mode === 'on' ? (
        <DateValueField label={t('date')} value={value} onChange={onChange} />
      ) : (
        <AmountValue value={amount} onChange={(next) => onChange({ [mode]: next })} />
      )}
      <Select
        size="xs"
        w={120}
        aria-label={t('moment')}
        allowDeselect={false}
        data={(['ago', 'ahead', 'on'] as const).map((one) => ({ value: one, label: t(one) }))}
        value={mode}
        onChange={(next) => onChange(next === 'on' ? new Date().toISOString().slice(0, 10) : { [next!]: amount })}
      />
    </>
  )
}

/** A span of time: the last or next days, or from a date to another. `canBeOpen`: or at any time. */
export function TimeSpanField({ value, onChange, canBeOpen = false }: CriterionValueProps & { canBeOpen?: boolean }) {
  const t = useTranslator(criteriaTexts)
  const modes = canBeOpen ? (['anyTime', 'last', 'next', 'dates'] as const) : (['last', 'next', 'dates'] as const)
  const span = isObject(value) ? value : {}
  const mode = !isObject(value) ? 'anyTime' : 'last' in span ? 'last' : 'next' in span ? 'next' : 'dates'
  const choose = (next: string | null): void => {
    const today = new Date().toISOString().slice(0, 10)
    if (next === 'anyTime') onChange(undefined)
    else onChange(next === 'dates' ? { start: today } : { [next!]: span[mode] ?? { value: 30, unit: 'day' } })
  }
  return (
    <>
      <Select
        size="xs"
        w={140}
        aria-label={t('period')}
        allowDeselect={false}
        data={modes.map((one) => ({ value: one, label: t(one) }))}
        value={mode}
        onChange={choose}
      />
      {(mode === 'last' || mode === 'next') && (
        <AmountValue value={span[mode]} onChange={(amount) => onChange({ [mode]: amount })} />
      )}
      {mode === 'dates' &&
        (['start', 'end'] as const).map((side) => (
          <DateValueField
            key={side}
            label={t(side)}
            value={span[side]}
            onChange={(date) => onChange({ ...span, [side]: date === '' ? undefined : date })}
          />
        ))}
    </>
  )
}

function DaysValue({ value, onChange }: CriterionValueProps) {
  const t = useTranslator(criteriaTexts)
  const days = isObject(value) ? value : {}
  return (
    <>
      <NumberValue label={t('fromDay')} value={days['from']} onChange={(from) => onChange({ ...days, from })} />
      <span className={styles['word']}>{t('to')}</span>
      <NumberValue label={t('toDay')} value={days['to']} onChange={(to) => onChange({ ...days, to })} />
      <span className={styles['word']}>{t('daysFromNow')}</span>
    </>
  )
}

interface FieldValue extends CriterionValueProps {
  field: CriteriaField | undefined
  labels: readonly string[]
}

function OneValue({ value, onChange, field, labels }: FieldValue) {
  const t = useTranslator(criteriaTexts)
  if (field?.type === 'numeric') return <NumberValue label={t('value')} value={value} onChange={onChange} />
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

function ManyValues({ value, onChange, field, labels }: FieldValue) {
  const t = useTranslator(criteriaTexts)
  const common = { size: 'xs' as const, miw: 200, maw: 480, 'aria-label': t('values') }
  const chosen = Array.isArray(value) ? value.map(String) : []
  if (field?.valueListId !== undefined)
    return <MultiSelect {...common} searchable data={[...labels]} value={chosen} onChange={onChange} />
  const read = (texts: string[]): unknown[] => (field?.type === 'numeric' ? texts.map(Number) : texts)
  return <TagsInput {...common} placeholder={t('enterEach')} value={chosen} onChange={(next) => onChange(read(next))} />
}

function pair(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [undefined, undefined]
}

/** The value of an operator, in the way that fits it. */
export function OperatorValueField({ kind, ...props }: FieldValue & { kind: CriterionValueKind }) {
  const t = useTranslator(criteriaTexts)
  const { value, onChange } = props
  const [first, second] = pair(value)
  if (kind === 'none') return null
  if (kind === 'one') return <OneValue {...props} />
  if (kind === 'many') return <ManyValues {...props} />
  if (kind === 'span') return <TimeSpanField value={value} onChange={onChange} />
  if (kind === 'days') return <DaysValue value={value} onChange={onChange} />
  if (kind === 'moment') return <MomentValue value={value} onChange={onChange} />
  const One = kind === 'moments' ? MomentValue : NumberValue
  return (
    <>
      <One label={t('from')} value={first} onChange={(from) => onChange([from, second])} />
      <span className={styles['word']}>{t('and')}</span>
      <One label={t('to')} value={second} onChange={(to) => onChange([first, to])} />
    </>
  )
}
