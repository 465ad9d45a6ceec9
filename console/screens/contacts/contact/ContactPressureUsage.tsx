import { Progress } from '@mantine/core'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './ReachabilityPanel.module.css'
import { useContactPressure } from './reasons.ts'
import { contactPageTexts } from './texts.ts'

/** Usage of each limit of marketing pressure, and the messages that wait because of it. */
export function ContactPressureUsage({ id }: { id: string }) {
  const t = useTranslator(contactPageTexts)
  const pressure = useContactPressure(id)
  if (pressure.error) return <ProblemAlert error={pressure.error} onRetry={() => void pressure.refetch()} />
  if (!pressure.data || pressure.data.length === 0) return null
  return (
    <ul className={styles['counted']} aria-label={t('counted')}>
      {pressure.data.map(({ rule, expression, count, limit, until, waiting: waitingCount }) => (
        <li key={`${rule.id} ${expression}`}>
          <div className={styles['count']}>
            <span>{rule.label}</span>
            {limit > 0 && <span className="digits">{t('countOf', { count, limit })}</span>}
          </div>
          {limit > 0 && (
            <Progress
              size={4}
              value={Math.min((100 * count) / limit, 100)}
              color={count >= limit ? 'orange' : 'teal'}
              aria-label={`${rule.label}: ${t('countOf', { count, limit })}`}
            />
          )}
          {until !== null && count >= limit && (
            <small>
              {t('until')} <FormattedTime at={until} as="moment" />
            </small>
          )}
          {waitingCount.map(({ stamp, until: moment }) => (
            <small key={stamp.id}>
              {t('waits')} <FormattedTime at={moment} as="moment" />
            </small>
          ))}
        </li>
      ))}
    </ul>
  )
}
