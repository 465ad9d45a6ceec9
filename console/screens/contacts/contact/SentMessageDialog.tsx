import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
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

type Message = ApiAnswer<'/messages/{stamp}', 'get'>

function Parts({ message }: { message: Message }) {
  const t = useTranslator(contactPageTexts)
  const { parts, channel, error } = message
  const { html, text, title, body, subject } = parts
  const cancelled = useCancellationLabel()
  const why = error?.type === 'cancelled' ? cancelled(error.message) : error?.message
  if (error) return <ProblemAlert error={null} fallback={why} title={t('noMessage')} />
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
  const t = useTranslator(contactPageTexts)
  const facts: LabelledFact[] = [
    { key: 'time', label: t('asked'), value: <FormattedTime at={message.stamp.time} as="moment" /> },
    ...(message.address === null ? [] : [{ key: 'to', label: t('to'), value: <bdi>{message.address}</bdi> }]),
    { key: 'by', label: t('sentBy'), value: <bdi>{message.source.name}</bdi> },
    ...(message.lastReply === null ? [] : [{ key: 'reply', label: t('lastReply'), value: message.lastReply }]),
  ]
  return (
    <>
      <FactList facts={facts} />
      <Parts message={message} />
    </>
  )
}

/** A message as it was, rendered from its own version with the values it used; its links record nothing. */
export function SentMessageDialog({ stamp, onClose }: { stamp: string; onClose(): void }) {
  const [t, parts] = [useTranslator(contactPageTexts), useTranslator(componentTexts)]
  const message = useQuery({
    queryKey: ['message', stamp],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/messages/{stamp}', { params: { path: { stamp } }, signal })),
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
        {message.error && <ProblemAlert error={message.error} title={t('noMessage')} />}
        {message.isPending && <LoadingSkeleton lines={[40, 60, 90, 90, 80]} />}
        {message.data && <Shown message={message.data} />}
      </div>
    </Modal>
  )
}
