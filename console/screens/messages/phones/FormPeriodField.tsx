import { NumberInput, Select } from '@mantine/core'
import { readPointerValue } from '../../../components/form/pointers.ts'
import type { FormBinding } from '../../../components/form/use-form.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './Phones.module.css'
import { phonesTexts } from './texts.ts'

const UNITS = ['MINUTE', 'HOUR', 'DAY', 'WEEK'] as const

type Unit = 'MILLISECOND' | 'SECOND' | (typeof UNITS)[number] | 'MONTH' | 'YEAR'

interface Period {
  unit: Unit
  value: number
}

interface Props<T> {
  form: FormBinding<T>
  /** Where the period stands, or its envelope. */
  at: string
  label: string
  help?: string
  isReadOnly: boolean
  /** It stands in `{type: "period", value}`. */
  isEnveloped?: boolean
}

/** How long: a number and its unit. Empty is null. */
export function FormPeriodField<T>({ form, at, label, help, isReadOnly, isEnveloped = false }: Props<T>) {
  const t = useTranslator(phonesTexts)
  const stored = readPointerValue(form.value, at)
  const period = (isEnveloped ? readPointerValue(form.value, `${at}/value`) : stored) as Period | null | undefined
  const known: readonly string[] = UNITS
  const units = period && !known.includes(period.unit) ? [...UNITS, period.unit] : UNITS
  const set = (next: Period | null): void =>
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
        onChange={(next) => set(next === '' ? null : { unit: period?.unit ?? 'HOUR', value: Number(next) })}
      />
      <Select
        w={130}
        aria-label={t('unitOf', { label })}
        allowDeselect={false}
        readOnly={isReadOnly}
        disabled={!period}
        data={units.map((value) => ({ value, label: t(`unit_${value}`) }))}
        value={period?.unit ?? 'HOUR'}
        onChange={(unit) => period && unit && set({ ...period, unit: unit as Unit })}
      />
    </div>
  )
}
