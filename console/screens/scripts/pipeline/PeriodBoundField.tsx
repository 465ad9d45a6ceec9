import { NumberInput, Select } from '@mantine/core'
import { DateField } from '../../../components/form/DateField.tsx'
import { readPointerValue } from '../../../components/form/pointers.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { scriptTexts } from '../texts.ts'
import { usePipelineEditor, usePipelineFault } from './desk.ts'
import { literalExpression, PIPELINE_PERIOD_UNITS } from './kinds.ts'
import styles from './Pipeline.module.css'
import { PipelineExpressionField } from './PipelineExpressionField.tsx'

interface TimeSpan {
  type?: string
  unit: string
  value: number
}

type BoundKind = 'open' | 'date' | 'span' | 'expression'

function detectBoundKind(value: unknown): BoundKind {
  if (value === null || value === undefined) return 'open'
  if (typeof value === 'string') return 'date'
  return 'unit' in (value as object) ? 'span' : 'expression'
}

const INITIAL_BOUNDS: Readonly<Record<BoundKind, () => unknown>> = {
  open: () => null,
  date: () => `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`,
  span: () => ({ type: 'rolling', unit: 'DAY', value: 30 }),
  expression: () => literalExpression(new Date().toISOString().slice(0, 10)),
}

function TimeSpanFields({ at, label, span }: { at: string; label: string; span: TimeSpan }) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly } = usePipelineEditor()
  const selectableUnits = PIPELINE_PERIOD_UNITS.some((periodUnit) => periodUnit === span.unit)
    ? PIPELINE_PERIOD_UNITS
    : [...PIPELINE_PERIOD_UNITS, span.unit]
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
        data={selectableUnits.map((periodUnit) => ({
          value: periodUnit,
          label: t(`unit_${periodUnit as (typeof PIPELINE_PERIOD_UNITS)[number]}`),
        }))}
        value={span.unit}
        onChange={(unit) => form.set(at, { ...span, unit })}
      />
    </div>
  )
}

/** One end of a period: none, a date, so long before now, or an expression. */
export function PeriodBoundField({ at, label }: { at: string; label: string }) {
  const t = useTranslator(scriptTexts)
  const { form, isReadOnly, argumentPaths } = usePipelineEditor()
  const value = readPointerValue(form.value, at)
  const boundKind = detectBoundKind(value)
  return (
    <div className={styles['stack']}>
      <Select
        size="xs"
        w={220}
        label={label}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={usePipelineFault(at)}
        data={(['open', 'date', 'span', 'expression'] as const).map((boundOption) => ({
          value: boundOption,
          label: t(`bound_${boundOption}`),
        }))}
        value={boundKind}
        onChange={(next) => next !== null && next !== boundKind && form.set(at, INITIAL_BOUNDS[next as BoundKind]())}
      />
      {boundKind === 'date' && <DateField form={form} at={at} label={t('date')} isReadOnly={isReadOnly} />}
      {boundKind === 'span' && <TimeSpanFields at={at} label={label} span={value as TimeSpan} />}
      {boundKind === 'expression' && (
        <PipelineExpressionField isLabelHidden at={at} label={label} names={[...argumentPaths, 'now']} />
      )}
    </div>
  )
}
