import { NumberInput, Select } from '@mantine/core'
import { DateField } from '../../../components/form/DateField.tsx'
import { valueAt } from '../../../components/form/pointers.ts'
import { useText } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import { useDesk, useFault } from './desk.ts'
import { ExpressionField } from './ExpressionField.tsx'
import { literal, UNITS } from './kinds.ts'
import styles from './Pipeline.module.css'

interface Span {
  type?: string
  unit: string
  value: number
}

type BoundKind = 'open' | 'date' | 'span' | 'expression'

function kindOf(value: unknown): BoundKind {
  if (value === null || value === undefined) return 'open'
  if (typeof value === 'string') return 'date'
  return 'unit' in (value as object) ? 'span' : 'expression'
}

const FIRST: Readonly<Record<BoundKind, () => unknown>> = {
  open: () => null,
  date: () => `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`,
  span: () => ({ type: 'rolling', unit: 'DAY', value: 30 }),
  expression: () => literal(new Date().toISOString().slice(0, 10)),
}

function SpanBack({ at, label, span }: { at: string; label: string; span: Span }) {
  const t = useText(scriptTexts)
  const { form, isReadOnly } = useDesk()
  const units = UNITS.some((one) => one === span.unit) ? UNITS : [...UNITS, span.unit]
  return (
    <div className={styles['row']}>
      <NumberInput
        size="xs"
        w={90}
        min={1}
        hideControls
        allowDecimal={false}
        aria-label={`${label}: ${t('howMany')}`}
        readOnly={isReadOnly}
        value={span.value}
        onChange={(value) => form.set(at, { ...span, value: Number(value) })}
      />
      <Select
        size="xs"
        w={130}
        aria-label={`${label}: ${t('unit')}`}
        allowDeselect={false}
        readOnly={isReadOnly}
        data={units.map((one) => ({ value: one, label: t(`unit_${one as (typeof UNITS)[number]}`) }))}
        value={span.unit}
        onChange={(unit) => form.set(at, { ...span, unit })}
      />
    </div>
  )
}

/** One end of a period: none, a date, so long before now, or an expression. */
export function BoundField({ at, label }: { at: string; label: string }) {
  const t = useText(scriptTexts)
  const { form, isReadOnly, argumentPaths } = useDesk()
  const value = valueAt(form.value, at)
  const kind = kindOf(value)
  return (
    <div className={styles['stack']}>
      <Select
        size="xs"
        w={220}
        label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={useFault(at)}
        data={(['open', 'date', 'span', 'expression'] as const).map((one) => ({
          value: one,
          label: t(`bound_${one}`),
        }))}
        value={kind}
        onChange={(next) => next !== null && next !== kind && form.set(at, FIRST[next as BoundKind]())}
      />
      {kind === 'date' && <DateField form={form} at={at} label={t('date')} isReadOnly={isReadOnly} />}
      {kind === 'span' && <SpanBack at={at} label={label} span={value as Span} />}
      {kind === 'expression' && (
        <ExpressionField isLabelHidden at={at} label={label} names={[...argumentPaths, 'now']} />
      )}
    </div>
  )
}
