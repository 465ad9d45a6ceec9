import { Badge } from '../../components/Badge.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { useText } from '../../text/catalogue.ts'
import type { Action } from './action.ts'
import { messageTexts } from './texts.ts'

type Finding = NonNullable<Action['informations']['lastValidation']>['errors'][number]

function Line({ finding: { message, part, position }, isError }: { finding: Finding; isError: boolean }) {
  const t = useText(messageTexts)
  return (
    <li>
      <Badge tone={isError ? 'bad' : 'warning'}>{t(isError ? 'repair' : 'hint')}</Badge> {message}
      {part && <small> {position ? t('position', { part, ...position }) : part}</small>}
    </li>
  )
}

/** What the last test or validation found, each with its place; nothing where it found nothing. */
export function Findings({ message }: { message: Action }) {
  const t = useText(messageTexts)
  const last = message.informations.lastValidation
  if (!last || last.errors.length + last.findings.length === 0) return null
  return (
    <Panel title={t('findings')}>
      <ul>
        {last.errors.map((finding) => (
          <Line key={JSON.stringify(finding)} finding={finding} isError />
        ))}
        {last.findings.map((finding) => (
          <Line key={JSON.stringify(finding)} finding={finding} isError={false} />
        ))}
      </ul>
    </Panel>
  )
}
