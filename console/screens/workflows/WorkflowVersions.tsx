import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { type ApiWorkflow, workflowPathParams } from './calls.ts'
import { WorkflowGraphView } from './canvas/WorkflowGraphView.tsx'
import { compareWorkflowNodes } from './model/difference.ts'
import type { WorkflowFormNode } from './model/graph.ts'
import { workflowTexts } from './texts.ts'
import styles from './WorkflowsPage.module.css'

const route = getRouteApi('/workflows/$id')

const stepsOf = ({ nodes }: { nodes: unknown }): WorkflowFormNode[] => nodes as WorkflowFormNode[]

/** What changed from a version to the one of now, on the graph: nodes that are gone stand beside those that are. */
function Compared({ workflow, version }: { workflow: ApiWorkflow; version: number }) {
  const id = String(workflow.id)
  const old = useQuery({
    queryKey: ['workflow-version', id, version],
    queryFn: ({ signal }) =>
      readAnswer(
        apiClient.GET('/scripting/workflows/{id}/versions/{version}', {
          params: { path: { id, version: String(version) } },
          signal,
        }),
      ),
  })
  const compared = useMemo(() => {
    if (!old.data) return null
    const [before, after] = [stepsOf(old.data), stepsOf(workflow)]
    const changes = compareWorkflowNodes(before, after)
    return { changes, steps: [...after, ...before.filter((step) => changes.get(step.id) === 'removed')] }
  }, [old.data, workflow])
  if (old.error) return <ProblemAlert error={old.error} onRetry={() => void old.refetch()} />
  return compared ? <WorkflowGraphView key={version} {...compared} /> : <LoadingSkeleton />
}

/** The versions that are kept, each compared with the one of now. */
export function WorkflowVersions({ workflow }: { workflow: ApiWorkflow }) {
  const t = useTranslator(workflowTexts)
  const id = String(workflow.id)
  const versions = useQuery({
    queryKey: ['workflow-versions', id, workflow.version],
    queryFn: ({ signal }) =>
      readAnswer(apiClient.GET('/scripting/workflows/{id}/versions', { ...workflowPathParams(id), signal })),
  })
  const { version = versions.data?.at(-2)?.version ?? workflow.version } = route.useSearch()
  if (versions.error) return <ProblemAlert error={versions.error} onRetry={() => void versions.refetch()} />
  if (!versions.data) return <LoadingSkeleton />
  return (
    <div className={styles['editor']}>
      <Compared workflow={workflow} version={version} />
      <PagePanel title={t('versions')}>
        <p>{t('versionsWhy')}</p>
        <ul className={styles['effects']}>
          {versions.data.toReversed().map((one) => (
            <li key={one.version}>
              <Link
                to="/workflows/$id"
                params={{ id }}
                search={{ tab: 'versions', version: one.version }}
                aria-current={one.version === version || undefined}
              >
                {t('versionOf', { version: String(one.version) })}
              </Link>{' '}
              <FormattedTime at={one.date} />
            </li>
          ))}
        </ul>
      </PagePanel>
    </div>
  )
}
