import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { reportTexts } from '../report/texts.ts'
import styles from './ReportExperiment.module.css'

interface Props {
  /** Label of the measured rate. */
  name: string
  rate: number | null
  interval: { low: number; high: number }
  most: number
}

/** 95% confidence interval of a rate, drawn on a scale that all lines share. */
export function ConfidenceInterval({ name, rate, interval: { low, high }, most }: Props) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  const intervalLabel = t('intervalOf', { name, low: format.percent(low), high: format.percent(high) })
  const toPosition = (share: number): string => `${(100 * Math.min(share, most)) / most}%`
  return (
    <span className={styles['interval']} role="img" aria-label={intervalLabel} title={intervalLabel}>
      <span style={{ left: toPosition(low), right: `calc(100% - ${toPosition(high)})` }} />
      {rate !== null && <i style={{ left: toPosition(rate) }} />}
    </span>
  )
}
