import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type { ApiAction } from './action.ts'
import { messageTexts } from './texts.ts'

type Finding = NonNullable<ApiAction['informations']['lastValidation']>['errors'][number]

function FindingLine({ finding: { message, part, position }, isError }: { finding: Finding; isError: boolean }) {
  const t = useTranslator(messageTexts)
  return (
    <li>
      <StateBadge tone={isError ? 'bad' : 'warning'}>{t(isError ? 'repair' : 'hint')}</StateBadge> {message}
      {part && <small> {position ? t('position', { part, ...position }) : part}</small>}
    </li>
  )
}

/** Findings of the last test or validation, each with its position; empty if there are none. */
export function MessageFindings({ message }: { message: ApiAction }) {
  const t = useTranslator(messageTexts)
  const latestValidation = message.informations.lastValidation
  if (!latestValidation || latestValidation.errors.length + latestValidation.findings.length === 0) return null
  return (
    <PagePanel title={t('findings')}>
      <ul>
        {latestValidation.errors.map((finding) => (
          <FindingLine key={JSON.stringify(finding)} finding={finding} isError />
        ))}
        {latestValidation.findings.map((finding) => (
          <FindingLine key={JSON.stringify(finding)} finding={finding} isError={false} />
        ))}
      </ul>
    </PagePanel>
  )
}
