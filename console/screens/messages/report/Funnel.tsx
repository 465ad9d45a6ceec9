import { Link } from '@tanstack/react-router'
import { Defined } from '../../../components/layout/Defined.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Num } from '../../../components/Num.tsx'
import { type Text, useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import type en from './en.ts'
import styles from './Report.module.css'
import { type Report, shareOf } from './report.ts'
import { reportTexts } from './texts.ts'

interface Step {
  of: string
  label: string
  definition: string
  contacts: number
  note?: string
  /** What is usual for the account, as a share of what was delivered. */
  usual?: number | null
}

/** From sent to clicked: contacts, so that each step is a part of the one before. */
function stepsOf(report: Report, t: Text<typeof en>): Step[] {
  const { sent, delivered, opens, clicks, usual } = report
  const machines = (count: number): string => t('byMachines', { count })
  return [
    { of: 'sent', label: t('sent'), definition: t('sentWhy'), contacts: sent },
    ...(delivered === null
      ? []
      : [{ of: 'delivered', label: t('delivered'), definition: t('deliveredWhy'), contacts: delivered }]),
    {
      ...{ of: 'opens', label: t('opened'), definition: t('openedWhy'), contacts: opens.contacts },
      ...{ note: machines(opens.machine), usual: usual?.openRate ?? null },
    },
    {
      ...{ of: 'clicks', label: t('clicked'), definition: t('clickedWhy'), contacts: clicks.contacts },
      ...{ note: machines(clicks.machine), usual: usual?.clickRate ?? null },
    },
  ]
}

/** How a rate stands beside what is usual: in points, said in words. */
function Usual({ rate, usual }: { rate: number | null; usual: number | null | undefined }) {
  const t = useText(reportTexts)
  const format = useFormat()
  if (usual === undefined) return null
  if (usual === null || rate === null) return <small>{t('noUsual')}</small>
  const words = t(rate >= usual ? 'aboveUsual' : 'belowUsual', { usual: format.percent(usual) })
  return <small data-tone={rate >= usual ? 'good' : 'low'}>{words}</small>
}

interface Props {
  report: Report
  to(of: string): { to: string; search: Record<string, unknown> }
}

/** Contacts from step to step, with the rate of each and what is usual. */
export function Funnel({ report, to }: Props) {
  const t = useText(reportTexts)
  const steps = stepsOf(report, t)
  const base = report.delivered ?? report.sent
  const widest = Math.max(...steps.map(({ contacts }) => contacts), 1)
  return (
    <Panel title={t('funnel')}>
      <ol className={styles['funnel']}>
        {steps.map(({ of, label, definition, contacts, note, usual }) => {
          const rate = shareOf(contacts, base)
          return (
            <li key={of}>
              <div className={styles['step']}>
                <Defined definition={definition}>{label}</Defined>
                <b>
                  <Link {...to(of)}>
                    <Num value={contacts} />
                  </Link>
                </b>
                {rate !== null && of !== 'sent' && <Num value={rate} percent />}
              </div>
              <div className={styles['track']} aria-hidden>
                <span style={{ width: `${(contacts / widest) * 100}%` }} />
              </div>
              <div className={styles['notes']}>
                <Usual rate={rate} usual={usual} />
                {note && <small>{note}</small>}
              </div>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
