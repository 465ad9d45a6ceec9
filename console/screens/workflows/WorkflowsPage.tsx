import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayTableRows } from '../../components/table/rows.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import type { ListedApiWorkflow } from './calls.ts'
import type en from './en.ts'
import { workflowTexts } from './texts.ts'

const LazyNewWorkflowDialog = lazy(async () => ({
  default: (await import('./templates/NewWorkflowDialog.tsx')).NewWorkflowDialog,
}))

const route = getRouteApi('/workflows')

const compareNewestFirst = (a: ListedApiWorkflow, b: ListedApiWorkflow): number =>
  b.updateDate.localeCompare(a.updateDate)

const createColumns = (t: Translator<typeof en>): TableColumn<ListedApiWorkflow>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 220, grow: 3 },
  {
    key: 'state',
    header: t('state'),
    width: 120,
    cell: ({ state }) => (
      <StateBadge tone={state === 1 ? 'busy' : 'neutral'}>{t(state === 1 ? 'active' : 'inactive')}</StateBadge>
    ),
  },
  {
    key: 'nodes',
    header: t('nodes'),
    width: 90,
    align: 'end',
    isExtra: true,
    cell: ({ nodes }) => <FormattedNumber value={nodes.length} />,
  },
  {
    key: 'changed',
    header: t('changed'),
    width: 130,
    isExtra: true,
    cell: ({ updateDate }) => <FormattedTime at={updateDate} />,
  },
]

/** Every workflow of the account. */
export function WorkflowsPage() {
  const t = useTranslator(workflowTexts)
  const { q = '', state } = route.useSearch()
  const navigate = route.useNavigate()
  const canWrite = useHasRight('write')
  const [isCreating, setCreating] = useState(false)
  useCreateShortcut(() => setCreating(true), canWrite)
  const workflowsQuery = useQuery({
    queryKey: ['workflows'],
    queryFn: ({ signal }) => apiClient.listWorkflows({ signal }),
  })
  const matchingWorkflows = useMemo(
    () =>
      workflowsQuery.data?.filter(
        (workflow) =>
          (state === undefined || (workflow.state === 1) === (state === 'active')) &&
          `${workflow.name} ${workflow.id}`.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
      ),
    [workflowsQuery.data, q, state],
  )
  const isFiltered = q !== '' || state !== undefined
  const newWorkflowButton = canWrite && <Button onClick={() => setCreating(true)}>{t('create')}</Button>
  return (
    <ScreenPage title={t('title')} action={(workflowsQuery.data?.length ?? 0) > 0 && newWorkflowButton}>
      <DataTable
        name="workflows"
        label={t('title')}
        rows={useArrayTableRows({ ...workflowsQuery, data: matchingWorkflows }, compareNewestFirst)}
        columns={useMemo(() => createColumns(t), [t])}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => objectPaths.workflow(id)}
        isFiltered={isFiltered}
        tools={
          <>
            <SearchField
              label={t('search')}
              value={q}
              onChange={(next) =>
                void navigate({ search: (before) => ({ ...before, q: next || undefined }), replace: true })
              }
            />
            <SegmentedControl
              size="xs"
              aria-label={t('state')}
              data={(['all', 'active', 'inactive'] as const).map((value) => ({ value, label: t(value) }))}
              value={state ?? 'all'}
              onChange={(next) =>
                void navigate({
                  search: (before) => ({ ...before, state: next === 'all' ? undefined : (next as 'active') }),
                  replace: true,
                })
              }
            />
          </>
        }
        empty={
          isFiltered ? (
            <EmptyState title={t('noMatch')} />
          ) : (
            <EmptyState title={t('empty')} action={newWorkflowButton}>
              {t('emptyWhy')}
            </EmptyState>
          )
        }
      />
      {isCreating && (
        <Suspense>
          <LazyNewWorkflowDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </ScreenPage>
  )
}
