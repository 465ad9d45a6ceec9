import { BounceVerdictBadge } from '../../../components/BounceVerdictBadge.tsx'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './ReportPage.module.css'
import type { ApiMessageReport } from './report.ts'
import { reportTexts } from './texts.ts'

const MAX_SHOWN = 50

/** Bounces by destination and cause, with the responses of the servers. */
export function ReportBouncesPanel({ report: { bounces } }: { report: ApiMessageReport }) {
  const t = useTranslator(reportTexts)
  if (bounces.length === 0) return null
  const sortedBounces = [...bounces].sort((a, b) => b.count - a.count)
  return (
    <PagePanel title={t('bounces')}>
      <PlainTable label={t('bounces')}>
        <thead>
          <tr>
            <th scope="col">{t('destination')}</th>
            <th scope="col">{t('verdict')}</th>
            <th scope="col">{t('cause')}</th>
            <th scope="col" data-number>
              {t('count')}
            </th>
          </tr>
        </thead>
        <tbody>
          {sortedBounces.slice(0, MAX_SHOWN).map(({ destination, verdict, cause, count }) => (
            <tr key={`${destination} ${verdict} ${cause}`}>
              <th scope="row">
                <bdi>{destination ?? t('unknown')}</bdi>
              </th>
              <td>
                <BounceVerdictBadge verdict={verdict} />
              </td>
              <td className={styles['cause']}>
                <bdi>{cause}</bdi>
              </td>
              <td data-number>
                <FormattedNumber value={count} />
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {sortedBounces.length > MAX_SHOWN && (
        <small>{t('moreBounces', { count: sortedBounces.length - MAX_SHOWN })}</small>
      )}
    </PagePanel>
  )
}
