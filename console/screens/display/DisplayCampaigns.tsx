import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { Badge } from '../../components/Badge.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Num } from '../../components/Num.tsx'
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
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display')

type Row = Answer<'/display/campaign', 'get'>[number]

const newest = (a: Row, b: Row): number => b.creationDate.localeCompare(a.creationDate)

const columnsOf = (t: Text<typeof en>): Column<Row>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3 },
  {
    ...{ key: 'active', header: t('state'), width: 110 },
    cell: ({ active }) => <Badge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</Badge>,
  },
  {
    ...{ key: 'start', header: t('start'), width: 120 },
    cell: ({ startDate }) => startDate && <Time at={startDate} as="date" />,
  },
  { key: 'end', header: t('end'), width: 120, cell: ({ endDate }) => endDate && <Time at={endDate} as="date" /> },
  {
    ...{ key: 'impressions', header: t('impressions'), width: 120, align: 'end' },
    cell: ({ report }) => report && <Num value={report.impressions.human} />,
  },
  {
    ...{ key: 'clicks', header: t('clicks'), width: 100, align: 'end' },
    cell: ({ report }) => report && <Num value={report.clicks.human} />,
  },
  {
    ...{ key: 'rate', header: t('rate'), width: 100, align: 'end' },
    cell: ({ report }) =>
      report && report.impressions.human > 0 ? (
        <Num value={report.clicks.human / report.impressions.human} percent />
      ) : null,
  },
  {
    ...{ key: 'creation', header: t('creation'), width: 120, isExtra: true },
    cell: ({ creationDate }) => <Time at={creationDate} as="date" />,
  },
]

/** Every display campaign, with what was shown and followed. */
export function DisplayCampaigns() {
  const t = useText(displayTexts)
  const navigate = route.useNavigate()
  const { q = '' } = route.useSearch()
  const mayWrite = useMay('write')
  const all = useQuery({
    queryKey: ['display'],
    queryFn: ({ signal }) => data(api.GET('/display/campaign', { params: { query: { report: true } }, signal })),
  })
  const found = useMemo(
    () => all.data?.filter(({ name, id }) => `${name} ${id}`.toLocaleLowerCase().includes(q.toLocaleLowerCase())),
    [all.data, q],
  )
  const rows = useArrayRows<Row>({ ...all, data: found }, newest)
  useCreateKey(() => void navigate({ to: '/display/campaigns/$id/edit', params: { id: 'new' } }))
  const create = mayWrite && (
    <Button renderRoot={(props) => <Link to="/display/campaigns/$id/edit" params={{ id: 'new' }} {...props} />}>
      {t('newCampaign')}
    </Button>
  )
  return (
    <MessagesPage part="display" action={(rows.total > 0 || q !== '') && create}>
      <DataTable
        name="display"
        label={t('campaigns')}
        rows={rows}
        columns={useMemo(() => columnsOf(t), [t])}
        keyOf={({ id }) => id}
        linkOf={({ id }) => pathOf.displayCampaign(id)}
        isFiltered={q !== ''}
        tools={
          <SearchField
            label={t('search')}
            value={q}
            onChange={(next) => void navigate({ search: next ? { q: next } : {}, replace: true })}
          />
        }
        empty={
          q !== '' ? (
            <Empty title={t('noMatch')} />
          ) : (
            <Empty title={t('empty')} action={create}>
              {t('emptyWhy')}
            </Empty>
          )
        }
      />
    </MessagesPage>
  )
}
