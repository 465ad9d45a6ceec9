import { Button, Menu } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
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
import { type ApiWorkflow, readStoredWorkflow, useWorkflowStatistics, workflowPathParams } from './calls.ts'
import { WORKFLOW_TABS, type WorkflowTab } from './routes.ts'
import { workflowTexts } from './texts.ts'

const Editor = lazy(async () => ({ default: (await import('./WorkflowEditor.tsx')).WorkflowEditor }))
const Simulation = lazy(async () => ({
  default: (await import('./runs/WorkflowSimulationPanel.tsx')).WorkflowSimulationPanel,
}))
const Runs = lazy(async () => ({ default: (await import('./runs/WorkflowRunList.tsx')).WorkflowRunList }))
const Versions = lazy(async () => ({ default: (await import('./WorkflowVersions.tsx')).WorkflowVersions }))

const route = getRouteApi('/workflows/$id')

type Asked = 'activate' | 'deactivate' | 'delete'

function useReread(id: string): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: ['workflow', id] })
    await queries.invalidateQueries({ queryKey: ['workflows'] })
  }
}

/** Before runs start, stop or end: what becomes of those that are open. */
function AskDialog({ asked, workflow, onClose }: { asked: Asked; workflow: ApiWorkflow; onClose(): void }) {
  const t = useTranslator(workflowTexts)
  const id = String(workflow.id)
  const navigate = route.useNavigate()
  const reread = useReread(id)
  const statistics = useWorkflowStatistics(id)
  const open = statistics.data?.runs.open ?? 0
  const act = async (): Promise<void> => {
    const path = '/scripting/workflows/{id}/activation' as const
    if (asked === 'activate') await readAnswer(apiClient.POST(path, workflowPathParams(id)))
    else if (asked === 'deactivate') await readAnswer(apiClient.DELETE(path, workflowPathParams(id)))
    else {
      await readAnswer(apiClient.DELETE('/scripting/workflows/{id}', workflowPathParams(id)))
      await navigate({ to: '/workflows' })
    }
    showToast(t(`${asked}Done`, { name: workflow.name }))
    await reread()
  }
  const why =
    asked === 'deactivate' && workflow.settings.onDeactivate === 'kill' ? 'deactivateKill' : (`${asked}Why` as const)
  return (
    <ConfirmDialog
      title={t(`${asked}Title`, { name: workflow.name })}
      action={t(asked)}
      isDangerous={asked !== 'activate'}
      onConfirm={act}
      onClose={onClose}
    >
      <p>{t(why, { count: open })}</p>
    </ConfirmDialog>
  )
}

function WorkflowMenu({ workflow, onDelete }: { workflow: ApiWorkflow; onDelete(): void }) {
  const t = useTranslator(workflowTexts)
  const navigate = route.useNavigate()
  const reread = useReread(String(workflow.id))
  const duplicate = async (): Promise<void> => {
    const copy = await readAnswer(
      apiClient.POST('/scripting/workflows/{id}/duplication', workflowPathParams(String(workflow.id))),
    )
    await reread()
    await navigate({ to: '/workflows/$id', params: { id: String(copy.id) }, search: {} })
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

function Part({ tab, stored }: { tab: WorkflowTab | undefined; stored: StoredDocument<ApiWorkflow> }) {
  if (tab === 'simulation') return <Simulation workflow={stored.data} />
  if (tab === 'runs') return <Runs workflow={stored.data} />
  if (tab === 'versions') return <Versions workflow={stored.data} />
  return <Editor stored={stored} />
}

function Shown({ stored }: { stored: StoredDocument<ApiWorkflow> }) {
  const t = useTranslator(workflowTexts)
  const { tab } = route.useSearch()
  const mayWrite = useHasRight('write')
  const maySend = useHasRight('send')
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data: workflow } = stored
  const isActive = workflow.state === 1
  const to = `/workflows/${workflow.id}`
  const isOffered = isActive ? mayWrite || maySend : maySend
  return (
    <ScreenPage
      title={workflow.name}
      parent={{ label: t('title'), to: '/workflows' }}
      badge={<StateBadge tone={isActive ? 'good' : 'neutral'}>{t(isActive ? 'active' : 'inactive')}</StateBadge>}
      note={
        <>
          {t('versionOf', { version: String(workflow.version) })} <FormattedTime at={workflow.updateDate} />
        </>
      }
      {...(mayWrite && { menu: <WorkflowMenu workflow={workflow} onDelete={() => setAsked('delete')} /> })}
      action={
        isOffered && (
          <Button
            variant={isActive ? 'default' : 'filled'}
            onClick={() => setAsked(isActive ? 'deactivate' : 'activate')}
          >
            {t(isActive ? 'deactivate' : 'activate')}
          </Button>
        )
      }
      tabs={[
        { label: t('graph'), to, search: {}, isOpen: tab === undefined },
        ...WORKFLOW_TABS.map((one) => ({ label: t(one), to, search: { tab: one }, isOpen: tab === one })),
      ]}
    >
      <Suspense fallback={<LoadingSkeleton />}>
        <Part tab={tab} stored={stored} />
      </Suspense>
      {asked && <AskDialog asked={asked} workflow={workflow} onClose={() => setAsked(null)} />}
    </ScreenPage>
  )
}

/** A workflow: its graph, what it would do, its runs and versions. */
export function WorkflowPage() {
  const t = useTranslator(workflowTexts)
  const { id } = route.useParams()
  const workflow = useQuery({
    queryKey: ['workflow', id],
    queryFn: ({ signal }) => readStoredWorkflow(id, signal),
    refetchOnWindowFocus: false,
  })
  if (workflow.data) return <Shown key={id} stored={workflow.data} />
  return (
    <ScreenPage title={t('workflow')} parent={{ label: t('title'), to: '/workflows' }}>
      {workflow.error ? (
        <ProblemAlert error={workflow.error} onRetry={() => void workflow.refetch()} />
      ) : (
        <LoadingSkeleton />
      )}
    </ScreenPage>
  )
}
