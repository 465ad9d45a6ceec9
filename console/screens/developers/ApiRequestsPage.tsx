import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { RightGuard } from '../../components/RightGuard.tsx'
import { type BadgeTone, StateBadge } from '../../components/StateBadge.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayTableRows } from '../../components/table/rows.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { DevelopersPage } from './DevelopersPage.tsx'
import type en from './en.ts'
import { developerTexts } from './texts.ts'

const route = getRouteApi('/developers/requests')
const LIVE_INTERVAL_MS = 5000
const MAX_REQUESTS = 1000
const STATUS_FILTERS = ['2xx', '4xx', '5xx', '400', '401', '403', '404', '409', '429']

type ApiRequest = ApiAnswer<'listRequests'>[number]
const findStatusTone = (status: number): BadgeTone => (status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'good')

const createColumns = (t: Translator<typeof en>): TableColumn<ApiRequest>[] => [
  {
    key: 'path',
    header: t('path'),
    width: 280,
    grow: 3,
    cell: ({ method, path }) => <code>{`${method} ${path}`}</code>,
  },
  {
    key: 'status',
    header: t('answer'),
    width: 90,
    cell: ({ status }) => <StateBadge tone={findStatusTone(status)}>{String(status)}</StateBadge>,
  },
  {
    key: 'duration',
    header: t('duration'),
    width: 100,
    align: 'end',
    cell: ({ durationMs }) => <span className="digits">{t('ms', { ms: durationMs })}</span>,
  },
  { key: 'by', header: t('by'), width: 140, cell: ({ by }) => <bdi>{by.name}</bdi> },
  { key: 'date', header: t('time'), width: 130, cell: ({ date }) => <FormattedTime at={date} /> },
  {
    key: 'request',
    header: t('request'),
    width: 300,
    isExtra: true,
    cell: ({ request }) => <CopyButton value={request} />,
  },
]

function RequestLog() {
  const t = useTranslator(developerTexts)
  const { key, status } = route.useSearch()
  const navigate = route.useNavigate()
  const keysQuery = useQuery({
    queryKey: ['keys'],
    queryFn: ({ signal }) => apiClient.listKeys({ signal }),
  })
  const query = { limit: MAX_REQUESTS, ...(key !== undefined && { key }), ...(status !== undefined && { status }) }
  const requestsQuery = useQuery({
    queryKey: ['requests', query],
    queryFn: ({ signal }) => apiClient.listRequests({ query, signal }),
    refetchInterval: LIVE_INTERVAL_MS,
    refetchIntervalInBackground: false,
  })
  const rows = useArrayTableRows(requestsQuery)
  const changeSearch = (change: { key?: number | undefined; status?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }) as never, replace: true })
  return (
    <DevelopersPage>
      <DataTable
        name="requests"
        cards={{ state: 'status', figures: ['duration', 'date'] }}
        label={t('requests')}
        rows={rows}
        columns={createColumns(t)}
        keyOf={({ id }) => String(id)}
        isFiltered={key !== undefined || status !== undefined}
        tools={
          <>
            <Select
              size="xs"
              w={180}
              clearable
              aria-label={t('key')}
              placeholder={t('key')}
              data={(keysQuery.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              value={key === undefined ? null : String(key)}
              onChange={(value) => changeSearch({ key: value === null ? undefined : Number(value) })}
            />
            <Select
              size="xs"
              w={120}
              clearable
              aria-label={t('answer')}
              placeholder={t('answer')}
              data={STATUS_FILTERS}
              value={status ?? null}
              onChange={(value) => changeSearch({ status: value ?? undefined })}
            />
          </>
        }
        empty={<EmptyState title={t('requestsEmpty')}>{t('requestsEmptyWhy')}</EmptyState>}
      />
    </DevelopersPage>
  )
}

/** The requests of the last hour, newest first: who called what, how it was answered, how long it took. */
export function ApiRequestsPage() {
  return (
    <RightGuard right="admin" to="/developers/webhooks">
      <RequestLog />
    </RightGuard>
  )
}
