import { useTranslator } from '../../text/catalogue.ts'
import { useLocaleFormat } from '../../text/format.ts'
import { componentTexts } from '../texts.ts'
import type { ChartProps } from './chart-props.ts'
import styles from './TimeChart.module.css'

/** A chart as its numbers. */
export function ChartTable({ times, series, isPercent = false }: ChartProps) {
  const t = useTranslator(componentTexts)
  const format = useLocaleFormat()
  const formatCell = (value: number | null | undefined): string =>
    value === null || value === undefined ? '' : isPercent ? format.percent(value) : format.number(value)
  return (
    <div className={styles['numbers']} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((at, place) => (
            <tr key={at}>
              <th scope="row">{format.dateTime(at)}</th>
              {series.map(({ label, values }) => (
                <td key={label}>{formatCell(values[place])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
