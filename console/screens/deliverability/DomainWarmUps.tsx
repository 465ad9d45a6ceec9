import { Progress } from '@mantine/core'
import type { ApiAnswer } from '../../api/shapes.ts'
import { TimeChart } from '../../components/chart/TimeChart.tsx'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Deliverability.module.css'
import { nameProvider } from './provider-names.ts'
import { deliverabilityTexts } from './texts.ts'

const DAY_MS = 24 * 3600 * 1000

type DomainWarmUp = ApiAnswer<'getDeliverability'>['warmUps'][number]

/** Domains that begin to send: what each may send a day to a destination, and what it sent today. */
export function DomainWarmUps({ warmUps }: { warmUps: readonly DomainWarmUp[] }) {
  const t = useTranslator(deliverabilityTexts)
  return warmUps.map(({ domain, startDate, day, allowance, schedule, sent: sentCount }) => (
    <PagePanel key={domain} title={t('warmUp', { domain })} tools={<FormattedTime at={startDate} as="date" />}>
      <p className={styles['quiet']}>
        {allowance === null ? t('warmUpOver') : t('warmUpDay', { day, total: schedule.length, allowance })}
      </p>
      {allowance !== null && (
        <ul className={styles['lines']}>
          {sentCount.map(({ destination, count }) => (
            <li key={destination}>
              <span>
                <bdi>{nameProvider(destination)}</bdi> <FormattedNumber value={count} />
              </span>
              <Progress value={(100 * count) / allowance} size={4} aria-label={nameProvider(destination)} />
            </li>
          ))}
        </ul>
      )}
      {schedule.length > 1 && (
        <TimeChart
          title={t('warmUpChart', { domain })}
          times={schedule.map((_, index) => Date.parse(startDate) + index * DAY_MS)}
          series={[{ label: t('allowance'), values: schedule }]}
          height={180}
        />
      )}
    </PagePanel>
  ))
}
