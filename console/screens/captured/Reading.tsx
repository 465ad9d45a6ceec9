import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Badge } from '../../components/Badge.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Facts } from '../../components/layout/Panel.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Sheet } from '../../components/layout/Sheet.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { MailView } from '../../components/mail/MailView.tsx'
import { PushPhones, type PushShown } from '../../components/phone/PushPhone.tsx'
import { RcsPhones, type RichMessage } from '../../components/phone/RcsPhone.tsx'
import { SmsBubble } from '../../components/phone/SmsBubble.tsx'
import { Time } from '../../components/Time.tsx'
import { useText } from '../../text/catalogue.ts'
import styles from './Captured.module.css'
import { type CapturedMessage, messageQuery } from './captured.ts'
import { type CapturedSearch, VIEWS } from './routes.ts'
import { capturedTexts } from './texts.ts'

const route = getRouteApi('/captured')
const MAIL_PX = 620

/** What people would have seen. */
function Seen({ message }: { message: CapturedMessage }) {
  const t = useText(capturedTexts)
  const { channel, from, html, text, content, encoding, segments, subject } = message
  const title = subject || t('nothing')
  if (channel === 'sms') return <SmsBubble from={from} text={text ?? ''} encoding={encoding} segments={segments} />
  if (channel === 'rcs') return <RcsPhones message={content as RichMessage} from={from} />
  if (channel === 'notification') return <PushPhones push={(content as { render: PushShown }).render} app={from} />
  if (html !== null) return <MailView html={html} text={text ?? undefined} title={title} height={MAIL_PX} />
  return (
    <pre className={styles['text']} tabIndex={0}>
      {text}
    </pre>
  )
}

function Headers({ message: { headers } }: { message: CapturedMessage }) {
  const t = useText(capturedTexts)
  return (
    <Sheet label={t('headers')}>
      <thead>
        <tr>
          <th scope="col">{t('header')}</th>
          <th scope="col">{t('value')}</th>
        </tr>
      </thead>
      <tbody>
        {headers.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a header may stand there twice.
          <tr key={index}>
            <th scope="row">{name}</th>
            <td className={styles['value']}>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </Sheet>
  )
}

function About({ message }: { message: CapturedMessage }) {
  const t = useText(capturedTexts)
  const { to, from, date, size, stamp, attachments } = message
  const files = attachments.map(({ name, type, size: bytes }) => `${name ?? type} (${t('bytes', { count: bytes })})`)
  return (
    <Facts
      facts={[
        { key: 'to', label: t('to'), value: <bdi>{to}</bdi> },
        { key: 'from', label: t('from'), value: <bdi>{from}</bdi> },
        {
          key: 'when',
          label: t('when'),
          value: (
            <>
              <Time at={date} as="moment" /> · {t('bytes', { count: size })}
            </>
          ),
        },
        ...(stamp === null ? [] : [{ key: 'stamp', label: t('stamp'), value: <code>{stamp}</code> }]),
        ...(files.length === 0 ? [] : [{ key: 'files', label: t('attachments'), value: files.join(', ') }]),
      ]}
    />
  )
}

function Shown({ message }: { message: CapturedMessage }) {
  const t = useText(capturedTexts)
  const { view = 'message' } = route.useSearch()
  const navigate = route.useNavigate()
  const views = VIEWS.filter((one) => one !== 'headers' || message.headers.length > 0)
  return (
    <>
      <header className={styles['head']}>
        <h2>
          <bdi>{message.subject || t('nothing')}</bdi>
        </h2>
        {message.confidential && (
          <Badge tone="warning" hint={t('confidentialWhy')}>
            {t('confidential')}
          </Badge>
        )}
      </header>
      <About message={message} />
      <SegmentedControl
        size="xs"
        w="fit-content"
        aria-label={t('views')}
        data={views.map((value) => ({ value, label: t(value) }))}
        value={view}
        onChange={(chosen) =>
          void navigate({ search: (before) => ({ ...before, view: chosen }) as CapturedSearch, replace: true })
        }
      />
      {view === 'message' && <Seen message={message} />}
      {view === 'headers' && <Headers message={message} />}
      {view === 'source' && <CodeBlock code={message.source} label={t('source')} wrap />}
    </>
  )
}

/** One captured message, as people would have seen it, with its headers and its source. */
export function Reading({ id }: { id: string }) {
  const t = useText(capturedTexts)
  const { data: message, error, isPending, refetch } = useQuery(messageQuery(id))
  return (
    <article className={styles['reading']}>
      <Link to="/captured" search={({ id: _, view: __, ...before }) => before} className={styles['back']}>
        {t('back')}
      </Link>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={[40, 60, 90, 90]} />}
      {message && <Shown message={message} />}
    </article>
  )
}
