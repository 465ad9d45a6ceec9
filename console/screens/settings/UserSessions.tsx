import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './Settings.module.css'
import { settingsScreenTexts } from './texts.ts'

type Session = ApiAnswer<'/auth/sessions', 'get'>[number]

function Line({ session: { id, current, browser, address, lastUsedAt } }: { session: Session }) {
  const t = useTranslator(settingsScreenTexts)
  const queries = useQueryClient()
  const end = useAsyncAction(async () => {
    await readAnswer(apiClient.DELETE('/auth/sessions/{id}', { params: { path: { id } } }))
    await queries.invalidateQueries({ queryKey: ['sessions'] })
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
        <Button variant="default" size="compact-sm" loading={end.isBusy} onClick={() => void end.run()}>
          {t('sessionEnd')}
        </Button>
      )}
      {end.error !== null && <ProblemAlert error={end.error} />}
    </li>
  )
}

/** Where one is signed in. */
export function UserSessions() {
  const read = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/auth/sessions', { signal })),
  })
  if (read.error) return <ProblemAlert error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <LoadingSkeleton />
  return (
    <ul className={styles['lines']}>
      {read.data.map((session) => (
        <Line key={session.id} session={session} />
      ))}
    </ul>
  )
}
