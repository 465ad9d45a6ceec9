import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { EditedMessage, MessageChannelSpec } from '../write/channel.ts'
import { useMessageAudience } from '../write/use-audience.ts'
import { type ApiExperiment, calculateRestShare } from './experiment.ts'
import styles from './MessageVersions.module.css'
import { versionTexts } from './texts.ts'

interface AudiencePart {
  key: string
  label: string
  share: number
}

/** Division of the audience as a drawing, in percent and in people. */
export function ExperimentShareFields({
  channel,
  message,
  experiment,
}: {
  channel: MessageChannelSpec
  message: EditedMessage
  experiment: ApiExperiment
}) {
  const t = useTranslator(versionTexts)
  const netAudience = useMessageAudience(channel, message).data?.net
  const restShare = calculateRestShare(experiment)
  const parts: AudiencePart[] = [
    ...experiment.versions.map(({ id, share }) => ({
      key: `version-${id}`,
      label: t('versionOf', { version: id.toUpperCase() }),
      share: share ?? 0,
    })),
    ...(experiment.holdout > 0 ? [{ key: 'heldOut', label: t('heldOut'), share: experiment.holdout }] : []),
    { key: 'rest', label: t('rest'), share: Math.max(restShare, 0) },
  ]
  return (
    <section aria-label={t('shares')} className={styles['shares']}>
      <div className={styles['strip']} aria-hidden>
        {parts.map(({ key, share }, place) => (
          <span key={key} data-part={key.startsWith('version') ? place + 1 : key} style={{ flexGrow: share }} />
        ))}
      </div>
      <ul>
        {parts.map(({ key, label, share }, place) => (
          <li key={key}>
            <i data-part={key.startsWith('version') ? place + 1 : key} aria-hidden />
            {label}{' '}
            <b>
              <FormattedNumber value={share / 100} percent />
            </b>
            {netAudience !== undefined && (
              <small> {t('aboutPeople', { count: Math.round((netAudience * share) / 100) })}</small>
            )}
          </li>
        ))}
      </ul>
      <small>{t('restWhy')}</small>
    </section>
  )
}
