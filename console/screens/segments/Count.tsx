import { isEstimated, type ListedSegment } from '../../api/definitions.ts'
import { Num } from '../../components/Num.tsx'
import { useText } from '../../text/catalogue.ts'
import { segmentTexts } from './texts.ts'

/** How many are in a segment, as far as it is known: an estimate says so, until it is counted. */
export function Count({ segment }: { segment: ListedSegment }) {
  const t = useText(segmentTexts)
  const { type, targetsCount, targetsCountDate } = segment
  if (type === 'dynamic' && targetsCountDate === null) return <>{t('uncounted')}</>
  if (!isEstimated(segment)) return <Num value={targetsCount} />
  return (
    <span title={t('estimateHint')}>
      <Num value={targetsCount} about={t('about')} />
    </span>
  )
}
