import { Link } from '@tanstack/react-router'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Sheet } from '../../../components/layout/Sheet.tsx'
import { Num } from '../../../components/Num.tsx'
import { useText } from '../../../text/catalogue.ts'
import styles from './Report.module.css'
import type { Report } from './report.ts'
import { reportTexts } from './texts.ts'

interface Props {
  report: Report
  to(of: string): { to: string; search: Record<string, unknown> }
}

/** The links of the message, the most followed first. */
export function Links({ report: { links }, to }: Props) {
  const t = useText(reportTexts)
  const most = Math.max(...links.map(({ clicks }) => clicks), 1)
  const sorted = [...links].sort((a, b) => b.clicks - a.clicks)
  return (
    <Panel title={t('links')}>
      {sorted.length === 0 ? (
        <p>{t('noLinks')}</p>
      ) : (
        <Sheet label={t('links')}>
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
            {sorted.map(({ id, address, clicks, contacts }) => (
              <tr key={id}>
                <th scope="row" className={styles['address']}>
                  <bdi>{address ?? t('linkGone', { link: id })}</bdi>
                  <span className={styles['bar']} style={{ width: `${(clicks / most) * 100}%` }} aria-hidden />
                </th>
                <td data-number>
                  <Num value={clicks} />
                </td>
                <td data-number>
                  {contacts > 0 ? (
                    <Link {...to(`link:${id}`)}>
                      <Num value={contacts} />
                    </Link>
                  ) : (
                    <Num value={0} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Sheet>
      )}
    </Panel>
  )
}
