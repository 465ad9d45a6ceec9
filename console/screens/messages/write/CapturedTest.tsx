import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { MailView } from '../../../components/mail/MailView.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { capturedMessageQuery } from '../../captured/captured.ts'
import type { MessageChannelName } from '../names.ts'
import { messageTexts } from '../texts.ts'
import { useCapturedTests } from '../use-captured.ts'

const MAX_LISTED = 5

interface Props {
  channel: MessageChannelName
  /** Period of the test. */
  from: string
  until: string
}

function CapturedMail({ id }: { id: string }) {
  const { data } = useQuery(capturedMessageQuery(id))
  return data?.html ? <MailView html={data.html} text={data.text ?? undefined} title={data.subject} /> : null
}

/** The messages of a test that were captured instead of sent: the first mail itself, and links to all. */
export function CapturedTest({ channel, from, until }: Props) {
  const t = useTranslator(messageTexts)
  const capturedTests = useCapturedTests(channel, { from, until })
  const [firstTest] = capturedTests
  if (!firstTest) return null
  return (
    <PagePanel title={t('capturedTest')}>
      <p>{t('capturedTestWhy')}</p>
      <ul>
        {capturedTests.slice(0, MAX_LISTED).map(({ id, to, subject }) => (
          <li key={id}>
            <Link to="/captured" search={{ id, channel }}>
              <bdi>{subject || t('message')}</bdi>
            </Link>{' '}
            <small>
              <bdi>{to}</bdi>
            </small>
          </li>
        ))}
      </ul>
      {channel === 'email' && <CapturedMail id={firstTest.id} />}
    </PagePanel>
  )
}
