import { Link } from '@tanstack/react-router'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './ReportPage.module.css'
import type { ApiMessageReport } from './report.ts'
import { reportTexts } from './texts.ts'

interface Props {
  report: ApiMessageReport
  to(of: string): { to: string; search: Record<string, unknown> }
}

/** The links of the message, the most followed first. */
export function ReportLinksPanel({ report: { links }, to }: Props) {
  const t = useTranslator(reportTexts)
  const maxClicks = Math.max(...links.map(({ clicks }) => clicks), 1)
  const sortedLinks = [...links].sort((a, b) => b.clicks - a.clicks)
  return (
    <PagePanel title={t('links')}>
      {sortedLinks.length === 0 ? (
        <p>{t('noLinks')}</p>
      ) : (
        <PlainTable label={t('links')}>
          <thead>
            <tr>
              <th scope="col">{t('link')}</th>
              <th scope="col" data-number>
                {t('clicks')}
              </th>
              <th scope="col" data-number>
                {t('contacts')}
              </th>
            </tr>
          </thead>
          <tbody>
            {sortedLinks.map(({ id, address, clicks, contacts }) => (
              <tr key={id}>
                <th scope="row" className={styles['address']}>
                  <bdi>{address ?? t('linkGone', { link: id })}</bdi>
                  <span className={styles['bar']} style={{ width: `${(clicks / maxClicks) * 100}%` }} aria-hidden />
                </th>
                <td data-number>
                  <FormattedNumber value={clicks} />
                </td>
                <td data-number>
                  {contacts > 0 ? (
                    <Link {...to(`link:${id}`)}>
                      <FormattedNumber value={contacts} />
                    </Link>
                  ) : (
                    <FormattedNumber value={0} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </PagePanel>
  )
}
