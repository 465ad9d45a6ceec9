import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient } from '../../../api/client.ts'
import { useHasRight } from '../../../api/me.ts'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ScreenPage } from '../../../components/layout/ScreenPage.tsx'
import { SearchField } from '../../../components/SearchField.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import type { TableColumn } from '../../../components/table/columns.tsx'
import { DataTable } from '../../../components/table/DataTable.tsx'
import { useArrayTableRows } from '../../../components/table/rows.ts'
import { useCreateShortcut } from '../../../layout/dialogs/keys.tsx'
import { objectPaths } from '../../../paths.ts'
import { type Translator, useTranslator } from '../../../text/catalogue.ts'
import type en from '../en.ts'
import { scriptTexts } from '../texts.ts'
import type { ApiWebtask } from './webtask-kind.ts'

const route = getRouteApi('/webtasks')

const createColumns = (t: Translator<typeof en>): TableColumn<ApiWebtask>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3 },
  {
    key: 'capabilities',
    header: t('capabilities'),
    width: 220,
    grow: 2,
    cell: ({ scripting }) => (scripting.environment.capabilities ?? []).join(', ') || t('nothing'),
  },
  {
    key: 'public',
    header: t('public'),
    width: 130,
    cell: ({ settings }) =>
      settings.public.enabled ? <StateBadge tone="warning">{t('isPublic')}</StateBadge> : t('keyOnly'),
  },
  { key: 'changed', header: t('changed'), cell: ({ updateDate }) => <FormattedTime at={updateDate} />, width: 140 },
]

/** Every webtask of the account. */
export function WebtasksPage() {
  const t = useTranslator(scriptTexts)
  const navigate = route.useNavigate()
  const canWrite = useHasRight('write')
  const { q = '' } = route.useSearch()
  const webtasksQuery = useQuery({
    queryKey: ['webtasks'],
    queryFn: async ({ signal }) => (await apiClient.listWebtasks({ signal })) as ApiWebtask[],
  })
  const matchingWebtasks = useMemo(
    () =>
      webtasksQuery.data?.filter(({ name, id }) => `${name} ${id}`.toLocaleLowerCase().includes(q.toLocaleLowerCase())),
    [webtasksQuery.data, q],
  )
  const rows = useArrayTableRows<ApiWebtask>({ ...webtasksQuery, data: matchingWebtasks })
  useCreateShortcut(() => void navigate({ to: '/webtasks/$id', params: { id: 'new' } }), canWrite)
  const newWebtaskButton = canWrite && (
    <Button renderRoot={(props) => <Link to="/webtasks/$id" params={{ id: 'new' }} {...props} />}>
      {t('newWebtask')}
    </Button>
  )
  return (
    <ScreenPage title={t('webtasks')} action={newWebtaskButton}>
      <DataTable
        name="webtasks"
        label={t('webtasks')}
        rows={rows}
        columns={useMemo(() => createColumns(t), [t])}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => objectPaths.webtask(id)}
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
            <EmptyState title={t('noWebtasks')}>{t('noWebtasksWhy')}</EmptyState>
          ) : (
            <EmptyState title={t('noMatch')} />
          )
        }
      />
    </ScreenPage>
  )
}
