import { NumberInput, Select } from '@mantine/core'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormBinding } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './Phones.module.css'
import { phonesTexts } from './texts.ts'

const PERIOD_UNITS = ['MINUTE', 'HOUR', 'DAY', 'WEEK'] as const

type PeriodUnit = 'MILLISECOND' | 'SECOND' | (typeof PERIOD_UNITS)[number] | 'MONTH' | 'YEAR'

interface Period {
  unit: PeriodUnit
  value: number
}

interface Props<T> {
  form: FormBinding<T>
  /** Pointer to the period or its envelope. */
  at: string
  label: string
  help?: string
  isReadOnly: boolean
  /** It stands in `{type: "period", value}`. */
  isEnveloped?: boolean
}

/** A duration: a number and its unit. An empty field is null. */
export function FormPeriodField<T>({ form, at, label, help, isReadOnly, isEnveloped = false }: Props<T>) {
  const t = useTranslator(phonesTexts)
  const storedValue = readPointerValue(form.value, at)
  const period = (isEnveloped ? readPointerValue(form.value, `${at}/value`) : storedValue) as Period | null | undefined
  const knownUnits: readonly string[] = PERIOD_UNITS
  const selectableUnits = period && !knownUnits.includes(period.unit) ? [...PERIOD_UNITS, period.unit] : PERIOD_UNITS
  const changePeriod = (next: Period | null): void =>
    form.set(at, next === null || !isEnveloped ? next : { type: 'period', value: next })
  return (
    <div className={styles['line']}>
      <NumberInput
        w={220}
        min={1}
        hideControls
        label={label}
        description={help}
        error={form.faultAt(at) ?? form.faultAt(`${at}/value`) ?? form.faultAt(`${at}/value/value`)}
        readOnly={isReadOnly}
        value={period?.value ?? ''}
        onChange={(next) => changePeriod(next === '' ? null : { unit: period?.unit ?? 'HOUR', value: Number(next) })}
      />
      <Select
        w={130}
        aria-label={t('unitOf', { label })}
        allowDeselect={false}
        readOnly={isReadOnly}
        disabled={!period}
        data={selectableUnits.map((value) => ({ value, label: t(`unit_${value}`) }))}
        value={period?.unit ?? 'HOUR'}
        onChange={(unit) => period && unit && changePeriod({ ...period, unit: unit as PeriodUnit })}
      />
    </div>
  )
}
