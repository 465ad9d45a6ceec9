import { useState } from 'react'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { MailView } from '../../../components/mail/MailView.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type { ApiAction } from '../action.ts'
import { PreviewContactField } from '../PreviewContactField.tsx'
import type { MessagePreviewProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'
import { useRenderedEmail } from './use-rendered.ts'

/** Gmail shows no more of a message than this. */
const GMAIL_CLIP_BYTES = 102_000
const FRAME_HEIGHT_PX = 560

type RenderedEmail = NonNullable<ReturnType<typeof useRenderedEmail>['data']>

function EmailSize({ html }: { html: string }) {
  const t = useTranslator(emailTexts)
  const format = useLocaleFormat()
  const sizeBytes = new Blob([html]).size
  const values = { size: format.bytes(sizeBytes), limit: format.bytes(GMAIL_CLIP_BYTES) }
  return sizeBytes > GMAIL_CLIP_BYTES ? (
    <StateBadge tone="warning">{t('over', values)}</StateBadge>
  ) : (
    <small>{t('size', values)}</small>
  )
}

function RenderedEmailView({ rendered }: { rendered: RenderedEmail }) {
  const t = useTranslator(emailTexts)
  if (rendered.type === 'error') {
    const { value } = rendered
    const errorText = 'message' in value ? value.message : value.type
    const errorPosition = 'position' in value && value.position ? t('position', value.position) : undefined
    return <ProblemAlert error={null} fallback={errorText} {...(errorPosition && { title: errorPosition })} />
  }
  if (!('html' in rendered)) return null
  const { html, text, subject } = rendered
  return (
    <>
      <strong>
        <bdi>{subject}</bdi>
      </strong>
      <MailView html={html} text={text} title={subject || t('preview')} height={FRAME_HEIGHT_PX} hasSource />
      <EmailSize html={html} />
    </>
  )
}

/** Preview of the email for a contact, next to its fields. */
export function EmailPreview({ value }: MessagePreviewProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const [contact, setContact] = useState<string | null>(null)
  const renderedQuery = useRenderedEmail(value, contact)
  return (
    <>
      <PreviewContactField value={contact} onChange={setContact} />
      {renderedQuery.isLoading && <LoadingSkeleton lines={[40, 90, 90, 60]} />}
      {renderedQuery.error && <ProblemAlert error={renderedQuery.error} onRetry={() => void renderedQuery.refetch()} />}
      {!renderedQuery.data && !renderedQuery.isLoading && !renderedQuery.error && (
        <EmptyState title={t('emptyPreview')} />
      )}
      {renderedQuery.data && <RenderedEmailView rendered={renderedQuery.data} />}
    </>
  )
}
