import { Badge } from '../../../components/Badge.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Sheet } from '../../../components/layout/Sheet.tsx'
import { Num } from '../../../components/Num.tsx'
import { useText } from '../../../text/catalogue.ts'
import styles from './Report.module.css'
import type { Report } from './report.ts'
import { reportTexts } from './texts.ts'

const SHOWN = 50

/** What came back, by destination and cause, with the words of the servers. */
export function Bounces({ report: { bounces } }: { report: Report }) {
  const t = useText(reportTexts)
  if (bounces.length === 0) return null
  const sorted = [...bounces].sort((a, b) => b.count - a.count)
  return (
    <Panel title={t('bounces')}>
      <Sheet label={t('bounces')}>
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
          {sorted.slice(0, SHOWN).map(({ destination, verdict, cause, count }) => (
            <tr key={`${destination} ${verdict} ${cause}`}>
              <th scope="row">
                <bdi>{destination ?? t('unknown')}</bdi>
              </th>
              <td>
                <Badge tone={verdict === 'hard' ? 'bad' : 'warning'}>{verdict}</Badge>
              </td>
              <td className={styles['cause']}>
                <bdi>{cause}</bdi>
              </td>
              <td data-number>
                <Num value={count} />
              </td>
            </tr>
          ))}
        </tbody>
      </Sheet>
      {sorted.length > SHOWN && <small>{t('moreBounces', { count: sorted.length - SHOWN })}</small>}
    </Panel>
  )
}
