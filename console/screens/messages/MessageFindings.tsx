import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type { ApiAction } from './action.ts'
import { messageTexts } from './texts.ts'

type Finding = NonNullable<ApiAction['informations']['lastValidation']>['errors'][number]

function Line({ finding: { message, part, position }, isError }: { finding: Finding; isError: boolean }) {
  const t = useTranslator(messageTexts)
  return (
    <li>
      <StateBadge tone={isError ? 'bad' : 'warning'}>{t(isError ? 'repair' : 'hint')}</StateBadge> {message}
      {part && <small> {position ? t('position', { part, ...position }) : part}</small>}
    </li>
  )
}

/** What the last test or validation found, each with its place; nothing where it found nothing. */
export function MessageFindings({ message }: { message: ApiAction }) {
  const t = useTranslator(messageTexts)
  const last = message.informations.lastValidation
  if (!last || last.errors.length + last.findings.length === 0) return null
  return (
    <PagePanel title={t('findings')}>
      <ul>
        {last.errors.map((finding) => (
          <Line key={JSON.stringify(finding)} finding={finding} isError />
        ))}
        {last.findings.map((finding) => (
          <Line key={JSON.stringify(finding)} finding={finding} isError={false} />
        ))}
      </ul>
    </PagePanel>
  )
}
