import { useText } from '../../text/catalogue.ts'
import { useFormat } from '../../text/format.ts'
import { partTexts } from '../texts.ts'
import styles from './Chart.module.css'
import type { ChartProps } from './Chart.tsx'

/** A chart as its numbers. */
export function ChartTable({ times, series, isPercent = false }: ChartProps) {
  const t = useText(partTexts)
  const format = useFormat()
  const shown = (value: number | null | undefined): string =>
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
                <td key={label}>{shown(values[place])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
