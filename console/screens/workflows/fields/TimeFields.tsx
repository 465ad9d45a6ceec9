import { NumberInput, Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { toUtcInstant, toZonedLocalTime } from '../../imports/settings/zoned.ts'
import styles from '../WorkflowsPage.module.css'
import { type NodeFieldProps, useNodeFieldFault } from './node-form.ts'
import { workflowFieldTexts } from './texts.ts'
import { WorkflowExpressionField } from './WorkflowExpressionField.tsx'

const PERIOD_UNITS = ['SECOND', 'MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const

interface RollingPeriod {
  type?: string
  unit: string
  value: number
}
const isPeriod = (value: unknown): value is RollingPeriod =>
  value !== null && typeof value === 'object' && 'unit' in value && 'value' in value

/** So many units of time; empty: none. */
export function NodePeriodField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const t = useTranslator(workflowFieldTexts)
  const storedValue = readPointerValue(form.value, at)
  const period = isPeriod(storedValue) ? storedValue : null
  const fault = useNodeFieldFault({ form, at })
  const changePeriod = (value: unknown, unit: string): void =>
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
        onChange={(next) => changePeriod(next === '' ? undefined : Number(next), period?.unit ?? 'DAY')}
      />
      <Select
        aria-label={`${label}: ${t('unit')}`}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={[...PERIOD_UNITS, ...(period?.unit === 'MILLISECOND' ? ['MILLISECOND'] : [])].map((unit) => ({
          value: unit,
          label: t(`unit-${unit}` as 'unit-DAY'),
        }))}
        value={period?.unit ?? 'DAY'}
        onChange={(unit) => unit && changePeriod(period?.value ?? 1, unit)}
      />
    </div>
  )
}

const INITIAL_UNTIL = { until: { type: 'path', value: 'data.date' } }
const ONE_DAY = { type: 'rolling', unit: 'DAY', value: 1 }

/** Maximum duration of a wait: a period, until a date, or as long as the run. */
export function WaitTimeoutField(props: NodeFieldProps) {
  const t = useTranslator(workflowFieldTexts)
  const { form, at, label, isReadOnly } = props
  const storedValue = readPointerValue(form.value, at)
  const isUntil = storedValue !== null && typeof storedValue === 'object' && 'until' in storedValue
  const timeMode = isUntil ? 'until' : isPeriod(storedValue) ? 'period' : 'none'
  return (
    <div className={styles['expression']}>
      <Select
        label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={(['none', 'period', 'until'] as const).map((value) => ({ value, label: t(`timeout-${value}`) }))}
        value={timeMode}
        onChange={(next) => form.set(at, next === 'none' ? null : next === 'until' ? INITIAL_UNTIL : ONE_DAY)}
      />
      {timeMode === 'period' && <NodePeriodField {...props} label={t('set-period')} />}
      {timeMode === 'until' && (
        <WorkflowExpressionField {...props} at={`${at}/until`} label={t('set-until')} least="path" />
      )}
    </div>
  )
}

/** From where a wait looks for events. */
export function WaitSinceField(props: NodeFieldProps) {
  const t = useTranslator(workflowFieldTexts)
  const { form, at, label, isReadOnly } = props
  const storedValue = readPointerValue(form.value, at)
  const timeMode = isPeriod(storedValue) ? 'period' : typeof storedValue === 'string' ? storedValue : 'previous'
  return (
    <div className={styles['expression']}>
      <Select
        label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={useNodeFieldFault(props)}
        data={(['previous', 'now', 'send', 'run', 'period'] as const).map((value) => ({
          value,
          label: t(`since-${value}`),
        }))}
        value={timeMode}
        onChange={(next) => form.set(at, next === 'period' ? ONE_DAY : next === 'previous' ? undefined : next)}
      />
      {timeMode === 'period' && <NodePeriodField {...props} label={t('set-period')} />}
    </div>
  )
}

/** A time zone; that of the contact among them. */
export function TimeZoneField({ form, at, label, isReadOnly }: NodeFieldProps) {
  const t = useTranslator(workflowFieldTexts)
  const storedValue = readPointerValue(form.value, at) as { id?: string } | string | null | undefined
  const id = typeof storedValue === 'string' ? storedValue : (storedValue?.id ?? null)
  const zoneChoices = useMemo(() => {
    const allZones = [
      ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(id === null || id === 'contact' ? [] : [id])]),
    ]
    return [{ value: 'contact', label: t('zoneOfContact') }, ...allZones.map((value) => ({ value, label: value }))]
  }, [id, t])
  return (
    <Select
      label={label}
      searchable
      clearable
      limit={60}
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      data={zoneChoices}
      value={id}
      onChange={(next) => form.set(at, next === null ? null : { id: next })}
    />
  )
}

/** A time of a day, `24:00` included. */
export function ClockTimeField({ form, at, label, isReadOnly }: NodeFieldProps) {
  return (
    <TextInput
      label={label}
      placeholder="09:00"
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      value={String(readPointerValue(form.value, at) ?? '')}
      onChange={(event) => form.set(at, event.currentTarget.value)}
    />
  )
}

/** An instant, in the clock of the account's zone, which is named. */
export function NodeInstantField({ form, at, label, isReadOnly, help }: NodeFieldProps & { help?: string }) {
  const { zone } = useLocaleFormat()
  const storedValue = readPointerValue(form.value, at)
  const isInstant = typeof storedValue === 'string' && !Number.isNaN(Date.parse(storedValue))
  return (
    <TextInput
      type="datetime-local"
      label={label}
      description={[zone, help].filter(Boolean).join(' · ')}
      readOnly={isReadOnly}
      error={useNodeFieldFault({ form, at })}
      value={isInstant ? toZonedLocalTime(storedValue, zone) : ''}
      onChange={({ currentTarget: { value } }) => form.set(at, value === '' ? null : toUtcInstant(value, zone))}
    />
  )
}
