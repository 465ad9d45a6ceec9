import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient, readAnswer } from '../../../api/client.ts'
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
const MOST_RUNS = 100
const ENDED = ['completed', 'failed', 'killed', 'expired', 'capped']

function Figures({ id }: { id: string }) {
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

function OneRun({ workflow, run }: { workflow: ApiWorkflow; run: string }) {
  const t = useTranslator(workflowTexts)
  const queries = useQueryClient()
  const maySend = useHasRight('send')
  const place = { params: { path: { id: String(workflow.id), run } } }
  const found = useQuery({
    queryKey: ['workflow-run', run],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/scripting/workflows/{id}/runs/{run}', { ...place, signal })),
    refetchInterval: ({ state }) => (state.data && ENDED.includes(state.data.status) ? false : WORKFLOW_REFETCH_MS),
  })
  const reread = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['workflow-run', run] })
    await queries.invalidateQueries({ queryKey: ['workflow-runs'] })
  }
  const kill = useAsyncAction(async () => {
    await readAnswer(apiClient.DELETE('/scripting/workflows/{id}/runs/{run}', place))
    await reread()
  })
  const retry = useAsyncAction(async () => {
    await readAnswer(apiClient.POST('/scripting/workflows/{id}/runs/{run}/retry', place))
    await reread()
  })
  const path = useMemo(() => listTraceNodes(found.data?.trace ?? [], found.data?.node), [found.data])
  if (found.error) return <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingSkeleton />
  const { status, reason, trace } = found.data
  const error = kill.error ?? retry.error
  return (
    <div className={styles['editor']}>
      <WorkflowGraphView steps={workflow.nodes as unknown as WorkflowFormNode[]} path={path} />
      <PagePanel title={t('run')}>
        <p>
          {t(status)} {reason}
        </p>
        {error !== null && <ProblemAlert error={error} />}
        {maySend && (
          <Group>
            {!ENDED.includes(status) && (
              <Button variant="default" size="xs" loading={kill.isBusy} onClick={() => void kill.run()}>
                {t('kill')}
              </Button>
            )}
            {status === 'failed' && (
              <Button variant="default" size="xs" loading={retry.isBusy} onClick={() => void retry.run()}>
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
  const runs = useQuery({
    queryKey: ['workflow-runs', id],
    queryFn: ({ signal }) =>
      readAnswer(
        apiClient.GET('/scripting/workflows/{id}/runs', {
          params: { path: { id }, query: { sort: 'desc', limit: MOST_RUNS } },
          signal,
        }),
      ),
    refetchInterval: WORKFLOW_REFETCH_MS,
  })
  return (
    <div className={styles['runs']}>
      <Figures id={id} />
      {run !== undefined && <OneRun key={run} workflow={workflow} run={run} />}
      {runs.error && <ProblemAlert error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isPending && <LoadingSkeleton />}
      {runs.data?.length === 0 && <EmptyState title={t('noRuns')}>{t('noRunsWhy')}</EmptyState>}
      {runs.data && runs.data.length > 0 && (
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
            {runs.data.map((one) => (
              <tr key={one.id}>
                <td>
                  <Link to="/workflows/$id" params={{ id }} search={{ tab: 'runs', run: one.id }}>
                    <bdi>{one.contact?.unicity ?? t('nobody')}</bdi>
                  </Link>
                </td>
                <td>{t(one.status)}</td>
                <td>
                  <bdi>
                    {one.node === null ? '' : findNodeName(workflow.nodes as unknown as WorkflowFormNode[], one.node)}
                  </bdi>
                </td>
                <td>
                  <FormattedTime at={one.creationDate} />
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
    </div>
  )
}
