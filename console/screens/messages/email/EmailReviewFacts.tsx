import { FactList } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiAction } from '../action.ts'
import { emailTexts } from './texts.ts'
import { useRenderedEmail } from './use-rendered.ts'

const formatSender = ({ label, value }: { label: string | null; value: string }): string =>
  label && !value.includes(label) ? `${label} <${value}>` : value

/** Subject, inbox line and sender of an email, as they are sent. */
export function EmailReviewFacts({ message }: { message: ApiAction }) {
  const t = useTranslator(emailTexts)
  const { data } = useRenderedEmail(message, null)
  const { subject, design } = message.content
  const sender = data && 'html' in data ? formatSender(data.sender) : undefined
  const facts = [
    { key: 'subject', label: t('subject'), value: <bdi>{data && 'html' in data ? data.subject : subject}</bdi> },
    ...(design?.preheader ? [{ key: 'preheader', label: t('preheader'), value: <bdi>{design.preheader}</bdi> }] : []),
    ...(sender ? [{ key: 'from', label: t('from'), value: <bdi>{sender}</bdi> }] : []),
  ]
  return <FactList facts={facts} />
}
