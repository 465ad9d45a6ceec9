import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, data } from '../api/client.ts'
import { useText } from '../text/catalogue.ts'
import { useFormat } from '../text/format.ts'
import { frameTexts } from './texts.ts'
import styles from './Work.module.css'

const BUSY_MS = 3000
const IDLE_MS = 30_000

/** What runs, waits and failed in this account, asked for as long as the page is seen. */
export function useOverview() {
  return useQuery({
    queryKey: ['overview'],
    queryFn: ({ signal }) => data(api.GET('/overview', { signal })),
    refetchInterval: ({ state }) => ((state.data?.running.length ?? 0) > 0 ? BUSY_MS : IDLE_MS),
    refetchIntervalInBackground: false,
  })
}

/** One quiet line: nothing when nothing runs. */
export function Work() {
  const t = useText(frameTexts)
  const format = useFormat()
  const running = useOverview().data?.running.filter(({ state }) => state !== 'active') ?? []
  const done = running.reduce((sum, { progress }) => sum + (progress?.total ? progress.done : 0), 0)
  const total = running.reduce((sum, { progress }) => sum + (progress?.total ?? 0), 0)
  return (
    <div className={styles['work']} role="status">
      {running.length > 0 && (
        <>
          <span>{t('working', { count: running.length })}</span>
          {total > 0 && (
            <>
              <span className="digits">{format.percent(done / total, 0)}</span>
              <Progress
                value={(100 * done) / total}
                size={3}
                w={64}
                aria-label={t('working', { count: running.length })}
              />
            </>
          )}
        </>
      )}
    </div>
  )
}
