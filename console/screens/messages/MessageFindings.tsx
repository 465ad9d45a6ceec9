import { Link } from '@tanstack/react-router'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { findingPlaceId } from './finding-place.ts'
import styles from './MessageFindings.module.css'
import { messageTexts } from './texts.ts'
import type { EditedMessage, MessageFinding } from './write/channel.ts'
import { hasLastAttemptFailed } from './write/standing.ts'

const VERSION_LABEL = /^Version (\w+): /

function FindingLine({ finding: { message, part, position }, isError }: { finding: MessageFinding; isError: boolean }) {
  const t = useTranslator(messageTexts)
  const version = VERSION_LABEL.exec(message)?.[1]
  return (
    <li>
      <StateBadge tone={isError ? 'bad' : 'warning'}>{t(isError ? 'repair' : 'hint')}</StateBadge> {message}
      {position && <small> {t('position', position)}</small>}
      {part && (
        <>
          {' '}
          <Link
            to="."
            search={(version === undefined ? { step: 'content' } : { step: 'versions', version }) as never}
            hash={findingPlaceId(part)}
          >
            {t('showFinding')}
          </Link>
        </>
      )}
    </li>
  )
}

/** What the last test or validation found, each with a way to its place; empty if it found nothing and did not fail. */
export function MessageFindings({ message }: { message: EditedMessage }) {
  const t = useTranslator(messageTexts)
  const latestValidation = message.informations?.lastValidation
  if (!latestValidation) return null
  const { errors, findings, phase } = latestValidation
  const hasFailed = hasLastAttemptFailed(message)
  if (!hasFailed && errors.length + findings.length === 0) return null
  return (
    <section className={styles['findings']} data-failed={hasFailed || undefined} aria-label={t('findings')}>
      <h2>{t(hasFailed ? `failed_${phase}` : 'findings')}</h2>
      {hasFailed && <p>{t(`failedWhy_${phase}`)}</p>}
      <ul>
        {errors.map((finding) => (
          <FindingLine key={JSON.stringify(finding)} finding={finding} isError />
        ))}
        {findings.map((finding) => (
          <FindingLine key={JSON.stringify(finding)} finding={finding} isError={false} />
        ))}
      </ul>
    </section>
  )
}
