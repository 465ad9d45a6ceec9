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
  /** What is said of an error that is none of the service's. */
  fallback?: string
  /** What could not be done, where it is not plain from the place. */
  title?: string
  /** Pointers that are shown beside their fields: they are not repeated here. */
  shownElsewhere?: (pointer: string) => boolean
  onRetry?: () => void
  children?: ReactNode
}

/** What happened and what to change, in the words of the service; the request's id to copy. */
function wordsOf(
  error: unknown,
  fallback: string | undefined,
): { detail: string; faults: readonly RequestFault[]; id: string | null } {
  if (error instanceof ApiRefusal) return { detail: error.detail, faults: error.errors, id: error.requestId }
  return { detail: fallback ?? (error instanceof Error ? error.message : String(error)), faults: [], id: null }
}

/** A failed call, where it failed; the rest of the page goes on. */
export function ProblemAlert({ error, fallback, title, shownElsewhere = () => false, onRetry, children }: Props) {
  const t = useTranslator(componentTexts)
  const isAway = error instanceof UnreachableError
  const { detail, faults, id } = wordsOf(error, isAway ? t('unreachableWhy') : fallback)
  const others = faults.filter(({ pointer, detail: words }) => !shownElsewhere(pointer) && !detail.includes(words))
  const wait = error instanceof ApiRefusal ? error.retryAfterSeconds : null
  const heading = title ?? (isAway ? t('unreachable') : undefined)
  return (
    <div role="alert" className={styles['problem']}>
      <IconAlertTriangle size={18} aria-hidden className={styles['sign']} />
      <div className={styles['words']}>
        {heading && <strong>{heading}</strong>}
        <p>{detail}</p>
        {wait !== null && <p>{t('wait', { seconds: wait })}</p>}
        {others.length > 0 && (
          <ul>
            {others.map(({ pointer, detail: words }) => (
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
