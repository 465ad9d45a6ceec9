import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { StatFigure, StatFigures } from '../../../components/layout/StatFigure.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import styles from './ReportPage.module.css'
import { type ApiMessageReport, calculateShare } from './report.ts'
import { reportTexts } from './texts.ts'

interface UsualProps {
  rate: number | null
  /** Usual rate of the account; null if it is not known yet. */
  usual: number | null
  /** The lower the better, as of unsubscriptions. */
  isBad: boolean
}

/** Comparison of a rate with the usual one, as text. */
function UsualComparison({ rate, usual, isBad }: UsualProps) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  if (usual === null || rate === null) return null
  const isAbove = rate >= usual
  return (
    <span data-tone={isAbove === isBad ? 'low' : 'good'}>
      {t(isAbove ? 'aboveUsual' : 'belowUsual', { usual: format.percent(usual) })}
    </span>
  )
}

/** The four figures that a report begins with, each against what is usual. */
export function ReportHeadline({ report, to }: { report: ApiMessageReport; to(of: string): string }) {
  const t = useTranslator(reportTexts)
  const { sent: sentCount, delivered, opens, clicks, unsubscribes, usual } = report
  const deliveredBase = delivered ?? sentCount
  const headlineFigures = [
    ...(delivered === null ? [] : [['delivered', 'delivered', delivered, sentCount, null] as const]),
    ['opens', 'opened', opens.contacts, deliveredBase, usual?.openRate ?? null],
    ['clicks', 'clicked', clicks.contacts, deliveredBase, usual?.clickRate ?? null],
    ['unsubscribes', 'unsubscribes', unsubscribes, deliveredBase, usual?.unsubscribeRate ?? null],
  ] as const
  return (
    <div className={styles['headline']}>
      <StatFigures>
        {headlineFigures.map(([of, label, count, whole, usualRate]) => {
          const rate = calculateShare(count, whole)
          return (
            <StatFigure
              key={of}
              label={t(label)}
              definition={t(`${label}Why`)}
              to={to(of)}
              note={
                <>
                  {t('headlineCount', { count, whole })}{' '}
                  <UsualComparison rate={rate} usual={usualRate} isBad={of === 'unsubscribes'} />
                </>
              }
            >
              {rate === null ? <FormattedNumber value={count} /> : <FormattedNumber value={rate} percent />}
            </StatFigure>
          )
        })}
      </StatFigures>
      {usual === null && <p className={styles['quiet']}>{t('noUsual')}</p>}
    </div>
  )
}
