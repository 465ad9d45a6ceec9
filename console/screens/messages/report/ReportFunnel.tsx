import { Link } from '@tanstack/react-router'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { DefinedTerm } from '../../../components/layout/DefinedTerm.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { type Translator, useTranslator } from '../../../text/catalogue.ts'
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
}

/** From sent to clicked: contacts, so that each step is a part of the one before. */
function listSteps(report: ApiMessageReport, t: Translator<typeof en>): FunnelStep[] {
  const { sent: sentCount, delivered, opens, clicks } = report
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
    },
    {
      of: 'clicks',
      label: t('clicked'),
      definition: t('clickedWhy'),
      contacts: clicks.contacts,
      note: formatMachineCount(clicks.machine),
    },
  ]
}

interface Props {
  report: ApiMessageReport
  to(of: string): { to: string; search: Record<string, unknown> }
}

/** Contacts from step to step, with the rate of each. */
export function ReportFunnel({ report, to }: Props) {
  const t = useTranslator(reportTexts)
  const funnelSteps = listSteps(report, t)
  const deliveredBase = report.delivered ?? report.sent
  const maxContacts = Math.max(...funnelSteps.map(({ contacts }) => contacts), 1)
  return (
    <PagePanel title={t('funnel')}>
      <ol className={styles['funnel']}>
        {funnelSteps.map(({ of, label, definition, contacts, note }) => {
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
              {note && <small>{note}</small>}
            </li>
          )
        })}
      </ol>
    </PagePanel>
  )
}
