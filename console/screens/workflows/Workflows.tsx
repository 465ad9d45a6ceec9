import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { Num } from '../../components/Num.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Time } from '../../components/Time.tsx'
import type { Column } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayRows } from '../../components/table/rows.ts'
import { useAct } from '../../components/use-act.ts'
import { useCreateKey } from '../../layout/dialogs/keys.tsx'
import { pathOf } from '../../paths.ts'
import { type Text, useText } from '../../text/catalogue.ts'
import type { Listed } from './calls.ts'
import type en from './en.ts'
import { workflowTexts } from './texts.ts'

const route = getRouteApi('/workflows')

const newest = (a: Listed, b: Listed): number => b.updateDate.localeCompare(a.updateDate)

const columnsOf = (t: Text<typeof en>): Column<Listed>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 220, grow: 3 },
  {
    ...{ key: 'state', header: t('state'), width: 120 },
    cell: ({ state }) => (
      <Badge tone={state === 1 ? 'good' : 'neutral'}>{t(state === 1 ? 'active' : 'inactive')}</Badge>
    ),
  },
  {
    ...{ key: 'nodes', header: t('nodes'), width: 90, align: 'end', isExtra: true },
    cell: ({ nodes }) => <Num value={nodes.length} />,
  },
  {
    ...{ key: 'changed', header: t('changed'), width: 130, isExtra: true },
    cell: ({ updateDate }) => <Time at={updateDate} />,
  },
]

function NewDialog({ onClose }: { onClose(): void }) {
  const t = useText(workflowTexts)
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const { error, isBusy, submit } = useAct(async () => {
    const made = await data(api.POST('/scripting/workflows', { body: { name } }))
    await queries.invalidateQueries({ queryKey: ['workflows'] })
    await navigate({ to: '/workflows/$id', params: { id: String(made.id) } })
  })
  return (
    <Modal opened onClose={onClose} title={t('create')} size={460} closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 16 }}>
        <TextInput
          data-autofocus
          required
          label={t('name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {error !== null && <Problem error={error} />}
        <Button type="submit" loading={isBusy} disabled={name.trim() === ''}>
          {t('create')}
        </Button>
      </form>
    </Modal>
  )
}

/** Every workflow of the account. */
export function Workflows() {
  const t = useText(workflowTexts)
  const { q = '', state } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('write')
  const [isCreating, setCreating] = useState(false)
  useCreateKey(() => setCreating(true), mayWrite)
  const all = useQuery({
    queryKey: ['workflows'],
    queryFn: ({ signal }) => data(api.GET('/scripting/workflows', { signal })),
  })
  const found = useMemo(
    () =>
      all.data?.filter(
        (workflow) =>
          (state === undefined || (workflow.state === 1) === (state === 'active')) &&
          `${workflow.name} ${workflow.id}`.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
      ),
    [all.data, q, state],
  )
  const isFiltered = q !== '' || state !== undefined
  const create = mayWrite && <Button onClick={() => setCreating(true)}>{t('create')}</Button>
  return (
    <Page title={t('title')} action={(all.data?.length ?? 0) > 0 && create}>
      <DataTable
        name="workflows"
        label={t('title')}
        rows={useArrayRows({ ...all, data: found }, newest)}
        columns={useMemo(() => columnsOf(t), [t])}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => pathOf.workflow(id)}
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
            <Empty title={t('noMatch')} />
          ) : (
            <Empty title={t('empty')} action={create}>
              {t('emptyWhy')}
            </Empty>
          )
        }
      />
      {isCreating && <NewDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}
