import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
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

type TextKey = keyof typeof en

interface BalanceLine {
  /** The word of `of`. */
  of: string
  label: string
  definition: string
  count: number
  tone: string
}

const BALANCE_PARTS = ['sent', 'refused', 'held', 'cancelled', 'postponed', 'deferred', 'waiting'] as const

/** The parts that the audience is made of, each message in exactly one. */
function listBalanceLines(report: ApiMessageReport, t: (key: TextKey) => string): BalanceLine[] {
  const partCounts = { ...report, cancelled: report.cancelled.reduce((sum, { count }) => sum + count, 0) }
  return BALANCE_PARTS.map((of) => ({
    of,
    label: t(of),
    definition: t(`${of}Why`),
    count: partCounts[of],
    tone: of,
  }))
}

function BalanceStrip({ lines, audience }: { lines: readonly BalanceLine[]; audience: number }) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  const stripLabel = lines
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label} ${format.number(count)}`)
  return (
    <div className={styles['strip']} role="img" aria-label={`${t('balance')}: ${stripLabel.join(', ')}`}>
      {lines.map(
        ({ of, count, tone }) =>
          count > 0 && <span key={of} data-tone={tone} style={{ flexGrow: Math.max(count / audience, 0.004) }} />,
      )}
    </div>
  )
}

interface Props {
  report: ApiMessageReport
  /** Link to the contacts counted in a number. */
  to(of: string): { to: string; search: Record<string, unknown> }
}

function CountLink({ of, count, to }: { of: string; count: number; to: Props['to'] }): ReactNode {
  if (count === 0) return <FormattedNumber value={0} />
  const { to: path, search } = to(of)
  return (
    <Link to={path} search={search}>
      <FormattedNumber value={count} />
    </Link>
  )
}

function ShareCell({ count, whole }: { count: number; whole: number }) {
  const countShare = calculateShare(count, whole)
  return countShare === null ? null : <FormattedNumber value={countShare} percent />
}

function CancelledLines({ report: { cancelled, audience }, to }: Props) {
  const cancellationLabel = useCancellationLabel()
  return cancelled.map(({ type, count }) => (
    <tr key={type} data-inner>
      <th scope="row">{cancellationLabel(type)}</th>
      <td data-number>
        <CountLink of={`cancelled:${type}`} count={count} to={to} />
      </td>
      <td data-number>
        <ShareCell count={count} whole={audience} />
      </td>
    </tr>
  ))
}

/** Audience and outcome of each message: the lines add up to the audience. */
export function ReportBalancePanel({ report, to }: Props) {
  const t = useTranslator(reportTexts)
  const [isUnfolded, setUnfolded] = useState(false)
  const lines = listBalanceLines(report, t)
  const emptyCount = lines.filter(({ count }) => count === 0).length
  const shownLines = isUnfolded ? lines : lines.filter(({ count }) => count > 0)
  return (
    <PagePanel title={t('balance')}>
      <BalanceStrip lines={lines} audience={report.audience} />
      <table className={styles['balance']} aria-label={t('balance')}>
        <tbody>
          {shownLines.map((line) => [
            <tr key={line.of}>
              <th scope="row">
                <i data-tone={line.tone} aria-hidden />
                <DefinedTerm definition={line.definition}>{line.label}</DefinedTerm>
              </th>
              <td data-number>
                <CountLink of={line.of} count={line.count} to={to} />
              </td>
              <td data-number>
                <ShareCell count={line.count} whole={report.audience} />
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
      {emptyCount > 0 && (
        <div>
          <Button
            variant="subtle"
            size="compact-xs"
            aria-expanded={isUnfolded}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {isUnfolded ? t('hideEmpty') : t('showEmpty', { count: emptyCount })}
          </Button>
        </div>
      )}
      {report.holdout > 0 && <p className={styles['quiet']}>{t('holdout', { count: report.holdout })}</p>}
    </PagePanel>
  )
}
