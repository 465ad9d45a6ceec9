import { ActionIcon, Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useMay } from '../../../api/me.ts'
import { Empty } from '../../../components/layout/Empty.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Num } from '../../../components/Num.tsx'
import { Time } from '../../../components/Time.tsx'
import type { Column } from '../../../components/table/columns.tsx'
import { DataTable } from '../../../components/table/DataTable.tsx'
import { type Rows, readSort, useArrayRows, writeSort } from '../../../components/table/rows.ts'
import { useCreateKey } from '../../../layout/dialogs/keys.tsx'
import { tell } from '../../../layout/toasts.tsx'
import { pathOf } from '../../../paths.ts'
import { type Text, useText } from '../../../text/catalogue.ts'
import { ItemState } from '../../campaigns/item-state.tsx'
import { CHANNELS } from '../channels.ts'
import type en from '../en.ts'
import { CHANNEL_NAMES, type ChannelName } from '../names.ts'
import type { MessagesSearch } from '../routes.ts'
import { messageTexts } from '../texts.ts'
import { duplicate, LISTS, type Row } from './calls.ts'
import { Filters } from './Filters.tsx'
import { NewMessage } from './NewMessage.tsx'

const route = getRouteApi('/messages/$channel')

/** Rows from the end at which the next page is asked for. */
const AHEAD = 60

type Report = NonNullable<Row['report']>

const figure = (key: string, header: string, of: (report: Report) => number | null): Column<Row> => ({
  ...{ key, header, width: 84, align: 'end' },
  cell: ({ report }) => {
    const value = report && of(report)
    return value === undefined || value === null ? null : <Num value={value} />
  },
})

function columnsOf(t: Text<typeof en>, copy: ((row: Row) => void) | undefined): Column<Row>[] {
  return [
    { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3, sort: 'name' },
    {
      ...{ key: 'state', header: t('state'), width: 116, sort: 'state' },
      cell: ({ state, active }) => <ItemState item={{ state, active, paused: false }} />,
    },
    {
      ...{ key: 'kind', header: t('kind'), width: 104 },
      cell: ({ isCampaign }) => t(isCampaign ? 'kindCampaign' : 'kindMessage'),
    },
    {
      ...{ key: 'start', header: t('start'), width: 132 },
      cell: ({ startDate }) => startDate && <Time at={startDate} as="moment" />,
    },
    figure('sent', t('sent'), ({ sent }) => sent),
    figure('opens', t('opens'), ({ opens }) => opens.human),
    figure('clicks', t('clicks'), ({ clicks }) => clicks.human),
    { ...figure('unsubscribes', t('unsubscribes'), ({ unsubscribes }) => unsubscribes), isExtra: true },
    { ...figure('bounces', t('bounces'), ({ bounces }) => bounces), isExtra: true },
    { ...figure('pending', t('pending'), ({ pending }) => pending), isExtra: true },
    {
      ...{ key: 'created', header: t('created'), width: 124, sort: 'creationDate' },
      cell: ({ creationDate }) => <Time at={creationDate} />,
    },
    ...(copy
      ? [
          {
            ...{ key: 'copy', header: t('copy'), width: 72, grow: 0 },
            cell: (row: Row) => (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('duplicate', { name: row.name })}
                title={t('duplicate', { name: row.name })}
                onClick={() => copy(row)}
              >
                <IconCopy size={15} />
              </ActionIcon>
            ),
          },
        ]
      : []),
  ]
}

/** The list of a channel as the address narrows it, read page by page as it is seen. */
function useMessageRows(channel: ChannelName, search: MessagesSearch): Rows<Row> {
  const pages = useInfiniteQuery({
    queryKey: ['messages', channel, search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) => LISTS[channel]({ ...search, after }, signal),
    getNextPageParam: ({ next }) => next,
  })
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const items = useMemo(() => data?.pages.flatMap((page) => page.items), [data])
  const rows = useArrayRows<Row>({ ...pages, data: items })
  return {
    ...rows,
    isExact: !hasNextPage,
    see: (_, last) => {
      if (hasNextPage && !isFetchingNextPage && last > rows.total - AHEAD) void fetchNextPage()
    },
  }
}

/** Copies a message and opens the copy. */
function useCopy(channel: ChannelName) {
  const t = useText(messageTexts)
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const [error, setError] = useState<unknown>(null)
  const copy = async ({ id }: Row): Promise<void> => {
    setError(null)
    try {
      const made = await duplicate(channel, String(id))
      tell(t('duplicated', { name: made.name }))
      await queries.invalidateQueries({ queryKey: ['messages', channel] })
      if (channel in CHANNELS) await navigate({ to: pathOf.message(channel, made.id) })
    } catch (thrown) {
      setError(thrown)
    }
  }
  return { error, copy }
}

/** Every message of a channel: its state, when it starts, and what it came to. */
export function Messages() {
  const t = useText(messageTexts)
  const navigate = route.useNavigate()
  const { channel } = route.useParams() as { channel: ChannelName }
  const search = route.useSearch()
  const mayWrite = useMay('write')
  const [isCreating, setCreating] = useState(false)
  const rows = useMessageRows(channel, search)
  const { error, copy } = useCopy(channel)
  const set = (change: Partial<MessagesSearch>): void =>
    void navigate({ search: (before: MessagesSearch) => ({ ...before, ...change }), replace: true })
  const { q, phase, category, campaign } = search
  const isFiltered = [q, phase, category, campaign].some((one) => one !== undefined)
  const isWritable = CHANNELS[channel] !== undefined
  useCreateKey(() => mayWrite && isWritable && setCreating(true))
  const create = mayWrite && isWritable && <Button onClick={() => setCreating(true)}>{t(`new_${channel}`)}</Button>
  return (
    <Page
      title={t('messages')}
      action={(rows.total > 0 || isFiltered) && create}
      tabs={CHANNEL_NAMES.map((name) => ({
        label: t(name),
        to: `/messages/${name}`,
        isOpen: name === channel,
      }))}
    >
      {error !== null && <Problem error={error} />}
      <DataTable
        key={channel}
        name={`messages.${channel}`}
        label={t(channel)}
        rows={rows}
        columns={columnsOf(t, mayWrite ? (row) => void copy(row) : undefined)}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => (isWritable ? pathOf.message(channel, id) : undefined)}
        sort={readSort(search.sort, { by: 'creationDate', descending: true })}
        onSort={(next) => set({ sort: writeSort(next) })}
        isFiltered={isFiltered}
        tools={<Filters channel={channel} search={search} set={set} />}
        empty={
          isFiltered ? (
            <Empty title={t('noMatch')} />
          ) : (
            <Empty title={t(`empty_${channel}`)} action={create}>
              {t(`emptyWhy_${channel}`)}
            </Empty>
          )
        }
      />
      {isCreating && <NewMessage channel={channel} onClose={() => setCreating(false)} />}
    </Page>
  )
}
