import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import type { Message } from '../write/channel.ts'
import { experimentOf, restOf } from './experiment.ts'
import { versionTexts } from './texts.ts'

/** An experiment in words: which shares get what, who waits, and who gets nothing; nothing without one. */
export function TriedWords({ message }: { message: Message }) {
  const t = useText(versionTexts)
  const format = useFormat()
  const experiment = experimentOf(message)
  if (!experiment) return null
  const { versions, holdout } = experiment
  const percent = (share: number): string => format.percent(share / 100, 2)
  const shares = format.list(
    versions.map(({ id, share }) => `${t('versionOf', { version: id.toUpperCase() })} ${percent(share)}`),
  )
  const rest = restOf(experiment)
  return (
    <p>
      {t(rest > 0 ? 'triedWords' : 'triedWordsAll', { shares, rest: percent(rest) })}{' '}
      {holdout > 0 && t('heldOutWords', { share: percent(holdout) })}
    </p>
  )
}
