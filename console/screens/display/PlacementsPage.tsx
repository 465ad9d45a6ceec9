import { Button } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useHasRight } from '../../api/me.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { hasHeadAction, useArrayTableRows } from '../../components/table/rows.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { MessagesPage } from '../campaigns/MessagesPage.tsx'
import type en from './en.ts'
import { type ApiPlacement, usePlacements } from './kinds.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/placements')

const createColumns = (t: Translator<typeof en>): TableColumn<ApiPlacement>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3 },
  { key: 'site', header: t('site'), cell: ({ site }) => <bdi>{site}</bdi>, width: 180, grow: 2 },
  {
    key: 'size',
    header: t('size'),
    width: 130,
    align: 'end',
    cell: ({ width, height }) =>
      width !== null && height !== null && <span className="digits">{`${width} × ${height}`}</span>,
  },
  { key: 'id', header: t('id'), cell: ({ id }) => <bdi>{id}</bdi>, width: 180 },
  {
    key: 'update',
    header: t('changed'),
    width: 130,
    cell: ({ updateDate }) => <FormattedTime at={updateDate} />,
  },
]

/** Every place of a site or an app where contents are shown. */
export function PlacementsPage() {
  const t = useTranslator(displayTexts)
  const navigate = route.useNavigate()
  const { q = '' } = route.useSearch()
  const canWrite = useHasRight('write')
  const placementsQuery = usePlacements()
  const matchingPlacements = useMemo(
    () =>
      placementsQuery.data?.filter(({ name, id, site }) =>
        `${name} ${id} ${site ?? ''}`.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
      ),
    [placementsQuery.data, q],
  )
  const rows = useArrayTableRows<ApiPlacement>({ ...placementsQuery, data: matchingPlacements })
  useCreateShortcut(() => void navigate({ to: '/display/placements/$id', params: { id: 'new' } }))
  const newPlacementButton = canWrite && (
    <Button renderRoot={(props) => <Link to="/display/placements/$id" params={{ id: 'new' }} {...props} />}>
      {t('newPlacement')}
    </Button>
  )
  return (
    <MessagesPage part="placements" action={hasHeadAction(rows, q !== '') && newPlacementButton}>
      <DataTable
        name="placements"
        label={t('placements')}
        rows={rows}
        columns={useMemo(() => createColumns(t), [t])}
        keyOf={({ id }) => id}
        linkOf={({ id }) => objectPaths.placement(id)}
        isFiltered={q !== ''}
        tools={
          <SearchField
            label={t('searchPlacements')}
            value={q}
            onChange={(next) => void navigate({ search: next ? { q: next } : {}, replace: true })}
          />
        }
        empty={
          q !== '' ? (
            <EmptyState title={t('noMatch')} />
          ) : (
            <EmptyState title={t('emptyPlacements')} action={newPlacementButton}>
              {t('emptyPlacementsWhy')}
            </EmptyState>
          )
        }
      />
    </MessagesPage>
  )
}
