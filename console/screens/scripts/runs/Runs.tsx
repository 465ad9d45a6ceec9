import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Empty } from '../../../components/layout/Empty.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'
import { Logs } from './Result.tsx'
import { RunFault } from './Run.tsx'

type Ran = Answer<'/scripting/webtasks/{id}/runs', 'get'>[number]
type Wanted = 'all' | 'success' | 'error'

const SHOWN = 100
const PAUSE_MS = 5000

function RunLine({ run }: { run: Ran }) {
  const t = useText(scriptTexts)
  const isGood = run.outcome === 'success'
  return (
    <li>
      <div className={styles['line']}>
        <Badge tone={isGood ? 'good' : 'bad'}>{t(isGood ? 'success' : 'failed')}</Badge>
        <Time at={run.date} />
        <span>{t(`by_${run.origin.type}`)}</span>
        <small data-end>{t('took', { ms: run.durationMs })}</small>
      </div>
      {run.error && <RunFault error={run.error} />}
      {run.logs.length > 0 && (
        <details>
          <summary>{t('logLines', { count: run.logs.length })}</summary>
          <Logs logs={run.logs} />
        </details>
      )}
    </li>
  )
}

/** The last runs of a webtask, the latest first; read again every few seconds while they are looked at. */
export function Runs({ id }: { id: string }) {
  const t = useText(scriptTexts)
  const [wanted, setWanted] = useState<Wanted>('all')
  const query = { limit: SHOWN, ...(wanted !== 'all' && { outcome: wanted }) }
  const runs = useQuery({
    queryKey: ['webtask', id, 'runs', wanted],
    queryFn: ({ signal }) =>
      data(api.GET('/scripting/webtasks/{id}/runs', { params: { path: { id }, query }, signal })),
    refetchInterval: PAUSE_MS,
  })
  return (
    <div className={styles['stack']}>
      <SegmentedControl
        size="xs"
        style={{ justifySelf: 'start' }}
        aria-label={t('outcome')}
        data={(['all', 'success', 'error'] as const).map((value) => ({
          value,
          label: t(value === 'error' ? 'failed' : value),
        }))}
        value={wanted}
        onChange={(next) => setWanted(next as Wanted)}
      />
      {runs.error && <Problem error={runs.error} onRetry={() => void runs.refetch()} />}
      {!runs.data && !runs.error && <Skeleton />}
      {runs.data?.length === 0 && <Empty title={t('noRuns')}>{t('noRunsWhy')}</Empty>}
      {runs.data && runs.data.length > 0 && (
        <ul className={styles['steps']} aria-label={t('runs')}>
          {runs.data.map((run) => (
            <RunLine key={run.id} run={run} />
          ))}
        </ul>
      )}
    </div>
  )
}
