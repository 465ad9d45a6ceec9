import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, data } from '../../../api/client.ts'
import { useMay } from '../../../api/me.ts'
import { Empty } from '../../../components/layout/Empty.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Sheet } from '../../../components/layout/Sheet.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { Stat, Stats } from '../../../components/layout/Stat.tsx'
import { Num } from '../../../components/Num.tsx'
import { Time } from '../../../components/Time.tsx'
import { useAct } from '../../../components/use-act.ts'
import { useText } from '../../../text/catalogue.ts'
import { type Definition, LIVE_MS, useStatistics } from '../calls.ts'
import { Graph } from '../canvas/Graph.tsx'
import type { Step } from '../model/graph.ts'
import { workflowTexts } from '../texts.ts'
import styles from '../Workflows.module.css'
import { nodeName, pathOf, TraceList } from './TraceList.tsx'

const route = getRouteApi('/workflows/$id')
const MOST_RUNS = 100
const ENDED = ['completed', 'failed', 'killed', 'expired', 'capped']

function Figures({ id }: { id: string }) {
  const t = useText(workflowTexts)
  const statistics = useStatistics(id)
  if (statistics.error) return <Problem error={statistics.error} onRetry={() => void statistics.refetch()} />
  const runs = statistics.data?.runs
  if (!runs) return <Skeleton lines={[60]} />
  return (
    <Stats>
      {(['started', 'open', 'completed', 'failed'] as const).map((name) => (
        <Stat key={name} label={t(name)} definition={t(`${name}Why`)}>
          <Num value={runs[name]} />
        </Stat>
      ))}
    </Stats>
  )
}

function OneRun({ workflow, run }: { workflow: Definition; run: string }) {
  const t = useText(workflowTexts)
  const queries = useQueryClient()
  const maySend = useMay('send')
  const place = { params: { path: { id: String(workflow.id), run } } }
  const found = useQuery({
    queryKey: ['workflow-run', run],
    queryFn: ({ signal }) => data(api.GET('/scripting/workflows/{id}/runs/{run}', { ...place, signal })),
    refetchInterval: ({ state }) => (state.data && ENDED.includes(state.data.status) ? false : LIVE_MS),
  })
  const reread = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['workflow-run', run] })
    await queries.invalidateQueries({ queryKey: ['workflow-runs'] })
  }
  const kill = useAct(async () => {
    await data(api.DELETE('/scripting/workflows/{id}/runs/{run}', place))
    await reread()
  })
  const retry = useAct(async () => {
    await data(api.POST('/scripting/workflows/{id}/runs/{run}/retry', place))
    await reread()
  })
  const path = useMemo(() => pathOf(found.data?.trace ?? [], found.data?.node), [found.data])
  if (found.error) return <Problem error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton />
  const { status, reason, trace } = found.data
  const error = kill.error ?? retry.error
  return (
    <div className={styles['editor']}>
      <Graph steps={workflow.nodes as unknown as Step[]} path={path} />
      <Panel title={t('run')}>
        <p>
          {t(status)} {reason}
        </p>
        {error !== null && <Problem error={error} />}
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
        <TraceList steps={workflow.nodes as unknown as Step[]} trace={trace} />
      </Panel>
    </div>
  )
}

/** The latest runs; one of them with its trace. */
export function Runs({ workflow }: { workflow: Definition }) {
  const t = useText(workflowTexts)
  const { run } = route.useSearch()
  const id = String(workflow.id)
  const runs = useQuery({
    queryKey: ['workflow-runs', id],
    queryFn: ({ signal }) =>
      data(
        api.GET('/scripting/workflows/{id}/runs', {
          params: { path: { id }, query: { sort: 'desc', limit: MOST_RUNS } },
          signal,
        }),
      ),
    refetchInterval: LIVE_MS,
  })
  return (
    <div className={styles['runs']}>
      <Figures id={id} />
      {run !== undefined && <OneRun key={run} workflow={workflow} run={run} />}
      {runs.error && <Problem error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isPending && <Skeleton />}
      {runs.data?.length === 0 && <Empty title={t('noRuns')}>{t('noRunsWhy')}</Empty>}
      {runs.data && runs.data.length > 0 && (
        <Sheet label={t('runs')}>
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
                  <bdi>{one.node === null ? '' : nodeName(workflow.nodes as unknown as Step[], one.node)}</bdi>
                </td>
                <td>
                  <Time at={one.creationDate} />
                </td>
              </tr>
            ))}
          </tbody>
        </Sheet>
      )}
    </div>
  )
}
