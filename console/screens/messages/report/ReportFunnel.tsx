import { Link } from '@tanstack/react-router'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { DefinedTerm } from '../../../components/layout/DefinedTerm.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { type Translator, useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type en from './en.ts'
import styles from './ReportPage.module.css'
import { type ApiMessageReport, calculateShare } from './report.ts'
import { reportTexts } from './texts.ts'

interface FunnelStep {
  of: string
  label: string
  definition: string
  contacts: number
  note?: string
  /** Usual value for the account, as a share of delivered messages. */
  usual?: number | null
}

/** From sent to clicked: contacts, so that each step is a part of the one before. */
function listSteps(report: ApiMessageReport, t: Translator<typeof en>): FunnelStep[] {
  const { sent: sentCount, delivered, opens, clicks, usual } = report
  const formatMachineCount = (count: number): string => t('byMachines', { count })
  return [
    { of: 'sent', label: t('sent'), definition: t('sentWhy'), contacts: sentCount },
    ...(delivered === null
      ? []
      : [{ of: 'delivered', label: t('delivered'), definition: t('deliveredWhy'), contacts: delivered }]),
    {
      of: 'opens',
      label: t('opened'),
      definition: t('openedWhy'),
      contacts: opens.contacts,
      note: formatMachineCount(opens.machine),
      usual: usual?.openRate ?? null,
    },
    {
      of: 'clicks',
      label: t('clicked'),
      definition: t('clickedWhy'),
      contacts: clicks.contacts,
      note: formatMachineCount(clicks.machine),
      usual: usual?.clickRate ?? null,
    },
  ]
}

/** Comparison of a rate with the usual value in percentage points, as text. */
function UsualComparison({ rate, usual }: { rate: number | null; usual: number | null | undefined }) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  if (usual === undefined) return null
  if (usual === null || rate === null) return <small>{t('noUsual')}</small>
  const comparisonText = t(rate >= usual ? 'aboveUsual' : 'belowUsual', { usual: format.percent(usual) })
  return <small data-tone={rate >= usual ? 'good' : 'low'}>{comparisonText}</small>
}

interface Props {
  report: ApiMessageReport
  to(of: string): { to: string; search: Record<string, unknown> }
}

/** Contacts from step to step, with the rate of each and what is usual. */
export function ReportFunnel({ report, to }: Props) {
  const t = useTranslator(reportTexts)
  const funnelSteps = listSteps(report, t)
  const deliveredBase = report.delivered ?? report.sent
  const maxContacts = Math.max(...funnelSteps.map(({ contacts }) => contacts), 1)
  return (
    <PagePanel title={t('funnel')}>
      <ol className={styles['funnel']}>
        {funnelSteps.map(({ of, label, definition, contacts, note, usual }) => {
          const stepRate = calculateShare(contacts, deliveredBase)
          return (
            <li key={of}>
              <div className={styles['step']}>
                <DefinedTerm definition={definition}>{label}</DefinedTerm>
                <b>
                  <Link {...to(of)}>
                    <FormattedNumber value={contacts} />
                  </Link>
                </b>
                {stepRate !== null && of !== 'sent' && <FormattedNumber value={stepRate} percent />}
              </div>
              <div className={styles['track']} aria-hidden>
                <span style={{ width: `${(contacts / maxContacts) * 100}%` }} />
              </div>
              <div className={styles['notes']}>
                <UsualComparison rate={stepRate} usual={usual} />
                {note && <small>{note}</small>}
              </div>
            </li>
          )
        })}
      </ol>
    </PagePanel>
  )
}
