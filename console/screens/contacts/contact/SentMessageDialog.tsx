import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { CodeBlock } from '../../../components/CodeBlock.tsx'
import { useCancellationLabel } from '../../../components/cancellations/cancellations.ts'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { FactList, type LabelledFact } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { MailView } from '../../../components/mail/MailView.tsx'
import { componentTexts } from '../../../components/texts.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from './ContactTimelineView.module.css'
import { contactPageTexts } from './texts.ts'

type SentMessage = ApiAnswer<'getMessage'>

function MessageParts({ message }: { message: SentMessage }) {
  const t = useTranslator(contactPageTexts)
  const { parts, channel, error } = message
  const { html, text, title, body, subject } = parts
  const cancelled = useCancellationLabel()
  const cancellationReason = error?.type === 'cancelled' ? cancelled(error.message) : error?.message
  if (error) return <ProblemAlert error={null} fallback={cancellationReason} title={t('noMessage')} />
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

function MessageDetails({ message }: { message: SentMessage }) {
  const t = useTranslator(contactPageTexts)
  const messageDetails: LabelledFact[] = [
    { key: 'time', label: t('asked'), value: <FormattedTime at={message.stamp.time} as="moment" /> },
    ...(message.address === null ? [] : [{ key: 'to', label: t('to'), value: <bdi>{message.address}</bdi> }]),
    { key: 'by', label: t('sentBy'), value: <bdi>{message.source.name}</bdi> },
    ...(message.lastReply === null ? [] : [{ key: 'reply', label: t('lastReply'), value: message.lastReply }]),
  ]
  return (
    <>
      <FactList facts={messageDetails} />
      <MessageParts message={message} />
    </>
  )
}

/** A message as it was, rendered from its own version with the values it used; its links record nothing. */
export function SentMessageDialog({ stamp, onClose }: { stamp: string; onClose(): void }) {
  const [t, parts] = [useTranslator(contactPageTexts), useTranslator(componentTexts)]
  const messageQuery = useQuery({
    queryKey: ['message', stamp],
    queryFn: ({ signal }) => apiClient.getMessage({ path: { stamp }, signal }),
    staleTime: 60_000,
  })
  const subject = messageQuery.data?.parts['subject'] ?? messageQuery.data?.source.name
  return (
    <Modal
      opened
      onClose={onClose}
      title={subject ?? t('message')}
      size={800}
      closeButtonProps={{ 'aria-label': parts('close') }}
    >
      <div className={styles['message']}>
        {messageQuery.error && <ProblemAlert error={messageQuery.error} title={t('noMessage')} />}
        {messageQuery.isPending && <LoadingSkeleton lines={[40, 60, 90, 90, 80]} />}
        {messageQuery.data && <MessageDetails message={messageQuery.data} />}
      </div>
    </Modal>
  )
}
