import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import styles from '../Scripts.module.css'
import { scriptTexts } from '../texts.ts'
import { ScriptLogs } from './ScriptResult.tsx'
import { ScriptRunFault } from './WebtaskRunPanel.tsx'

type Ran = ApiAnswer<'/scripting/webtasks/{id}/runs', 'get'>[number]
type Wanted = 'all' | 'success' | 'error'

const SHOWN = 100
const PAUSE_MS = 5000

function RunLine({ run }: { run: Ran }) {
  const t = useTranslator(scriptTexts)
  const isGood = run.outcome === 'success'
  return (
    <li>
      <div className={styles['line']}>
        <StateBadge tone={isGood ? 'good' : 'bad'}>{t(isGood ? 'success' : 'failed')}</StateBadge>
        <FormattedTime at={run.date} />
        <span>{t(`by_${run.origin.type}`)}</span>
        <small data-end>{t('took', { ms: run.durationMs })}</small>
      </div>
      {run.error && <ScriptRunFault error={run.error} />}
      {run.logs.length > 0 && (
        <details>
          <summary>{t('logLines', { count: run.logs.length })}</summary>
          <ScriptLogs logs={run.logs} />
        </details>
      )}
    </li>
  )
}

/** The last runs of a webtask, the latest first; read again every few seconds while they are looked at. */
export function WebtaskRunList({ id }: { id: string }) {
  const t = useTranslator(scriptTexts)
  const [wanted, setWanted] = useState<Wanted>('all')
  const query = { limit: SHOWN, ...(wanted !== 'all' && { outcome: wanted }) }
  const runs = useQuery({
    queryKey: ['webtask', id, 'runs', wanted],
    queryFn: ({ signal }) =>
      readAnswer(apiClient.GET('/scripting/webtasks/{id}/runs', { params: { path: { id }, query }, signal })),
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
      {runs.error && <ProblemAlert error={runs.error} onRetry={() => void runs.refetch()} />}
      {!runs.data && !runs.error && <LoadingSkeleton />}
      {runs.data?.length === 0 && <EmptyState title={t('noRuns')}>{t('noRunsWhy')}</EmptyState>}
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
