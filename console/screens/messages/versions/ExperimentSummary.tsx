import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type { EditedMessage } from '../write/channel.ts'
import { calculateRestShare, findMessageExperiment } from './experiment.ts'
import { versionTexts } from './texts.ts'

/** An experiment in words: which shares get what, who waits, and who gets nothing; nothing without one. */
export function ExperimentSummary({ message }: { message: EditedMessage }) {
  const t = useTranslator(versionTexts)
  const format = useLocaleFormat()
  const experiment = findMessageExperiment(message)
  if (!experiment) return null
  const { versions, holdout } = experiment
  const formatPercent = (share: number): string => format.percent(share / 100, 2)
  const shareList = format.list(
    versions.map(({ id, share }) => `${t('versionOf', { version: id.toUpperCase() })} ${formatPercent(share)}`),
  )
  const restShare = calculateRestShare(experiment)
  return (
    <p>
      {t(restShare > 0 ? 'triedWords' : 'triedWordsAll', { shares: shareList, rest: formatPercent(restShare) })}{' '}
      {holdout > 0 && t('heldOutWords', { share: formatPercent(holdout) })}
    </p>
  )
}
