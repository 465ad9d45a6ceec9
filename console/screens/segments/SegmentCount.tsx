import { isSegmentEstimated, type ListedApiSegment } from '../../api/definitions.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { segmentTexts } from './texts.ts'

/** Number of contacts in a segment, if known; marked as an estimate until the exact count is available. */
export function SegmentCount({ segment }: { segment: ListedApiSegment }) {
  const t = useTranslator(segmentTexts)
  const { type, targetsCount, targetsCountDate } = segment
  if (type === 'dynamic' && targetsCountDate === null) return <>{t('uncounted')}</>
  if (!isSegmentEstimated(segment)) return <FormattedNumber value={targetsCount} />
  return (
    <span title={t('estimateHint')}>
      <FormattedNumber value={targetsCount} about={t('about')} />
    </span>
  )
}
