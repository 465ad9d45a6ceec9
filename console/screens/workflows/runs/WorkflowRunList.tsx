import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient } from '../../../api/client.ts'
import { useHasRight } from '../../../api/me.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { StatFigure, StatFigures } from '../../../components/layout/StatFigure.tsx'
import { useAsyncAction } from '../../../components/use-act.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { type ApiWorkflow, useWorkflowStatistics, WORKFLOW_REFETCH_MS } from '../calls.ts'
import { WorkflowGraphView } from '../canvas/WorkflowGraphView.tsx'
import type { WorkflowFormNode } from '../model/graph.ts'
import { workflowTexts } from '../texts.ts'
import styles from '../WorkflowsPage.module.css'
import { findNodeName, listTraceNodes, TraceList } from './TraceList.tsx'

const route = getRouteApi('/workflows/$id')
const MAX_RUNS = 100
const END_STATES = ['completed', 'failed', 'killed', 'expired', 'capped']

function RunFigures({ id }: { id: string }) {
  const t = useTranslator(workflowTexts)
  const statistics = useWorkflowStatistics(id)
  if (statistics.error) return <ProblemAlert error={statistics.error} onRetry={() => void statistics.refetch()} />
  const runs = statistics.data?.runs
  if (!runs) return <LoadingSkeleton lines={[60]} />
  return (
    <StatFigures>
      {(['started', 'open', 'completed', 'failed'] as const).map((name) => (
        <StatFigure key={name} label={t(name)} definition={t(`${name}Why`)}>
          <FormattedNumber value={runs[name]} />
        </StatFigure>
      ))}
    </StatFigures>
  )
}

function RunDetails({ workflow, run }: { workflow: ApiWorkflow; run: string }) {
  const t = useTranslator(workflowTexts)
  const queryClient = useQueryClient()
  const canSend = useHasRight('send')
  const requestInit = { path: { id: String(workflow.id), run } }
  const runQuery = useQuery({
    queryKey: ['workflow-run', run],
    queryFn: ({ signal }) => apiClient.getWorkflowRun({ ...requestInit, signal }),
    refetchInterval: ({ state }) =>
      state.data && END_STATES.includes(state.data.status) ? false : WORKFLOW_REFETCH_MS,
  })
  const refreshRuns = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: ['workflow-run', run] })
    await queryClient.invalidateQueries({ queryKey: ['workflow-runs'] })
  }
  const killRun = useAsyncAction(async () => {
    await apiClient.killWorkflowRun(requestInit)
    await refreshRuns()
  })
  const retryRun = useAsyncAction(async () => {
    await apiClient.retryWorkflowRun(requestInit)
    await refreshRuns()
  })
  const path = useMemo(() => listTraceNodes(runQuery.data?.trace ?? [], runQuery.data?.node), [runQuery.data])
  if (runQuery.error) return <ProblemAlert error={runQuery.error} onRetry={() => void runQuery.refetch()} />
  if (!runQuery.data) return <LoadingSkeleton />
  const { status, reason, trace } = runQuery.data
  const error = killRun.error ?? retryRun.error
  return (
    <div className={styles['editor']}>
      <WorkflowGraphView steps={workflow.nodes as unknown as WorkflowFormNode[]} path={path} />
      <PagePanel title={t('run')}>
        <p>
          {t(status)} {reason}
        </p>
        {error !== null && <ProblemAlert error={error} />}
        {canSend && (
          <Group>
            {!END_STATES.includes(status) && (
              <Button variant="default" size="xs" loading={killRun.isBusy} onClick={() => void killRun.run()}>
                {t('kill')}
              </Button>
            )}
            {status === 'failed' && (
              <Button variant="default" size="xs" loading={retryRun.isBusy} onClick={() => void retryRun.run()}>
                {t('retry')}
              </Button>
            )}
          </Group>
        )}
        <TraceList steps={workflow.nodes as unknown as WorkflowFormNode[]} trace={trace} />
      </PagePanel>
    </div>
  )
}

/** The latest runs; one of them with its trace. */
export function WorkflowRunList({ workflow }: { workflow: ApiWorkflow }) {
  const t = useTranslator(workflowTexts)
  const { run } = route.useSearch()
  const id = String(workflow.id)
  const runsQuery = useQuery({
    queryKey: ['workflow-runs', id],
    queryFn: ({ signal }) =>
      apiClient.listWorkflowRuns({ path: { id }, query: { sort: 'desc', limit: MAX_RUNS }, signal }),
    refetchInterval: WORKFLOW_REFETCH_MS,
  })
  return (
    <div className={styles['runs']}>
      <RunFigures id={id} />
      {run !== undefined && <RunDetails key={run} workflow={workflow} run={run} />}
      {runsQuery.error && <ProblemAlert error={runsQuery.error} onRetry={() => void runsQuery.refetch()} />}
      {runsQuery.isPending && <LoadingSkeleton />}
      {runsQuery.data?.length === 0 && <EmptyState title={t('noRuns')}>{t('noRunsWhy')}</EmptyState>}
      {runsQuery.data && runsQuery.data.length > 0 && (
        <PlainTable label={t('runs')}>
          <thead>
            <tr>
              <th>{t('contact')}</th>
              <th>{t('state')}</th>
              <th>{t('node')}</th>
              <th>{t('begun')}</th>
            </tr>
          </thead>
          <tbody>
            {runsQuery.data.map((listedRun) => (
              <tr key={listedRun.id}>
                <td>
                  <Link to="/workflows/$id" params={{ id }} search={{ tab: 'runs', run: listedRun.id }}>
                    <bdi>{listedRun.contact?.unicity ?? t('nobody')}</bdi>
                  </Link>
                </td>
                <td>{t(listedRun.status)}</td>
                <td>
                  <bdi>
                    {listedRun.node === null
                      ? ''
                      : findNodeName(workflow.nodes as unknown as WorkflowFormNode[], listedRun.node)}
                  </bdi>
                </td>
                <td>
                  <FormattedTime at={listedRun.creationDate} />
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </div>
  )
}
