import { Button, Menu } from '@mantine/core'
import { IconCopy, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Confirm } from '../../components/Confirm.tsx'
import type { Stored } from '../../components/form/use-form.ts'
import { Page } from '../../components/layout/Page.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { Time } from '../../components/Time.tsx'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { type Definition, pathTo, readWorkflow, useStatistics } from './calls.ts'
import { TABS, type WorkflowTab } from './routes.ts'
import { workflowTexts } from './texts.ts'

const Editor = lazy(async () => ({ default: (await import('./Editor.tsx')).Editor }))
const Simulation = lazy(async () => ({ default: (await import('./runs/Simulation.tsx')).Simulation }))
const Runs = lazy(async () => ({ default: (await import('./runs/Runs.tsx')).Runs }))
const Versions = lazy(async () => ({ default: (await import('./Versions.tsx')).Versions }))

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
function AskDialog({ asked, workflow, onClose }: { asked: Asked; workflow: Definition; onClose(): void }) {
  const t = useText(workflowTexts)
  const id = String(workflow.id)
  const navigate = route.useNavigate()
  const reread = useReread(id)
  const statistics = useStatistics(id)
  const open = statistics.data?.runs.open ?? 0
  const act = async (): Promise<void> => {
    const path = '/scripting/workflows/{id}/activation' as const
    if (asked === 'activate') await data(api.POST(path, pathTo(id)))
    else if (asked === 'deactivate') await data(api.DELETE(path, pathTo(id)))
    else {
      await data(api.DELETE('/scripting/workflows/{id}', pathTo(id)))
      await navigate({ to: '/workflows' })
    }
    tell(t(`${asked}Done`, { name: workflow.name }))
    await reread()
  }
  const why =
    asked === 'deactivate' && workflow.settings.onDeactivate === 'kill' ? 'deactivateKill' : (`${asked}Why` as const)
  return (
    <Confirm
      title={t(`${asked}Title`, { name: workflow.name })}
      action={t(asked)}
      isDangerous={asked !== 'activate'}
      onConfirm={act}
      onClose={onClose}
    >
      <p>{t(why, { count: open })}</p>
    </Confirm>
  )
}

function WorkflowMenu({ workflow, onDelete }: { workflow: Definition; onDelete(): void }) {
  const t = useText(workflowTexts)
  const navigate = route.useNavigate()
  const reread = useReread(String(workflow.id))
  const duplicate = async (): Promise<void> => {
    const copy = await data(api.POST('/scripting/workflows/{id}/duplication', pathTo(String(workflow.id))))
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

function Part({ tab, stored }: { tab: WorkflowTab | undefined; stored: Stored<Definition> }) {
  if (tab === 'simulation') return <Simulation workflow={stored.data} />
  if (tab === 'runs') return <Runs workflow={stored.data} />
  if (tab === 'versions') return <Versions workflow={stored.data} />
  return <Editor stored={stored} />
}

function Shown({ stored }: { stored: Stored<Definition> }) {
  const t = useText(workflowTexts)
  const { tab } = route.useSearch()
  const mayWrite = useMay('write')
  const maySend = useMay('send')
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data: workflow } = stored
  const isActive = workflow.state === 1
  const to = `/workflows/${workflow.id}`
  const isOffered = isActive ? mayWrite || maySend : maySend
  return (
    <Page
      title={workflow.name}
      parent={{ label: t('title'), to: '/workflows' }}
      badge={<Badge tone={isActive ? 'good' : 'neutral'}>{t(isActive ? 'active' : 'inactive')}</Badge>}
      note={
        <>
          {t('versionOf', { version: String(workflow.version) })} <Time at={workflow.updateDate} />
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
        ...TABS.map((one) => ({ label: t(one), to, search: { tab: one }, isOpen: tab === one })),
      ]}
    >
      <Suspense fallback={<Skeleton />}>
        <Part tab={tab} stored={stored} />
      </Suspense>
      {asked && <AskDialog asked={asked} workflow={workflow} onClose={() => setAsked(null)} />}
    </Page>
  )
}

/** A workflow: its graph, what it would do, its runs and versions. */
export function Workflow() {
  const t = useText(workflowTexts)
  const { id } = route.useParams()
  const workflow = useQuery({
    queryKey: ['workflow', id],
    queryFn: ({ signal }) => readWorkflow(id, signal),
    refetchOnWindowFocus: false,
  })
  if (workflow.data) return <Shown key={id} stored={workflow.data} />
  return (
    <Page title={t('workflow')} parent={{ label: t('title'), to: '/workflows' }}>
      {workflow.error ? <Problem error={workflow.error} onRetry={() => void workflow.refetch()} /> : <Skeleton />}
    </Page>
  )
}
