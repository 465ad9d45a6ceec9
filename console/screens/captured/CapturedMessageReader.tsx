import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { FactList } from '../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { MailView } from '../../components/mail/MailView.tsx'
import { PushPhonePreview, type PushPreviewContent } from '../../components/phone/PushPhone.tsx'
import { type RcsPhoneMessage, RcsPhonePreview } from '../../components/phone/RcsPhone.tsx'
import { SmsBubble } from '../../components/phone/SmsBubble.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { CAPTURED_MESSAGE_VIEWS, type CapturedSearch } from './address.ts'
import styles from './Captured.module.css'
import { type ApiCapturedMessage, capturedMessageQuery } from './captured.ts'
import { capturedTexts } from './texts.ts'

const route = getRouteApi('/captured')
const MAIL_HEIGHT_PX = 620

/** The message as recipients would have seen it. */
function MessageView({ message }: { message: ApiCapturedMessage }) {
  const t = useTranslator(capturedTexts)
  const { channel, from, html, text, content, encoding, segments, subject } = message
  const messageTitle = subject || t('nothing')
  if (channel === 'sms') return <SmsBubble from={from} text={text ?? ''} encoding={encoding} segments={segments} />
  if (channel === 'rcs') return <RcsPhonePreview message={content as RcsPhoneMessage} from={from} />
  if (channel === 'notification')
    return <PushPhonePreview push={(content as { render: PushPreviewContent }).render} app={from} />
  if (html !== null)
    return <MailView html={html} text={text ?? undefined} title={messageTitle} height={MAIL_HEIGHT_PX} />
  return (
    <pre className={styles['text']} tabIndex={0}>
      {text}
    </pre>
  )
}

function HeaderTable({ message: { headers } }: { message: ApiCapturedMessage }) {
  const t = useTranslator(capturedTexts)
  return (
    <PlainTable label={t('headers')}>
      <thead>
        <tr>
          <th scope="col">{t('header')}</th>
          <th scope="col">{t('value')}</th>
        </tr>
      </thead>
      <tbody>
        {headers.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a header may occur twice.
          <tr key={index}>
            <th scope="row">{name}</th>
            <td className={styles['value']}>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </PlainTable>
  )
}

function MessageDetails({ message }: { message: ApiCapturedMessage }) {
  const t = useTranslator(capturedTexts)
  const { to, from, date, size, stamp, attachments } = message
  const attachmentTexts = attachments.map(
    ({ name, type, size: bytes }) => `${name ?? type} (${t('bytes', { count: bytes })})`,
  )
  return (
    <FactList
      facts={[
        { key: 'to', label: t('to'), value: <bdi>{to}</bdi> },
        { key: 'from', label: t('from'), value: <bdi>{from}</bdi> },
        {
          key: 'when',
          label: t('when'),
          value: (
            <>
              <FormattedTime at={date} as="moment" /> · {t('bytes', { count: size })}
            </>
          ),
        },
        ...(stamp === null ? [] : [{ key: 'stamp', label: t('stamp'), value: <code>{stamp}</code> }]),
        ...(attachmentTexts.length === 0
          ? []
          : [{ key: 'files', label: t('attachments'), value: attachmentTexts.join(', ') }]),
      ]}
    />
  )
}

function LoadedMessage({ message }: { message: ApiCapturedMessage }) {
  const t = useTranslator(capturedTexts)
  const { view = 'message' } = route.useSearch()
  const navigate = route.useNavigate()
  const availableViews = CAPTURED_MESSAGE_VIEWS.filter(
    (candidate) => candidate !== 'headers' || message.headers.length > 0,
  )
  return (
    <>
      <header className={styles['head']}>
        <h2>
          <bdi>{message.subject || t('nothing')}</bdi>
        </h2>
        {message.confidential && (
          <StateBadge tone="warning" hint={t('confidentialWhy')}>
            {t('confidential')}
          </StateBadge>
        )}
      </header>
      <MessageDetails message={message} />
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('views')}
        data={availableViews.map((value) => ({ value, label: t(value) }))}
        value={view}
        onChange={(chosenView) =>
          void navigate({ search: (before) => ({ ...before, view: chosenView }) as CapturedSearch, replace: true })
        }
      />
      {view === 'message' && <MessageView message={message} />}
      {view === 'headers' && <HeaderTable message={message} />}
      {view === 'source' && <CodeBlock code={message.source} label={t('source')} wrap />}
    </>
  )
}

/** One captured message, as people would have seen it, with its headers and its source. */
export function CapturedMessageReader({ id }: { id: string }) {
  const t = useTranslator(capturedTexts)
  const { data: message, error, isPending, refetch } = useQuery(capturedMessageQuery(id))
  return (
    <article className={styles['reading']}>
      <Link to="/captured" search={({ id: _, view: __, ...before }) => before} className={styles['back']}>
        {t('back')}
      </Link>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {isPending && <LoadingSkeleton lines={[40, 60, 90, 90]} />}
      {message && <LoadedMessage message={message} />}
    </article>
  )
}
