import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCancellationLabel } from '../../../components/cancellations/cancellations.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { DefinedTerm } from '../../../components/layout/DefinedTerm.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type en from './en.ts'
import styles from './ReportPage.module.css'
import { type ApiMessageReport, calculateShare } from './report.ts'
import { reportTexts } from './texts.ts'

type Key = keyof typeof en

interface Line {
  /** The word of `of`. */
  of: string
  label: string
  definition: string
  count: number
  tone: string
}

const PARTS = ['sent', 'refused', 'held', 'cancelled', 'postponed', 'deferred', 'waiting'] as const

/** The parts that the audience is made of, each message in exactly one. */
function linesOf(report: ApiMessageReport, t: (key: Key) => string): Line[] {
  const counts = { ...report, cancelled: report.cancelled.reduce((sum, { count }) => sum + count, 0) }
  return PARTS.map((of) => ({
    of,
    label: t(of),
    definition: t(`${of}Why`),
    count: counts[of],
    tone: of,
  }))
}

function Strip({ lines, audience }: { lines: readonly Line[]; audience: number }) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  const words = lines.filter(({ count }) => count > 0).map(({ label, count }) => `${label} ${format.number(count)}`)
  return (
    <div className={styles['strip']} role="img" aria-label={`${t('balance')}: ${words.join(', ')}`}>
      {lines.map(
        ({ of, count, tone }) =>
          count > 0 && <span key={of} data-tone={tone} style={{ flexGrow: Math.max(count / audience, 0.004) }} />,
      )}
    </div>
  )
}

interface Props {
  report: ApiMessageReport
  /** Where the contacts behind a number are. */
  to(of: string): { to: string; search: Record<string, unknown> }
}

function Counted({ of, count, to }: { of: string; count: number; to: Props['to'] }): ReactNode {
  if (count === 0) return <FormattedNumber value={0} />
  const { to: path, search } = to(of)
  return (
    <Link to={path} search={search}>
      <FormattedNumber value={count} />
    </Link>
  )
}

function Share({ count, whole }: { count: number; whole: number }) {
  const share = calculateShare(count, whole)
  return share === null ? null : <FormattedNumber value={share} percent />
}

function CancelledLines({ report: { cancelled, audience }, to }: Props) {
  const words = useCancellationLabel()
  return cancelled.map(({ type, count }) => (
    <tr key={type} data-inner>
      <th scope="row">{words(type)}</th>
      <td data-number>
        <Counted of={`cancelled:${type}`} count={count} to={to} />
      </td>
      <td data-number>
        <Share count={count} whole={audience} />
      </td>
    </tr>
  ))
}

/** Who it was for and what became of each message: the lines add up to the audience. */
export function ReportBalancePanel({ report, to }: Props) {
  const t = useTranslator(reportTexts)
  const lines = linesOf(report, t)
  return (
    <PagePanel title={t('balance')}>
      <Strip lines={lines} audience={report.audience} />
      <table className={styles['balance']} aria-label={t('balance')}>
        <tbody>
          {lines.map((line) => [
            <tr key={line.of}>
              <th scope="row">
                <i data-tone={line.tone} aria-hidden />
                <DefinedTerm definition={line.definition}>{line.label}</DefinedTerm>
              </th>
              <td data-number>
                <Counted of={line.of} count={line.count} to={to} />
              </td>
              <td data-number>
                <Share count={line.count} whole={report.audience} />
              </td>
            </tr>,
            line.of === 'cancelled' && line.count > 0 && <CancelledLines key="reasons" report={report} to={to} />,
          ])}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              <DefinedTerm definition={t('audienceWhy')}>{t('audience')}</DefinedTerm>
            </th>
            <td data-number>
              <FormattedNumber value={report.audience} />
            </td>
            <td data-number />
          </tr>
        </tfoot>
      </table>
      {report.holdout > 0 && <p className={styles['quiet']}>{t('holdout', { count: report.holdout })}</p>}
    </PagePanel>
  )
}
