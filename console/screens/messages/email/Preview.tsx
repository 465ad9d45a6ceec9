import { useState } from 'react'
import { Badge } from '../../../components/Badge.tsx'
import { Empty } from '../../../components/layout/Empty.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { MailView } from '../../../components/mail/MailView.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import type { Action } from '../action.ts'
import { ContactChoice } from '../ContactChoice.tsx'
import type { PreviewProps } from '../write/channel.ts'
import { emailTexts } from './texts.ts'
import { useRendered } from './use-rendered.ts'

/** Gmail shows no more of a message than this. */
const CLIP_BYTES = 102_000
const FRAME_PX = 560

type Rendered = NonNullable<ReturnType<typeof useRendered>['data']>

function Size({ html }: { html: string }) {
  const t = useText(emailTexts)
  const format = useFormat()
  const bytes = new Blob([html]).size
  const values = { size: format.bytes(bytes), limit: format.bytes(CLIP_BYTES) }
  return bytes > CLIP_BYTES ? <Badge tone="warning">{t('over', values)}</Badge> : <small>{t('size', values)}</small>
}

function Shown({ rendered }: { rendered: Rendered }) {
  const t = useText(emailTexts)
  if (rendered.type === 'error') {
    const { value } = rendered
    const words = 'message' in value ? value.message : value.type
    const place = 'position' in value && value.position ? t('position', value.position) : undefined
    return <Problem error={null} fallback={words} {...(place && { title: place })} />
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
export function Preview({ value }: PreviewProps<Action>) {
  const t = useText(emailTexts)
  const [contact, setContact] = useState<string | null>(null)
  const rendered = useRendered(value, contact)
  return (
    <>
      <ContactChoice value={contact} onChange={setContact} />
      {rendered.isLoading && <Skeleton lines={[40, 90, 90, 60]} />}
      {rendered.error && <Problem error={rendered.error} onRetry={() => void rendered.refetch()} />}
      {!rendered.data && !rendered.isLoading && !rendered.error && <Empty title={t('emptyPreview')} />}
      {rendered.data && <Shown rendered={rendered.data} />}
    </>
  )
}
