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
const CLIP_BYTES = 102_000
const FRAME_PX = 560

type Rendered = NonNullable<ReturnType<typeof useRenderedEmail>['data']>

function Size({ html }: { html: string }) {
  const t = useTranslator(emailTexts)
  const format = useLocaleFormat()
  const bytes = new Blob([html]).size
  const values = { size: format.bytes(bytes), limit: format.bytes(CLIP_BYTES) }
  return bytes > CLIP_BYTES ? (
    <StateBadge tone="warning">{t('over', values)}</StateBadge>
  ) : (
    <small>{t('size', values)}</small>
  )
}

function Shown({ rendered }: { rendered: Rendered }) {
  const t = useTranslator(emailTexts)
  if (rendered.type === 'error') {
    const { value } = rendered
    const words = 'message' in value ? value.message : value.type
    const place = 'position' in value && value.position ? t('position', value.position) : undefined
    return <ProblemAlert error={null} fallback={words} {...(place && { title: place })} />
  }
  if (!('html' in rendered)) return null
  const { html, text, subject } = rendered
  return (
    <>
      <strong>
        <bdi>{subject}</bdi>
      </strong>
      <MailView html={html} text={text} title={subject || t('preview')} height={FRAME_PX} hasSource />
      <Size html={html} />
    </>
  )
}

/** The email beside its fields, as a contact gets it. */
export function EmailPreview({ value }: MessagePreviewProps<ApiAction>) {
  const t = useTranslator(emailTexts)
  const [contact, setContact] = useState<string | null>(null)
  const rendered = useRenderedEmail(value, contact)
  return (
    <>
      <PreviewContactField value={contact} onChange={setContact} />
      {rendered.isLoading && <LoadingSkeleton lines={[40, 90, 90, 60]} />}
      {rendered.error && <ProblemAlert error={rendered.error} onRetry={() => void rendered.refetch()} />}
      {!rendered.data && !rendered.isLoading && !rendered.error && <EmptyState title={t('emptyPreview')} />}
      {rendered.data && <Shown rendered={rendered.data} />}
    </>
  )
}
