import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { formatTableSort, parseTableSort, type TableSort, useArrayTableRows } from '../../components/table/rows.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import type en from './en.ts'
import { MessagesPage } from './MessagesPage.tsx'
import { CampaignPeriod, CampaignPhaseBadge, classifyCampaignPhase, type ListedApiCampaign } from './phase.tsx'
import { CAMPAIGN_PHASES, type CampaignPhase, type CampaignsSearch } from './routes.ts'
import { campaignTexts } from './texts.ts'

const route = getRouteApi('/campaigns')

type Line = ApiAnswer<'/campaigns/results', 'get'>[number]
type Row = ListedApiCampaign & { line: Line | undefined }

const figure = (key: string, header: string, of: (totals: Line['totals']) => number): TableColumn<Row> => ({
  ...{ key, header, width: 84, align: 'end', sort: key },
  cell: ({ line }) => line && <FormattedNumber value={of(line.totals)} />,
})

const columnsOf = (t: Translator<typeof en>): TableColumn<Row>[] => [
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
    ...{ key: 'items', header: t('items'), width: 76, align: 'end', sort: 'items' },
    cell: ({ items }) => <FormattedNumber value={items.length} />,
  },
  {
    ...{ key: 'last', header: t('lastSending'), width: 124, sort: 'last' },
    cell: ({ line }) => (line?.lastSending ? <FormattedTime at={line.lastSending} /> : t('never')),
  },
  figure('sent', t('sent'), ({ sent }) => sent),
  figure('opens', t('opens'), ({ opens }) => opens.human),
  figure('clicks', t('clicks'), ({ clicks }) => clicks.human),
  { ...figure('impressions', t('impressions'), ({ impressions }) => impressions), isExtra: true },
  { ...figure('unsubscribes', t('unsubscribes'), ({ unsubscribes }) => unsubscribes), isExtra: true },
  { ...figure('bounces', t('bounces'), ({ bounces }) => bounces), isExtra: true },
]

/** What a column is sorted by: a text or a number. */
function keyOf({ name, startDate, creationDate, items, line }: Row, by: string): string | number {
  if (by === 'name') return name.toLocaleLowerCase()
  if (by === 'dates') return startDate ?? ''
  if (by === 'items') return items.length
  if (by === 'last') return line?.lastSending ?? ''
  if (by === 'creation') return creationDate
  const figures = line?.totals
  const value = figures?.[by as keyof Line['totals']] ?? 0
  return typeof value === 'number' ? value : value.human
}

function compareBy({ by, descending }: TableSort): (a: Row, b: Row) => number {
  const sign = descending ? -1 : 1
  return (a, b) => {
    const [one, other] = [keyOf(a, by), keyOf(b, by)]
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other)
    return sign * String(one).localeCompare(String(other))
  }
}

function Tools({ search, set }: { search: CampaignsSearch; set(change: Partial<CampaignsSearch>): void }) {
  const t = useTranslator(campaignTexts)
  const { q = '', phase } = search
  return (
    <>
      <SearchField label={t('search')} value={q} onChange={(next) => set({ q: next || undefined })} />
      <SegmentedControl
        size="xs"
        aria-label={t('phase')}
        data={[{ value: 'all', label: t('all') }, ...CAMPAIGN_PHASES.map((value) => ({ value, label: t(value) }))]}
        value={phase ?? 'all'}
        onChange={(next) => set({ phase: next === 'all' ? undefined : (next as CampaignPhase) })}
      />
    </>
  )
}

/** Campaigns with what they came to over all channels. */
function useCampaignRows({ q = '', phase }: CampaignsSearch, sort: TableSort) {
  const all = useQuery({
    queryKey: ['campaigns'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/campaigns', { signal })),
  })
  const lines = useQuery({
    queryKey: ['campaigns', 'results'],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/campaigns/results', { signal })),
  })
  const found = useMemo(() => {
    const byId = new Map(lines.data?.map((line) => [line.id, line]))
    return all.data
      ?.filter(
        (campaign) =>
          (phase === undefined || classifyCampaignPhase(campaign) === phase) &&
          campaign.name.toLocaleLowerCase().includes(q.toLocaleLowerCase()),
      )
      .map((campaign) => ({ ...campaign, line: byId.get(campaign.id) }))
  }, [all.data, lines.data, phase, q])
  const compare = useMemo(() => compareBy({ by: sort.by, descending: sort.descending }), [sort.by, sort.descending])
  return { rows: useArrayTableRows<Row>({ ...all, data: found }, compare), lines }
}

/** Every campaign: what it groups, when, and what it came to. */
export function CampaignsPage() {
  const t = useTranslator(campaignTexts)
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const mayWrite = useHasRight('write')
  const set = (change: Partial<CampaignsSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const sort = parseTableSort(search.sort, { by: 'creation', descending: true })
  const { rows, lines } = useCampaignRows(search, sort)
  const isFiltered = search.q !== undefined || search.phase !== undefined
  useCreateShortcut(() => void navigate({ to: '/campaigns/new' }))
  const create = mayWrite && (
    <Button renderRoot={(props) => <Link to="/campaigns/new" {...props} />}>{t('newCampaign')}</Button>
  )
  return (
    <MessagesPage part="campaigns" action={(rows.total > 0 || isFiltered) && create}>
      {lines.error && <ProblemAlert error={lines.error} title={t('noResults')} onRetry={() => void lines.refetch()} />}
      <DataTable
        name="campaigns"
        label={t('campaigns')}
        rows={rows}
        columns={useMemo(() => columnsOf(t), [t])}
        keyOf={({ id }) => id}
        linkOf={({ id }) => objectPaths.campaign(id)}
        sort={sort}
        onSort={(next) => set({ sort: formatTableSort(next) })}
        isFiltered={isFiltered}
        tools={<Tools search={search} set={set} />}
        empty={
          isFiltered ? (
            <EmptyState title={t('noMatch')} />
          ) : (
            <EmptyState title={t('empty')} action={create}>
              {t('emptyWhy')}
            </EmptyState>
          )
        }
      />
    </MessagesPage>
  )
}
