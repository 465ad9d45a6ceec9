import { Button } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiRefusal, isApiRefusal, type RequestFault, UnreachableError } from '../../api/refusal.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { approvalRequestPath } from '../asked-object.ts'
import { CopyButton } from '../CopyButton.tsx'
import { componentTexts } from '../texts.ts'
import styles from './ProblemAlert.module.css'

interface Props {
  error: unknown
  /** Message for an error that does not come from the service. */
  fallback?: string
  /** The failed action, unless the context makes it clear. */
  title?: string
  /** Pointers of faults shown next to their fields: they are not repeated here. */
  shownElsewhere?: (pointer: string) => boolean
  onRetry?: () => void
  children?: ReactNode
}

/** Describes the error and the way out in the words of the service, with the request id to copy. */
function describeError(
  error: unknown,
  fallback: string | undefined,
): { detail: string; faults: readonly RequestFault[]; id: string | null } {
  if (error instanceof ApiRefusal) return { detail: error.detail, faults: error.errors, id: error.requestId }
  return { detail: fallback ?? (error instanceof Error ? error.message : String(error)), faults: [], id: null }
}

/** A failed call, where it failed; the rest of the page goes on. */
export function ProblemAlert({ error, fallback, title, shownElsewhere = () => false, onRetry, children }: Props) {
  const t = useTranslator(componentTexts)
  const isUnreachable = error instanceof UnreachableError
  const { detail, faults, id } = describeError(error, isUnreachable ? t('unreachableWhy') : fallback)
  const otherFaults = faults.filter(({ pointer, detail: words }) => !shownElsewhere(pointer) && !detail.includes(words))
  const waitSeconds = error instanceof ApiRefusal ? error.retryAfterSeconds : null
  const heading = title ?? (isUnreachable ? t('unreachable') : undefined)
  return (
    <div role="alert" className={styles['problem']}>
      <IconAlertTriangle size={18} aria-hidden className={styles['sign']} />
      <div className={styles['words']}>
        {heading && <strong>{heading}</strong>}
        <p>{detail}</p>
        {waitSeconds !== null && <p>{t('wait', { seconds: waitSeconds, count: waitSeconds })}</p>}
        {otherFaults.length > 0 && (
          <ul>
            {otherFaults.map(({ pointer, detail: words }) => (
              <li key={pointer + words}>
                <code>{pointer}</code> {words}
              </li>
            ))}
          </ul>
        )}
        {isApiRefusal(error, 'approval-required') && (
          <a href={approvalRequestPath(location.pathname)}>{t('askApproval')}</a>
        )}
        {children}
        {(id !== null || onRetry) && (
          <div className={styles['foot']}>
            {onRetry && (
              <Button size="compact-sm" variant="default" onClick={onRetry}>
                {t('retry')}
              </Button>
            )}
            {id !== null && (
              <small>
                {t('requestId')} <CopyButton value={id} />
              </small>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
