import { Anchor } from '@mantine/core'
import { type Icon, IconBell, IconMail, IconMessage, IconMessageCircle, IconPhoto } from '@tabler/icons-react'
import { useCancellationLabel } from '../../../components/cancellations/cancellations.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import styles from './ContactTimelineView.module.css'
import type { ApiTimelineEntry } from './events.ts'
import { formatTimelineDetail, TIMELINE_KIND_LABELS } from './events.ts'
import { contactPageTexts } from './texts.ts'

const CHANNEL_ICONS: Record<ApiTimelineEntry['channel'], Icon> = {
  email: IconMail,
  sms: IconMessage,
  rcs: IconMessageCircle,
  notification: IconBell,
  display: IconPhoto,
}

/** Colour of the icon: good and bad events stand out, all others are neutral. */
function findTone({ type, kind }: ApiTimelineEntry): 'bad' | 'warning' | 'good' | undefined {
  if (type === 'bounce' || type === 'complaint') return 'bad'
  if (type === 'cancellation' || type === 'optout' || /unsubscribe|stop$/.test(kind)) return 'warning'
  return type === 'hit' || type === 'interaction' || type === 'reply' ? 'good' : undefined
}

const MESSAGE_EVENT_TYPES: readonly ApiTimelineEntry['type'][] = ['execution', 'activation', 'bounce']

/** One line: when, what, of which message, and what else is known of it. */
export function TimelineEntryLine({ entry, onShow }: { entry: ApiTimelineEntry; onShow(stamp: string): void }) {
  const t = useTranslator(contactPageTexts)
  const format = useLocaleFormat()
  const { channel, kind, type, source, stamp, classification, isTest, at } = entry
  const ChannelIcon = CHANNEL_ICONS[channel]
  const { reason, text } = formatTimelineDetail(entry)
  const cancelled = useCancellationLabel()
  const reasonText = reason === undefined ? undefined : cancelled(reason)
  const timeText = format.time(at)
  return (
    <li className={styles['entry']} data-machine={classification !== null || undefined}>
      <time dateTime={at} title={format.exact(at)} className="digits">
        {timeText}
      </time>
      <span className={styles['sign']} data-tone={findTone(entry)}>
        <ChannelIcon size={15} aria-label={t(channel)} />
      </span>
      <div className={styles['what']}>
        <span>
          {t(TIMELINE_KIND_LABELS[kind])}
          {source?.name && (
            <>
              {' · '}
              <bdi className={styles['source']}>{source.name}</bdi>
            </>
          )}
        </span>
        {(reason !== undefined || text !== undefined) && (
          <small>
            {reasonText}
            {text !== undefined && <bdi>{text}</bdi>}
          </small>
        )}
        {classification !== null && <small>{t('machine')}</small>}
        {isTest && <small>{t('proof')}</small>}
      </div>
      {stamp !== null && MESSAGE_EVENT_TYPES.includes(type) && (
        <Anchor component="button" type="button" className={styles['show']} onClick={() => onShow(stamp)}>
          {t('show')}
        </Anchor>
      )}
    </li>
  )
}
