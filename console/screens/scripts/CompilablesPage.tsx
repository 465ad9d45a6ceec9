import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
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
import type en from './en.ts'
import { scriptTexts } from './texts.ts'

const route = getRouteApi('/compilables')

type ListedCompilable = ApiAnswer<'listCompilables'>[number]

const createColumns = (t: Translator<typeof en>): TableColumn<ListedCompilable>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3 },
  {
    key: 'state',
    header: t('state'),
    width: 130,
    cell: ({ state }) => <StateBadge tone={state === 'ready' ? 'good' : 'warning'}>{t(state)}</StateBadge>,
  },
  { key: 'kind', header: t('kind'), cell: ({ value }) => t(value.type), width: 130 },
  {
    key: 'parameters',
    header: t('parameters'),
    width: 200,
    grow: 2,
    cell: ({ value }) => value.parameters.map(({ name }) => name).join(', '),
  },
  { key: 'changed', header: t('changed'), cell: ({ stamp }) => <FormattedTime at={stamp.modification} />, width: 140 },
]

/** Every compilable of the account. */
export function CompilablesPage() {
  const t = useTranslator(scriptTexts)
  const navigate = route.useNavigate()
  const canWrite = useHasRight('write')
  const { q = '' } = route.useSearch()
  const compilablesQuery = useQuery({
    queryKey: ['compilables'],
    queryFn: ({ signal }) => apiClient.listCompilables({ signal }),
  })
  const matchingCompilables = useMemo(
    () =>
      compilablesQuery.data?.filter(({ name, id }) =>
        `${name} ${id}`.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
      ),
    [compilablesQuery.data, q],
  )
  const rows = useArrayTableRows<ListedCompilable>({ ...compilablesQuery, data: matchingCompilables })
  useCreateShortcut(() => void navigate({ to: '/compilables/$id', params: { id: 'new' } }), canWrite)
  const newCompilableButton = canWrite && (
    <Button renderRoot={(props) => <Link to="/compilables/$id" params={{ id: 'new' }} {...props} />}>
      {t('newCompilable')}
    </Button>
  )
  return (
    <ScreenPage title={t('compilables')} action={newCompilableButton}>
      <DataTable
        name="compilables"
        label={t('compilables')}
        rows={rows}
        columns={useMemo(() => createColumns(t), [t])}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => objectPaths.compilable(id)}
        isFiltered={q !== ''}
        tools={
          <SearchField
            label={t('search')}
            value={q}
            onChange={(next) => void navigate({ search: { q: next || undefined }, replace: true })}
          />
        }
        empty={
          q === '' ? (
            <EmptyState title={t('noCompilables')}>{t('noCompilablesWhy')}</EmptyState>
          ) : (
            <EmptyState title={t('noMatch')} />
          )
        }
      />
    </ScreenPage>
  )
}
