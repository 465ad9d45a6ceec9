import { TimeChart } from '../../../components/chart/TimeChart.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiMessageReport } from './report.ts'
import { fillReportPoints } from './report-points.ts'
import { reportTexts } from './texts.ts'

const HOUR_MS = 3_600_000

/** Sending, opens and clicks by people over time. */
export function ReportTimeCourse({ report: { series } }: { report: ApiMessageReport }) {
  const t = useTranslator(reportTexts)
  const { step: stepMs, points } = fillReportPoints(series)
  return (
    <PagePanel title={t('course')}>
      {points.length === 0 ? (
        <p>{t('noCourse')}</p>
      ) : (
        <TimeChart
          title={t(stepMs === HOUR_MS ? 'courseHours' : 'courseDays')}
          times={points.map(({ at }) => Date.parse(at))}
          series={[
            { label: t('opens'), values: points.map(({ opens }) => opens) },
            { label: t('clicks'), values: points.map(({ clicks }) => clicks) },
          ]}
          marks={points.filter(({ sends }) => sends > 0).map(({ at }) => Date.parse(at))}
        />
      )}
    </PagePanel>
  )
}
