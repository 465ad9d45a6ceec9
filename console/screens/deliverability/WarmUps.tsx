import { Progress } from '@mantine/core'
import type { Answer } from '../../api/shapes.ts'
import { Chart } from '../../components/chart/Chart.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Num } from '../../components/Num.tsx'
import { Time } from '../../components/Time.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { deliverabilityTexts } from './texts.ts'

const DAY_MS = 24 * 3600 * 1000

type WarmUp = Answer<'/deliverability', 'get'>['warmUps'][number]

/** Domains that begin to send: what each may send a day to a destination, and what it sent today. */
export function WarmUps({ warmUps }: { warmUps: readonly WarmUp[] }) {
  const t = useText(deliverabilityTexts)
  return warmUps.map(({ domain, startDate, day, allowance, schedule, sent }) => (
    <Panel key={domain} title={t('warmUp', { domain })} tools={<Time at={startDate} as="date" />}>
      <p className={styles['quiet']}>
        {allowance === null ? t('warmUpOver') : t('warmUpDay', { day, total: schedule.length, allowance })}
      </p>
      {allowance !== null && (
        <ul className={styles['lines']}>
          {sent.map(({ destination, count }) => (
            <li key={destination}>
              <span>
                <bdi>{destination}</bdi> <Num value={count} />
              </span>
              <Progress value={(100 * count) / allowance} size={4} aria-label={destination} />
            </li>
          ))}
        </ul>
      )}
      {schedule.length > 1 && (
        <Chart
          title={t('warmUpChart', { domain })}
          times={schedule.map((_, index) => Date.parse(startDate) + index * DAY_MS)}
          series={[{ label: t('allowance'), values: schedule }]}
          height={180}
        />
      )}
    </Panel>
  ))
}
