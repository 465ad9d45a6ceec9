import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiClient } from '../../../api/client.ts'
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

type WebtaskRun = ApiAnswer<'listWebtaskRuns'>[number]
type OutcomeFilter = 'all' | 'success' | 'error'

const MAX_RUNS = 100
const REFETCH_INTERVAL_MS = 5000

function RunLine({ run }: { run: WebtaskRun }) {
  const t = useTranslator(scriptTexts)
  const isSuccess = run.outcome === 'success'
  return (
    <li>
      <div className={styles['line']}>
        <StateBadge tone={isSuccess ? 'good' : 'bad'}>{t(isSuccess ? 'success' : 'failed')}</StateBadge>
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
  const [outcomeFilter, setWanted] = useState<OutcomeFilter>('all')
  const query = { limit: MAX_RUNS, ...(outcomeFilter !== 'all' && { outcome: outcomeFilter }) }
  const runsQuery = useQuery({
    queryKey: ['webtask', id, 'runs', outcomeFilter],
    queryFn: ({ signal }) => apiClient.listWebtaskRuns({ path: { id }, query, signal }),
    refetchInterval: REFETCH_INTERVAL_MS,
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
        value={outcomeFilter}
        onChange={(next) => setWanted(next as OutcomeFilter)}
      />
      {runsQuery.error && <ProblemAlert error={runsQuery.error} onRetry={() => void runsQuery.refetch()} />}
      {!runsQuery.data && !runsQuery.error && <LoadingSkeleton />}
      {runsQuery.data?.length === 0 && <EmptyState title={t('noRuns')}>{t('noRunsWhy')}</EmptyState>}
      {runsQuery.data && runsQuery.data.length > 0 && (
        <ul className={styles['steps']} aria-label={t('runs')}>
          {runsQuery.data.map((run) => (
            <RunLine key={run.id} run={run} />
          ))}
        </ul>
      )}
    </div>
  )
}
