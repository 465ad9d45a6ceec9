import { Button } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Time } from '../../components/Time.tsx'
import type { Column } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayRows } from '../../components/table/rows.ts'
import { useCreateKey } from '../../layout/dialogs/keys.tsx'
import { pathOf } from '../../paths.ts'
import { type Text, useText } from '../../text/catalogue.ts'
import { MessagesPage } from '../campaigns/MessagesPage.tsx'
import type en from './en.ts'
import { type Placement, usePlacements } from './kinds.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/placements')

const columnsOf = (t: Text<typeof en>): Column<Placement>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3 },
  { key: 'site', header: t('site'), cell: ({ site }) => <bdi>{site}</bdi>, width: 180, grow: 2 },
  {
    ...{ key: 'size', header: t('size'), width: 130, align: 'end' },
    cell: ({ width, height }) =>
      width !== null && height !== null && <span className="digits">{`${width} × ${height}`}</span>,
  },
  { key: 'id', header: t('id'), cell: ({ id }) => <bdi>{id}</bdi>, width: 180 },
  {
    ...{ key: 'update', header: t('changed'), width: 130 },
    cell: ({ updateDate }) => <Time at={updateDate} />,
  },
]

/** Every place of a site or an app where contents are shown. */
export function Placements() {
  const t = useText(displayTexts)
  const navigate = route.useNavigate()
  const { q = '' } = route.useSearch()
  const mayWrite = useMay('write')
  const all = usePlacements()
  const found = useMemo(
    () =>
      all.data?.filter(({ name, id, site }) =>
        `${name} ${id} ${site ?? ''}`.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
      ),
    [all.data, q],
  )
  const rows = useArrayRows<Placement>({ ...all, data: found })
  useCreateKey(() => void navigate({ to: '/display/placements/$id', params: { id: 'new' } }))
  const create = mayWrite && (
    <Button renderRoot={(props) => <Link to="/display/placements/$id" params={{ id: 'new' }} {...props} />}>
      {t('newPlacement')}
    </Button>
  )
  return (
    <MessagesPage part="placements" action={(rows.total > 0 || q !== '') && create}>
      <DataTable
        name="placements"
        label={t('placements')}
        rows={rows}
        columns={useMemo(() => columnsOf(t), [t])}
        keyOf={({ id }) => id}
        linkOf={({ id }) => pathOf.placement(id)}
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
            <Empty title={t('noMatch')} />
          ) : (
            <Empty title={t('emptyPlacements')} action={create}>
              {t('emptyPlacementsWhy')}
            </Empty>
          )
        }
      />
    </MessagesPage>
  )
}
