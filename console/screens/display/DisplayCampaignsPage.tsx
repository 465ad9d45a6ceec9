import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { hasHeadAction, useArrayTableRows } from '../../components/table/rows.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { MessagesPage } from '../campaigns/MessagesPage.tsx'
import type en from './en.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display')

type CampaignRow = ApiAnswer<'listDisplayCampaigns'>[number]

const compareNewestFirst = (a: CampaignRow, b: CampaignRow): number => b.creationDate.localeCompare(a.creationDate)

const createColumns = (t: Translator<typeof en>): TableColumn<CampaignRow>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3 },
  {
    key: 'active',
    header: t('state'),
    width: 110,
    cell: ({ active }) => (
      <StateBadge tone={active ? 'busy' : 'neutral'}>{t(active ? 'active' : 'inactive')}</StateBadge>
    ),
  },
  {
    key: 'start',
    header: t('start'),
    width: 120,
    cell: ({ startDate }) => startDate && <FormattedTime at={startDate} as="date" />,
  },
  {
    key: 'end',
    header: t('end'),
    width: 120,
    cell: ({ endDate }) => endDate && <FormattedTime at={endDate} as="date" />,
  },
  {
    key: 'impressions',
    header: t('impressions'),
    width: 120,
    align: 'end',
    cell: ({ report }) => report && <FormattedNumber value={report.impressions.human} />,
  },
  {
    key: 'clicks',
    header: t('clicks'),
    width: 100,
    align: 'end',
    cell: ({ report }) => report && <FormattedNumber value={report.clicks.human} />,
  },
  {
    key: 'rate',
    header: t('rate'),
    width: 100,
    align: 'end',
    cell: ({ report }) =>
      report && report.impressions.human > 0 ? (
        <FormattedNumber value={report.clicks.human / report.impressions.human} percent />
      ) : null,
  },
  {
    key: 'creation',
    header: t('creation'),
    width: 120,
    isExtra: true,
    cell: ({ creationDate }) => <FormattedTime at={creationDate} as="date" />,
  },
]

/** Every display campaign, with what was shown and followed. */
export function DisplayCampaignsPage() {
  const t = useTranslator(displayTexts)
  const navigate = route.useNavigate()
  const { q = '' } = route.useSearch()
  const canWrite = useHasRight('write')
  const campaignsQuery = useQuery({
    queryKey: ['display'],
    queryFn: ({ signal }) => apiClient.listDisplayCampaigns({ query: { report: true }, signal }),
  })
  const matchingCampaigns = useMemo(
    () =>
      campaignsQuery.data?.filter(({ name, id }) =>
        `${name} ${id}`.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
      ),
    [campaignsQuery.data, q],
  )
  const rows = useArrayTableRows<CampaignRow>({ ...campaignsQuery, data: matchingCampaigns }, compareNewestFirst)
  useCreateShortcut(() => void navigate({ to: '/display/campaigns/$id/edit', params: { id: 'new' } }))
  const newCampaignButton = canWrite && (
    <Button renderRoot={(props) => <Link to="/display/campaigns/$id/edit" params={{ id: 'new' }} {...props} />}>
      {t('newCampaign')}
    </Button>
  )
  return (
    <MessagesPage part="display" action={hasHeadAction(rows, q !== '') && newCampaignButton}>
      <DataTable
        name="display"
        label={t('campaigns')}
        rows={rows}
        columns={useMemo(() => createColumns(t), [t])}
        keyOf={({ id }) => id}
        linkOf={({ id }) => objectPaths.displayCampaign(id)}
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
            <EmptyState title={t('noMatch')} />
          ) : (
            <EmptyState title={t('empty')} action={newCampaignButton}>
              {t('emptyWhy')}
            </EmptyState>
          )
        }
      />
    </MessagesPage>
  )
}
