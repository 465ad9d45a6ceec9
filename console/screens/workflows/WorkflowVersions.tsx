import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient } from '../../api/client.ts'
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

const readSteps = ({ nodes }: { nodes: unknown }): WorkflowFormNode[] => nodes as WorkflowFormNode[]

/** Changes between a version and the current one, shown on the graph: removed nodes appear next to existing ones. */
function VersionComparison({ workflow, version }: { workflow: ApiWorkflow; version: number }) {
  const id = String(workflow.id)
  const versionQuery = useQuery({
    queryKey: ['workflow-version', id, version],
    queryFn: ({ signal }) => apiClient.getWorkflowVersion({ path: { id, version: String(version) }, signal }),
  })
  const comparison = useMemo(() => {
    if (!versionQuery.data) return null
    const [previousSteps, currentSteps] = [readSteps(versionQuery.data), readSteps(workflow)]
    const nodeChanges = compareWorkflowNodes(previousSteps, currentSteps)
    return {
      changes: nodeChanges,
      steps: [...currentSteps, ...previousSteps.filter((step) => nodeChanges.get(step.id) === 'removed')],
    }
  }, [versionQuery.data, workflow])
  if (versionQuery.error) return <ProblemAlert error={versionQuery.error} onRetry={() => void versionQuery.refetch()} />
  return comparison ? <WorkflowGraphView key={version} {...comparison} /> : <LoadingSkeleton />
}

/** The versions that are kept, each compared with the one of now. */
export function WorkflowVersions({ workflow }: { workflow: ApiWorkflow }) {
  const t = useTranslator(workflowTexts)
  const id = String(workflow.id)
  const versionsQuery = useQuery({
    queryKey: ['workflow-versions', id, workflow.version],
    queryFn: ({ signal }) => apiClient.listWorkflowVersions({ ...workflowPathParams(id), signal }),
  })
  const { version = versionsQuery.data?.at(-2)?.version ?? workflow.version } = route.useSearch()
  if (versionsQuery.error)
    return <ProblemAlert error={versionsQuery.error} onRetry={() => void versionsQuery.refetch()} />
  if (!versionsQuery.data) return <LoadingSkeleton />
  return (
    <div className={styles['editor']}>
      <VersionComparison workflow={workflow} version={version} />
      <PagePanel title={t('versions')}>
        <p>{t('versionsWhy')}</p>
        <ul className={styles['effects']}>
          {versionsQuery.data.toReversed().map((listedVersion) => (
            <li key={listedVersion.version}>
              <Link
                to="/workflows/$id"
                params={{ id }}
                search={{ tab: 'versions', version: listedVersion.version }}
                aria-current={listedVersion.version === version || undefined}
              >
                {t('versionOf', { version: String(listedVersion.version) })}
              </Link>{' '}
              <FormattedTime at={listedVersion.date} />
            </li>
          ))}
        </ul>
      </PagePanel>
    </div>
  )
}
