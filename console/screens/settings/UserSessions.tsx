import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Settings.module.css'
import { settingsScreenTexts } from './texts.ts'

type UserSession = ApiAnswer<'listSessions'>[number]

function SessionLine({ session: { id, current, browser, address, lastUsedAt } }: { session: UserSession }) {
  const t = useTranslator(settingsScreenTexts)
  const queryClient = useQueryClient()
  const endSession = useAsyncAction(async () => {
    await apiClient.endSession({ path: { id } })
    await queryClient.invalidateQueries({ queryKey: ['sessions'] })
  })
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <strong>{browser}</strong>
        <small>
          {address} · {t('lastUsed')} <FormattedTime at={lastUsedAt} />
        </small>
      </span>
      {current ? (
        <StateBadge tone="good">{t('thisOne')}</StateBadge>
      ) : (
        <Button variant="default" size="compact-sm" loading={endSession.isBusy} onClick={() => void endSession.run()}>
          {t('sessionEnd')}
        </Button>
      )}
      {endSession.error !== null && <ProblemAlert error={endSession.error} />}
    </li>
  )
}

/** Active sessions of the user. */
export function UserSessions() {
  const sessionsQuery = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => apiClient.listSessions({ signal }),
  })
  if (sessionsQuery.error)
    return <ProblemAlert error={sessionsQuery.error} onRetry={() => void sessionsQuery.refetch()} />
  if (!sessionsQuery.data) return <LoadingSkeleton />
  return (
    <ul className={styles['lines']}>
      {sessionsQuery.data.map((session) => (
        <SessionLine key={session.id} session={session} />
      ))}
    </ul>
  )
}
