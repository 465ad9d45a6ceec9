import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Time } from '../../components/Time.tsx'
import type { Column } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayRows } from '../../components/table/rows.ts'
import { useCreateKey } from '../../layout/dialogs/keys.tsx'
import { pathOf } from '../../paths.ts'
import { type Text, useText } from '../../text/catalogue.ts'
import type en from './en.ts'
import { scriptTexts } from './texts.ts'

const route = getRouteApi('/compilables')

type Listed = Answer<'/scripting/compilables', 'get'>[number]

const columnsOf = (t: Text<typeof en>): Column<Listed>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3 },
  {
    ...{ key: 'state', header: t('state'), width: 130 },
    cell: ({ state }) => <Badge tone={state === 'ready' ? 'good' : 'warning'}>{t(state)}</Badge>,
  },
  { key: 'kind', header: t('kind'), cell: ({ value }) => t(value.type), width: 130 },
  {
    ...{ key: 'parameters', header: t('parameters'), width: 200, grow: 2 },
    cell: ({ value }) => value.parameters.map(({ name }) => name).join(', '),
  },
  { key: 'changed', header: t('changed'), cell: ({ stamp }) => <Time at={stamp.modification} />, width: 140 },
]

/** Every compilable of the account. */
export function Compilables() {
  const t = useText(scriptTexts)
  const navigate = route.useNavigate()
  const mayWrite = useMay('write')
  const { q = '' } = route.useSearch()
  const read = useQuery({
    queryKey: ['compilables'],
    queryFn: ({ signal }) => data(api.GET('/scripting/compilables', { signal })),
  })
  const found = useMemo(
    () => read.data?.filter(({ name, id }) => `${name} ${id}`.toLocaleLowerCase().includes(q.toLocaleLowerCase())),
    [read.data, q],
  )
  const rows = useArrayRows<Listed>({ ...read, data: found })
  useCreateKey(() => void navigate({ to: '/compilables/$id', params: { id: 'new' } }), mayWrite)
  const create = mayWrite && (
    <Button renderRoot={(props) => <Link to="/compilables/$id" params={{ id: 'new' }} {...props} />}>
      {t('newCompilable')}
    </Button>
  )
  return (
    <Page title={t('compilables')} action={create}>
      <DataTable
        name="compilables"
        label={t('compilables')}
        rows={rows}
        columns={useMemo(() => columnsOf(t), [t])}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => pathOf.compilable(id)}
        isFiltered={q !== ''}
        tools={
          <SearchField
            label={t('search')}
            value={q}
            onChange={(next) => void navigate({ search: { q: next || undefined }, replace: true })}
          />
        }
        empty={
          q === '' ? <Empty title={t('noCompilables')}>{t('noCompilablesWhy')}</Empty> : <Empty title={t('noMatch')} />
        }
      />
    </Page>
  )
}
