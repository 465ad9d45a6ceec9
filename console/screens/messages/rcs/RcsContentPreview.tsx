import { apiClient } from '../../../api/client.ts'
import { type RcsPhoneMessage, RcsPhonePreview } from '../../../components/phone/RcsPhone.tsx'
import { SmsBubble } from '../../../components/phone/SmsBubble.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from '../phones/Phones.module.css'
import { RenderedPhonePreview } from '../phones/RenderedPhonePreview.tsx'
import type { MessagePreviewProps } from '../write/channel.ts'
import { type ApiRcsAction, omitBlankRcsTexts, useRcsProfiles } from './rcs-kind.ts'
import { rcsMessageTexts } from './texts.ts'

interface RenderedRcs {
  type: 'success'
  agent: string | null
  message: Record<string, unknown>
  fallback: { text: string; segments: number } | null
  warnings?: { message: string; pointer: string }[]
}

/** A rich message as both platforms draw it for a contact, of what is being written; and the SMS in its place. */
export function RcsContentPreview({
  value: { id, content, fallback, settings, updateDate },
}: MessagePreviewProps<ApiRcsAction>) {
  const t = useTranslator(rcsMessageTexts)
  // Phones show the agent by the name of its brand, which profiles are called by.
  const name = useRcsProfiles().data?.find((profile) => profile.id === settings.profile)?.name
  return (
    <RenderedPhonePreview<RenderedRcs>
      isEmpty={!content}
      of={['rcs', id, content, fallback, updateDate]}
      render={async (receiver, signal) =>
        (await apiClient.renderRcsAction({
          path: { id: String(id) },
          signal,
          body: {
            ...receiver,
            content: omitBlankRcsTexts(content),
            ...(fallback && { fallback: omitBlankRcsTexts(fallback) }),
          },
        })) as RenderedRcs
      }
    >
      {({ agent, message, fallback: sms, warnings = [] }) => (
        <>
          {warnings.map((warning) => (
            <p key={warning.pointer} className={styles['warning']}>
              {warning.message}
            </p>
          ))}
          <RcsPhonePreview message={message as RcsPhoneMessage} from={name ?? agent ?? t('agent')} />
          {fallback && sms && (
            <section className={styles['part']} aria-label={t('fallbackSms')}>
              <h3>{t('fallbackSms')}</h3>
              <SmsBubble from={fallback.sender ?? agent ?? t('agent')} text={sms.text} segments={sms.segments} />
            </section>
          )}
        </>
      )}
    </RenderedPhonePreview>
  )
}
