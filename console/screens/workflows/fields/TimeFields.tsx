import { NumberInput, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { valueAt } from '../../../components/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { localOf, utcOf } from '../../imports/settings/zoned.ts'
import styles from '../Workflows.module.css'
import { ExpressionField } from './ExpressionField.tsx'
import { type FieldProps, useFault } from './node-form.ts'
import { fieldTexts } from './texts.ts'

const UNITS = ['SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

interface Period {
  type?: string
  unit: string
  value: number
}
const isPeriod = (value: unknown): value is Period =>
  value !== null && typeof value === 'object' && 'unit' in value && 'value' in value

/** So many units of time; empty: none. */
export function PeriodField({ form, at, label, isReadOnly }: FieldProps) {
  const t = useText(fieldTexts)
  const stored = valueAt(form.value, at)
  const period = isPeriod(stored) ? stored : null
  const fault = useFault({ form, at })
  const set = (value: unknown, unit: string): void =>
    form.set(at, typeof value === 'number' ? { type: 'rolling', ...period, value, unit } : undefined)
  return (
    <div className={styles['pair']}>
      <NumberInput
        label={label}
        min={1}
        allowDecimal={false}
        clampBehavior="none"
        readOnly={isReadOnly}
        error={fault}
        value={period?.value ?? ''}
        onChange={(next) => set(next === '' ? undefined : Number(next), period?.unit ?? 'DAY')}
      />
      <Select
        aria-label={`${label}: ${t('unit')}`}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={[...UNITS, ...(period?.unit === 'MILLISECOND' ? ['MILLISECOND'] : [])].map((unit) => ({
          value: unit,
          label: t(`unit-${unit}` as 'unit-DAY'),
        }))}
        value={period?.unit ?? 'DAY'}
        onChange={(unit) => unit && set(period?.value ?? 1, unit)}
      />
    </div>
  )
}

const UNTIL = { until: { type: 'path', value: 'data.date' } }
const ONE_DAY = { type: 'rolling', unit: 'DAY', value: 1 }

/** How long a wait lasts at most: a time, until a date, or as long as the run. */
export function TimeoutField(props: FieldProps) {
  const t = useText(fieldTexts)
  const { form, at, label, isReadOnly } = props
  const stored = valueAt(form.value, at)
  const isUntil = stored !== null && typeof stored === 'object' && 'until' in stored
  const mode = isUntil ? 'until' : isPeriod(stored) ? 'period' : 'none'
  return (
    <div className={styles['expression']}>
      <Select
        label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={(['none', 'period', 'until'] as const).map((value) => ({ value, label: t(`timeout-${value}`) }))}
        value={mode}
        onChange={(next) => form.set(at, next === 'none' ? null : next === 'until' ? UNTIL : ONE_DAY)}
      />
      {mode === 'period' && <PeriodField {...props} label={t('set-period')} />}
      {mode === 'until' && <ExpressionField {...props} at={`${at}/until`} label={t('set-until')} least="path" />}
    </div>
  )
}

/** From where a wait looks for events. */
export function SinceField(props: FieldProps) {
  const t = useText(fieldTexts)
  const { form, at, label, isReadOnly } = props
  const stored = valueAt(form.value, at)
  const mode = isPeriod(stored) ? 'period' : typeof stored === 'string' ? stored : 'previous'
  return (
    <div className={styles['expression']}>
      <Select
        label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={useFault(props)}
        data={(['previous', 'now', 'send', 'run', 'period'] as const).map((value) => ({
          value,
          label: t(`since-${value}`),
        }))}
        value={mode}
        onChange={(next) => form.set(at, next === 'period' ? ONE_DAY : next === 'previous' ? undefined : next)}
      />
      {mode === 'period' && <PeriodField {...props} label={t('set-period')} />}
    </div>
  )
}

/** A time zone; that of the contact among them. */
export function ZoneField({ form, at, label, isReadOnly }: FieldProps) {
  const t = useText(fieldTexts)
  const stored = valueAt(form.value, at) as { id?: string } | string | null | undefined
  const id = typeof stored === 'string' ? stored : (stored?.id ?? null)
  const zones = useMemo(() => {
    const all = [
      ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(id === null || id === 'contact' ? [] : [id])]),
    ]
    return [{ value: 'contact', label: t('zoneOfContact') }, ...all.map((value) => ({ value, label: value }))]
  }, [id, t])
  return (
    <Select
      label={label}
      searchable
      clearable
      limit={60}
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      data={zones}
      value={id}
      onChange={(next) => form.set(at, next === null ? null : { id: next })}
    />
  )
}

/** A time of a day, `24:00` included. */
export function ClockField({ form, at, label, isReadOnly }: FieldProps) {
  return (
    <TextInput
      label={label}
      placeholder="09:00"
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      value={String(valueAt(form.value, at) ?? '')}
      onChange={(event) => form.set(at, event.currentTarget.value)}
    />
  )
}

/** An instant, in the clock of the account's zone, which is named. */
export function MomentField({ form, at, label, isReadOnly, help }: FieldProps & { help?: string }) {
  const { zone } = useFormat()
  const stored = valueAt(form.value, at)
  const isMoment = typeof stored === 'string' && !Number.isNaN(Date.parse(stored))
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={[zone, help].filter(Boolean).join(' · ')}
      readOnly={isReadOnly}
      error={useFault({ form, at })}
      value={isMoment ? localOf(stored, zone) : ''}
      onChange={({ currentTarget: { value } }) => form.set(at, value === '' ? null : utcOf(value, zone))}
    />
  )
}
