import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { useAct } from '../../components/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Settings.module.css'
import { settingsTexts } from './texts.ts'

type Session = Answer<'/auth/sessions', 'get'>[number]

function Line({ session: { id, current, browser, address, lastUsedAt } }: { session: Session }) {
  const t = useText(settingsTexts)
  const queries = useQueryClient()
  const end = useAct(async () => {
    await data(api.DELETE('/auth/sessions/{id}', { params: { path: { id } } }))
    await queries.invalidateQueries({ queryKey: ['sessions'] })
  })
  return (
    <li className={styles['line']}>
      <span className={styles['who']}>
        <strong>{browser}</strong>
        <small>
          {address} · {t('lastUsed')} <Time at={lastUsedAt} />
        </small>
      </span>
      {current ? (
        <Badge tone="good">{t('thisOne')}</Badge>
      ) : (
        <Button variant="default" size="compact-sm" loading={end.isBusy} onClick={() => void end.run()}>
          {t('sessionEnd')}
        </Button>
      )}
      {end.error !== null && <Problem error={end.error} />}
    </li>
  )
}

/** Where one is signed in. */
export function Sessions() {
  const read = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => data(api.GET('/auth/sessions', { signal })),
  })
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  return (
    <ul className={styles['lines']}>
      {read.data.map((session) => (
        <Line key={session.id} session={session} />
      ))}
    </ul>
  )
}
