import { isSegmentEstimated, type ListedApiSegment } from '../../api/definitions.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { segmentTexts } from './texts.ts'

/** How many are in a segment, as far as it is known: an estimate says so, until it is counted. */
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
