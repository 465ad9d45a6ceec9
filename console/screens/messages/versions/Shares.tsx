import { Num } from '../../../components/Num.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Channel, Message } from '../write/channel.ts'
import { useAudience } from '../write/use-audience.ts'
import { type Experiment, restOf } from './experiment.ts'
import { versionTexts } from './texts.ts'
import styles from './Versions.module.css'

interface Part {
  key: string
  label: string
  share: number
}

/** How the audience is shared out: drawn, and in percent and people. */
export function Shares({
  channel,
  message,
  experiment,
}: {
  channel: Channel
  message: Message
  experiment: Experiment
}) {
  const t = useText(versionTexts)
  const net = useAudience(channel, message).data?.net
  const rest = restOf(experiment)
  const parts: Part[] = [
    ...experiment.versions.map(({ id, share }) => ({
      ...{ key: `version-${id}`, label: t('versionOf', { version: id.toUpperCase() }) },
      share: share ?? 0,
    })),
    ...(experiment.holdout > 0 ? [{ key: 'heldOut', label: t('heldOut'), share: experiment.holdout }] : []),
    { key: 'rest', label: t('rest'), share: Math.max(rest, 0) },
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
              <Num value={share / 100} percent />
            </b>
            {net !== undefined && <small> {t('aboutPeople', { count: Math.round((net * share) / 100) })}</small>}
          </li>
        ))}
      </ul>
      <small>{t('restWhy')}</small>
    </section>
  )
}
