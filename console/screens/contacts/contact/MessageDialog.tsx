import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import { CodeBlock } from '../../../components/CodeBlock.tsx'
import { useCancellation } from '../../../components/cancellations/cancellations.ts'
import { type Fact, Facts } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { MailView } from '../../../components/mail/MailView.tsx'
import { Time } from '../../../components/Time.tsx'
import { partTexts } from '../../../components/texts.ts'
import { useText } from '../../../text/catalogue.ts'
import styles from './Timeline.module.css'
import { contactPageTexts } from './texts.ts'

type Message = Answer<'/messages/{stamp}', 'get'>

function Parts({ message }: { message: Message }) {
  const t = useText(contactPageTexts)
  const { parts, channel, error } = message
  const { html, text, title, body, subject } = parts
  const cancelled = useCancellation()
  const why = error?.type === 'cancelled' ? cancelled(error.message) : error?.message
  if (error) return <Problem error={null} fallback={why} title={t('noMessage')} />
  if (html !== undefined) return <MailView html={html} text={text} title={subject ?? message.source.name} />
  if (channel === 'rcs' && message.message)
    return <CodeBlock code={JSON.stringify(message.message, null, 2)} label={t('rcs')} wrap />
  return (
    <div className={styles['bubble']}>
      {title !== undefined && <strong>{title}</strong>}
      {title !== undefined && body !== undefined && '\n'}
      {body ?? text}
    </div>
  )
}

function Shown({ message }: { message: Message }) {
  const t = useText(contactPageTexts)
  const facts: Fact[] = [
    { key: 'time', label: t('asked'), value: <Time at={message.stamp.time} as="moment" /> },
    ...(message.address === null ? [] : [{ key: 'to', label: t('to'), value: <bdi>{message.address}</bdi> }]),
    { key: 'by', label: t('sentBy'), value: <bdi>{message.source.name}</bdi> },
    ...(message.lastReply === null ? [] : [{ key: 'reply', label: t('lastReply'), value: message.lastReply }]),
  ]
  return (
    <>
      <Facts facts={facts} />
      <Parts message={message} />
    </>
  )
}

/** A message as it was, rendered from its own version with the values it used; its links record nothing. */
export function MessageDialog({ stamp, onClose }: { stamp: string; onClose(): void }) {
  const [t, parts] = [useText(contactPageTexts), useText(partTexts)]
  const message = useQuery({
    queryKey: ['message', stamp],
    queryFn: ({ signal }) => data(api.GET('/messages/{stamp}', { params: { path: { stamp } }, signal })),
    staleTime: 60_000,
  })
  const subject = message.data?.parts['subject'] ?? message.data?.source.name
  return (
    <Modal
      opened
      onClose={onClose}
      title={subject ?? t('message')}
      size={800}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <div className={styles['message']}>
        {message.error && <Problem error={message.error} title={t('noMessage')} />}
        {message.isPending && <Skeleton lines={[40, 60, 90, 90, 80]} />}
        {message.data && <Shown message={message.data} />}
      </div>
    </Modal>
  )
}
