import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { reportTexts } from '../report/texts.ts'
import styles from './ReportExperiment.module.css'

interface Props {
  /** What the rate is of. */
  name: string
  rate: number | null
  interval: { low: number; high: number }
  most: number
}

/** Where a rate lies with 95 %, drawn on a scale that all lines share. */
export function ConfidenceInterval({ name, rate, interval: { low, high }, most }: Props) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  const words = t('intervalOf', { name, low: format.percent(low), high: format.percent(high) })
  const at = (share: number): string => `${(100 * Math.min(share, most)) / most}%`
  return (
    <span className={styles['interval']} role="img" aria-label={words} title={words}>
      <span style={{ left: at(low), right: `calc(100% - ${at(high)})` }} />
      {rate !== null && <i style={{ left: at(rate) }} />}
    </span>
  )
}
