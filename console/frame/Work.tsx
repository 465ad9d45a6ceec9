import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, data } from '../api/client.ts'
import { useText } from '../text/catalogue.ts'
import { useFormat } from '../text/format.ts'
import { frameTexts } from './texts.ts'
import styles from './Work.module.css'

const BUSY_MS = 2000
const IDLE_MS = 30_000

/** What runs in the background of this account, asked for as long as the page is seen. */
export function useWork() {
  return useQuery({
    queryKey: ['jobs', 'under-way'],
    queryFn: ({ signal }) => data(api.GET('/jobs', { params: { query: { state: 'queued,running' } }, signal })),
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? BUSY_MS : IDLE_MS),
    refetchIntervalInBackground: false,
    throwOnError: false,
  })
}

/** One quiet line: nothing when nothing runs. */
export function Work() {
  const t = useText(frameTexts)
  const format = useFormat()
  const jobs = useWork().data ?? []
  const done = jobs.reduce((sum, { progress }) => sum + progress.done, 0)
  const total = jobs.reduce((sum, { progress }) => sum + (progress.total ?? 0), 0)
  return (
    <div className={styles['work']} role="status">
      {jobs.length > 0 && (
        <>
          <span>{t('working', { count: jobs.length })}</span>
          {total > 0 && (
            <>
              <span className="digits">{format.percent(done / total, 0)}</span>
              <Progress
                value={(100 * done) / total}
                size={3}
                w={64}
                aria-label={t('working', { count: jobs.length })}
              />
            </>
          )}
        </>
      )}
    </div>
  )
}
