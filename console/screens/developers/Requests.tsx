import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import type { Answer } from '../../api/shapes.ts'
import { Allowed } from '../../components/Allowed.tsx'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { Copy } from '../../components/Copy.tsx'
import { Empty } from '../../components/layout/Empty.tsx'
import { Time } from '../../components/Time.tsx'
import type { Column } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { useArrayRows } from '../../components/table/rows.ts'
import { type Text, useText } from '../../text/catalogue.ts'
import { DevelopersPage } from './DevelopersPage.tsx'
import type en from './en.ts'
import { developerTexts } from './texts.ts'

const route = getRouteApi('/developers/requests')
const LIVE_MS = 5000
const SHOWN = 1000
const statuses = ['2xx', '4xx', '5xx', '400', '401', '403', '404', '409', '429']

type Request = Answer<'/requests', 'get'>[number]
const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'good')

const columnsOf = (t: Text<typeof en>): Column<Request>[] => [
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
    cell: ({ status }) => <Badge tone={toneOf(status)}>{String(status)}</Badge>,
  },
  {
    key: 'duration',
    header: t('duration'),
    width: 100,
    align: 'end',
    cell: ({ durationMs }) => <span className="digits">{t('ms', { ms: durationMs })}</span>,
  },
  { key: 'by', header: t('by'), width: 140, cell: ({ by }) => <bdi>{by.name}</bdi> },
  { key: 'date', header: t('time'), width: 130, cell: ({ date }) => <Time at={date} /> },
  { key: 'request', header: t('request'), width: 300, isExtra: true, cell: ({ request }) => <Copy value={request} /> },
]

function RequestLog() {
  const t = useText(developerTexts)
  const { key, status } = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useQuery({ queryKey: ['keys'], queryFn: ({ signal }) => data(api.GET('/keys', { signal })) })
  const query = { limit: SHOWN, ...(key !== undefined && { key }), ...(status !== undefined && { status }) }
  const read = useQuery({
    queryKey: ['requests', query],
    queryFn: ({ signal }) => data(api.GET('/requests', { params: { query }, signal })),
    refetchInterval: LIVE_MS,
    refetchIntervalInBackground: false,
  })
  const rows = useArrayRows(read)
  const set = (change: { key?: number | undefined; status?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }) as never, replace: true })
  return (
    <DevelopersPage>
      <DataTable
        name="requests"
        label={t('requests')}
        rows={rows}
        columns={columnsOf(t)}
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
              data={(keys.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
              value={key === undefined ? null : String(key)}
              onChange={(value) => set({ key: value === null ? undefined : Number(value) })}
            />
            <Select
              size="xs"
              w={120}
              clearable
              aria-label={t('answer')}
              placeholder={t('answer')}
              data={statuses}
              value={status ?? null}
              onChange={(value) => set({ status: value ?? undefined })}
            />
          </>
        }
        empty={<Empty title={t('requestsEmpty')}>{t('requestsEmptyWhy')}</Empty>}
      />
    </DevelopersPage>
  )
}

/** The requests of the last hour, newest first: who called what, how it was answered, how long it took. */
export function Requests() {
  return (
    <Allowed right="admin" to="/developers/webhooks">
      <RequestLog />
    </Allowed>
  )
}
