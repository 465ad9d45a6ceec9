import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import {
  formatTableSort,
  hasHeadAction,
  parseTableSort,
  type TableSort,
  useArrayTableRows,
} from '../../components/table/rows.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { CAMPAIGN_PHASES, type CampaignPhase, type CampaignsSearch } from './address.ts'
import type en from './en.ts'
import { MessagesPage } from './MessagesPage.tsx'
import { CampaignPeriod, CampaignPhaseBadge, classifyCampaignPhase, type ListedApiCampaign } from './phase.tsx'
import { campaignTexts } from './texts.ts'

const route = getRouteApi('/campaigns')

type CampaignLine = ApiAnswer<'listCampaignResults'>[number]
type CampaignRow = ListedApiCampaign & { line: CampaignLine | undefined }

const createFigureColumn = (
  key: string,
  header: string,
  of: (totals: CampaignLine['totals']) => number,
): TableColumn<CampaignRow> => ({
  key,
  header,
  width: 84,
  align: 'end',
  sort: key,
  cell: ({ line }) => line && <FormattedNumber value={of(line.totals)} />,
})

const createColumns = (t: Translator<typeof en>): TableColumn<CampaignRow>[] => [
  { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 180, grow: 3, sort: 'name' },
  { key: 'phase', header: t('phase'), cell: (row) => <CampaignPhaseBadge campaign={row} />, width: 100 },
  {
    key: 'dates',
    header: t('dates'),
    cell: (row) => <CampaignPeriod campaign={row} t={t} />,
    width: 200,
    sort: 'dates',
  },
  {
    key: 'items',
    header: t('items'),
    width: 76,
    align: 'end',
    sort: 'items',
    cell: ({ items }) => <FormattedNumber value={items.length} />,
  },
  {
    key: 'last',
    header: t('lastSending'),
    width: 124,
    sort: 'last',
    cell: ({ line }) => (line?.lastSending ? <FormattedTime at={line.lastSending} /> : t('never')),
  },
  createFigureColumn('sent', t('sent'), ({ sent: sentCount }) => sentCount),
  createFigureColumn('opens', t('opens'), ({ opens }) => opens.human),
  createFigureColumn('clicks', t('clicks'), ({ clicks }) => clicks.human),
  { ...createFigureColumn('impressions', t('impressions'), ({ impressions }) => impressions), isExtra: true },
  { ...createFigureColumn('unsubscribes', t('unsubscribes'), ({ unsubscribes }) => unsubscribes), isExtra: true },
  { ...createFigureColumn('bounces', t('bounces'), ({ bounces }) => bounces), isExtra: true },
]

/** Returns the sort key of a row: a text or a number. */
function getSortKey({ name, startDate, creationDate, items, line }: CampaignRow, by: string): string | number {
  if (by === 'name') return name.toLocaleLowerCase()
  if (by === 'dates') return startDate ?? ''
  if (by === 'items') return items.length
  if (by === 'last') return line?.lastSending ?? ''
  if (by === 'creation') return creationDate
  const lineTotals = line?.totals
  const value = lineTotals?.[by as keyof CampaignLine['totals']] ?? 0
  return typeof value === 'number' ? value : value.human
}

function createComparer({ by, descending }: TableSort): (a: CampaignRow, b: CampaignRow) => number {
  const sortSign = descending ? -1 : 1
  return (a, b) => {
    const [leftKey, rightKey] = [getSortKey(a, by), getSortKey(b, by)]
    if (typeof leftKey === 'number' && typeof rightKey === 'number') return sortSign * (leftKey - rightKey)
    return sortSign * String(leftKey).localeCompare(String(rightKey))
  }
}

function CampaignFilters({
  search,
  set: changeSearch,
}: {
  search: CampaignsSearch
  set(change: Partial<CampaignsSearch>): void
}) {
  const t = useTranslator(campaignTexts)
  const { q = '', phase } = search
  return (
    <>
      <SearchField label={t('search')} value={q} onChange={(next) => changeSearch({ q: next || undefined })} />
      <SegmentedControl
        size="xs"
        aria-label={t('phase')}
        data={[{ value: 'all', label: t('all') }, ...CAMPAIGN_PHASES.map((value) => ({ value, label: t(value) }))]}
        value={phase ?? 'all'}
        onChange={(next) => changeSearch({ phase: next === 'all' ? undefined : (next as CampaignPhase) })}
      />
    </>
  )
}

/** Campaigns with what they came to over all channels. */
function useCampaignRows({ q = '', phase }: CampaignsSearch, tableSort: TableSort) {
  const campaignsQuery = useQuery({
    queryKey: ['campaigns'],
    queryFn: ({ signal }) => apiClient.listCampaigns({ signal }),
  })
  const lines = useQuery({
    queryKey: ['campaigns', 'results'],
    queryFn: ({ signal }) => apiClient.listCampaignResults({ signal }),
  })
  const matchingRows = useMemo(() => {
    const linesById = new Map(lines.data?.map((line) => [line.id, line]))
    return campaignsQuery.data
      ?.filter(
        (campaign) =>
          (phase === undefined || classifyCampaignPhase(campaign) === phase) &&
          campaign.name.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
      )
      .map((campaign) => ({ ...campaign, line: linesById.get(campaign.id) }))
  }, [campaignsQuery.data, lines.data, phase, q])
  const compareRows = useMemo(
    () => createComparer({ by: tableSort.by, descending: tableSort.descending }),
    [tableSort.by, tableSort.descending],
  )
  return { rows: useArrayTableRows<CampaignRow>({ ...campaignsQuery, data: matchingRows }, compareRows), lines }
}

/** Every campaign: what it groups, when, and what it came to. */
export function CampaignsPage() {
  const t = useTranslator(campaignTexts)
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const canWrite = useHasRight('write')
  const changeSearch = (change: Partial<CampaignsSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const tableSort = parseTableSort(search.sort, { by: 'creation', descending: true })
  const { rows, lines } = useCampaignRows(search, tableSort)
  const isFiltered = search.q !== undefined || search.phase !== undefined
  useCreateShortcut(() => void navigate({ to: '/campaigns/new' }))
  const newCampaignButton = canWrite && (
    <Button renderRoot={(props) => <Link to="/campaigns/new" {...props} />}>{t('newCampaign')}</Button>
  )
  return (
    <MessagesPage part="campaigns" action={hasHeadAction(rows, isFiltered) && newCampaignButton}>
      {lines.error && <ProblemAlert error={lines.error} title={t('noResults')} onRetry={() => void lines.refetch()} />}
      <DataTable
        name="campaigns"
        cards={{ state: 'phase', figures: ['items', 'last'] }}
        label={t('campaigns')}
        rows={rows}
        columns={useMemo(() => createColumns(t), [t])}
        keyOf={({ id }) => id}
        linkOf={({ id }) => objectPaths.campaign(id)}
        sort={tableSort}
        onSort={(next) => changeSearch({ sort: formatTableSort(next) })}
        isFiltered={isFiltered}
        tools={<CampaignFilters search={search} set={changeSearch} />}
        empty={
          isFiltered ? (
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
