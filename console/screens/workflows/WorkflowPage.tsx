import { Button, Menu } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import type { StoredDocument } from '../../components/form/use-form.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { WORKFLOW_TABS, type WorkflowTab } from './address.ts'
import { type ApiWorkflow, readStoredWorkflow, useWorkflowStatistics, workflowPathParams } from './calls.ts'
import { workflowTexts } from './texts.ts'

const LazyEditor = lazy(async () => ({ default: (await import('./WorkflowEditor.tsx')).WorkflowEditor }))
const LazySimulation = lazy(async () => ({
  default: (await import('./runs/WorkflowSimulationPanel.tsx')).WorkflowSimulationPanel,
}))
const LazyRuns = lazy(async () => ({ default: (await import('./runs/WorkflowRunList.tsx')).WorkflowRunList }))
const LazyVersions = lazy(async () => ({ default: (await import('./WorkflowVersions.tsx')).WorkflowVersions }))

const route = getRouteApi('/workflows/$id')

type WorkflowDialogKind = 'activate' | 'deactivate' | 'delete'

function useWorkflowRefresh(id: string): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await queryClient.invalidateQueries({ queryKey: ['workflow', id] })
    await queryClient.invalidateQueries({ queryKey: ['workflows'] })
  }
}

/** Before runs start, stop or end: what becomes of those that are open. */
function WorkflowDialog({
  asked: dialogKind,
  workflow,
  onClose,
}: {
  asked: WorkflowDialogKind
  workflow: ApiWorkflow
  onClose(): void
}) {
  const t = useTranslator(workflowTexts)
  const id = String(workflow.id)
  const navigate = route.useNavigate()
  const refreshWorkflow = useWorkflowRefresh(id)
  const statistics = useWorkflowStatistics(id)
  const openRuns = statistics.data?.runs.open ?? 0
  const confirmAction = async (): Promise<void> => {
    if (dialogKind === 'activate') await apiClient.activateWorkflow(workflowPathParams(id))
    else if (dialogKind === 'deactivate') await apiClient.deactivateWorkflow(workflowPathParams(id))
    else {
      await apiClient.deleteWorkflow(workflowPathParams(id))
      await navigate({ to: '/workflows' })
    }
    showToast(t(`${dialogKind}Done`, { name: workflow.name }))
    await refreshWorkflow()
  }
  const explanationKey =
    dialogKind === 'deactivate' && workflow.settings.onDeactivate === 'kill'
      ? 'deactivateKill'
      : (`${dialogKind}Why` as const)
  return (
    <ConfirmDialog
      title={t(`${dialogKind}Title`, { name: workflow.name })}
      action={t(dialogKind)}
      isDangerous={dialogKind !== 'activate'}
      onConfirm={confirmAction}
      onClose={onClose}
    >
      <p>{t(explanationKey, { count: openRuns })}</p>
    </ConfirmDialog>
  )
}

function WorkflowMenu({ workflow, onDelete }: { workflow: ApiWorkflow; onDelete(): void }) {
  const t = useTranslator(workflowTexts)
  const navigate = route.useNavigate()
  const refreshWorkflow = useWorkflowRefresh(String(workflow.id))
  const duplicate = async (): Promise<void> => {
    const workflowCopy = await apiClient.duplicateWorkflow(workflowPathParams(String(workflow.id)))
    await refreshWorkflow()
    await navigate({ to: '/workflows/$id', params: { id: String(workflowCopy.id) }, search: {} })
  }
  return (
    <>
      <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void duplicate()}>
        {t('duplicate')}
      </Menu.Item>
      {workflow.state === 0 && (
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
          {t('delete')}
        </Menu.Item>
      )}
    </>
  )
}

function WorkflowTabContent({
  tab,
  stored: storedWorkflow,
}: {
  tab: WorkflowTab | undefined
  stored: StoredDocument<ApiWorkflow>
}) {
  if (tab === 'simulation') return <LazySimulation workflow={storedWorkflow.data} />
  if (tab === 'runs') return <LazyRuns workflow={storedWorkflow.data} />
  if (tab === 'versions') return <LazyVersions workflow={storedWorkflow.data} />
  return <LazyEditor stored={storedWorkflow} />
}

function LoadedWorkflow({ stored: storedWorkflow }: { stored: StoredDocument<ApiWorkflow> }) {
  const t = useTranslator(workflowTexts)
  const { tab } = route.useSearch()
  const canWrite = useHasRight('write')
  const canSend = useHasRight('send')
  const [openDialog, setOpenDialog] = useState<WorkflowDialogKind | null>(null)
  const { data: workflow } = storedWorkflow
  const isActive = workflow.state === 1
  const workflowPath = `/workflows/${workflow.id}`
  const isOffered = isActive ? canWrite || canSend : canSend
  return (
    <ScreenPage
      title={workflow.name}
      parent={{ label: t('title'), to: '/workflows' }}
      badge={<StateBadge tone={isActive ? 'busy' : 'neutral'}>{t(isActive ? 'active' : 'inactive')}</StateBadge>}
      note={
        <>
          {t('versionOf', { version: String(workflow.version) })} <FormattedTime at={workflow.updateDate} />
        </>
      }
      {...(canWrite && { menu: <WorkflowMenu workflow={workflow} onDelete={() => setOpenDialog('delete')} /> })}
      action={
        isOffered && (
          <Button
            variant={isActive ? 'default' : 'filled'}
            onClick={() => setOpenDialog(isActive ? 'deactivate' : 'activate')}
          >
            {t(isActive ? 'deactivate' : 'activate')}
          </Button>
        )
      }
      tabs={[
        { label: t('graph'), to: workflowPath, search: {}, isOpen: tab === undefined },
        ...WORKFLOW_TABS.map((tabName) => ({
          label: t(tabName),
          to: workflowPath,
          search: { tab: tabName },
          isOpen: tab === tabName,
        })),
      ]}
    >
      <Suspense fallback={<LoadingSkeleton />}>
        <WorkflowTabContent tab={tab} stored={storedWorkflow} />
      </Suspense>
      {openDialog && <WorkflowDialog asked={openDialog} workflow={workflow} onClose={() => setOpenDialog(null)} />}
    </ScreenPage>
  )
}

/** A workflow: its graph, what it would do, its runs and versions. */
export function WorkflowPage() {
  const t = useTranslator(workflowTexts)
  const { id } = route.useParams()
  const workflowQuery = useQuery({
    queryKey: ['workflow', id],
    queryFn: ({ signal }) => readStoredWorkflow(id, signal),
    refetchOnWindowFocus: false,
  })
  if (workflowQuery.data) return <LoadedWorkflow key={id} stored={workflowQuery.data} />
  return (
    <ScreenPage title={t('workflow')} parent={{ label: t('title'), to: '/workflows' }}>
      {workflowQuery.error ? (
        <ProblemAlert error={workflowQuery.error} onRetry={() => void workflowQuery.refetch()} />
      ) : (
        <LoadingSkeleton />
      )}
    </ScreenPage>
  )
}
