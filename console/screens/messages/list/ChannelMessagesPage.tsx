import { ActionIcon, Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useHasRight } from '../../../api/me.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../../components/layout/ScreenPage.tsx'
import type { TableColumn } from '../../../components/table/columns.tsx'
import { DataTable } from '../../../components/table/DataTable.tsx'
import { formatTableSort, parseTableSort, type TableRows, useArrayTableRows } from '../../../components/table/rows.ts'
import { useCreateShortcut } from '../../../layout/dialogs/keys.tsx'
import { showToast } from '../../../layout/toasts.tsx'
import { objectPaths } from '../../../paths.ts'
import { type Translator, useTranslator } from '../../../text/catalogue.ts'
import { CampaignItemState } from '../../campaigns/item-state.tsx'
import type { MessagesSearch } from '../address.ts'
import { MESSAGE_CHANNELS } from '../channels.ts'
import type en from '../en.ts'
import { MESSAGE_CHANNEL_NAMES, type MessageChannelName } from '../names.ts'
import { messageTexts } from '../texts.ts'
import { duplicateMessage, MESSAGE_LISTERS, type MessageListRow } from './calls.ts'
import { MessageFilters } from './MessageFilters.tsx'
import { NewMessageDialog } from './NewMessageDialog.tsx'

const route = getRouteApi('/messages/$channel')

/** Rows from the end at which the next page is asked for. */
const PREFETCH_ROWS = 60

type MessageReport = NonNullable<MessageListRow['report']>

const createFigureColumn = (
  key: string,
  header: string,
  of: (report: MessageReport) => number | null,
): TableColumn<MessageListRow> => ({
  key,
  header,
  width: 84,
  align: 'end',
  cell: ({ report }) => {
    const value = report && of(report)
    return value === undefined || value === null ? null : <FormattedNumber value={value} />
  },
})

function createColumns(
  t: Translator<typeof en>,
  copy: ((row: MessageListRow) => void) | undefined,
): TableColumn<MessageListRow>[] {
  return [
    { key: 'name', header: t('name'), cell: ({ name }) => <bdi>{name}</bdi>, width: 200, grow: 3, sort: 'name' },
    {
      key: 'state',
      header: t('state'),
      width: 116,
      sort: 'state',
      cell: ({ state, active }) => <CampaignItemState item={{ state, active, paused: false }} />,
    },
    {
      key: 'kind',
      header: t('kind'),
      width: 104,
      cell: ({ isCampaign }) => t(isCampaign ? 'kindCampaign' : 'kindMessage'),
    },
    {
      key: 'start',
      header: t('start'),
      width: 132,
      cell: ({ startDate }) => startDate && <FormattedTime at={startDate} as="moment" />,
    },
    createFigureColumn('sent', t('sent'), ({ sent: sentCount }) => sentCount),
    createFigureColumn('opens', t('opens'), ({ opens }) => opens.human),
    createFigureColumn('clicks', t('clicks'), ({ clicks }) => clicks.human),
    { ...createFigureColumn('unsubscribes', t('unsubscribes'), ({ unsubscribes }) => unsubscribes), isExtra: true },
    { ...createFigureColumn('bounces', t('bounces'), ({ bounces }) => bounces), isExtra: true },
    { ...createFigureColumn('pending', t('pending'), ({ pending }) => pending), isExtra: true },
    {
      key: 'created',
      header: t('created'),
      width: 124,
      sort: 'creationDate',
      cell: ({ creationDate }) => <FormattedTime at={creationDate} />,
    },
    ...(copy
      ? [
          {
            key: 'copy',
            header: t('copy'),
            width: 72,
            grow: 0,
            cell: (row: MessageListRow) => (
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
function useMessageRows(channel: MessageChannelName, search: MessagesSearch): TableRows<MessageListRow> {
  const pages = useInfiniteQuery({
    queryKey: ['messages', channel, search],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) => MESSAGE_LISTERS[channel]({ ...search, after }, signal),
    getNextPageParam: ({ next }) => next,
  })
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = pages
  const items = useMemo(() => data?.pages.flatMap((page) => page.items), [data])
  const rows = useArrayTableRows<MessageListRow>({ ...pages, data: items })
  return {
    ...rows,
    isExact: !hasNextPage,
    see: (_, last) => {
      if (hasNextPage && !isFetchingNextPage && last > rows.total - PREFETCH_ROWS) void fetchNextPage()
    },
  }
}

/** Copies a message and opens the copy. */
function useMessageCopy(channel: MessageChannelName) {
  const t = useTranslator(messageTexts)
  const queryClient = useQueryClient()
  const navigate = route.useNavigate()
  const [error, setError] = useState<unknown>(null)
  const copyMessage = async ({ id }: MessageListRow): Promise<void> => {
    setError(null)
    try {
      const createdMessage = await duplicateMessage(channel, String(id))
      showToast(t('duplicated', { name: createdMessage.name }))
      await queryClient.invalidateQueries({ queryKey: ['messages', channel] })
      if (channel in MESSAGE_CHANNELS) await navigate({ to: objectPaths.message(channel, createdMessage.id) })
    } catch (caughtError) {
      setError(caughtError)
    }
  }
  return { error, copy: copyMessage }
}

/** Every message of a channel: its state, when it starts, and what it came to. */
export function ChannelMessagesPage() {
  const t = useTranslator(messageTexts)
  const navigate = route.useNavigate()
  const { channel } = route.useParams() as { channel: MessageChannelName }
  const search = route.useSearch()
  const canWrite = useHasRight('write')
  const [isCreating, setCreating] = useState(false)
  const rows = useMessageRows(channel, search)
  const { error, copy } = useMessageCopy(channel)
  const changeSearch = (change: Partial<MessagesSearch>): void =>
    void navigate({ search: (before: MessagesSearch) => ({ ...before, ...change }), replace: true })
  const { q, phase, category, campaign } = search
  const isFiltered = [q, phase, category, campaign].some((filterValue) => filterValue !== undefined)
  const isWritable = MESSAGE_CHANNELS[channel] !== undefined
  useCreateShortcut(() => canWrite && isWritable && setCreating(true))
  const newMessageButton = canWrite && isWritable && (
    <Button onClick={() => setCreating(true)}>{t(`new_${channel}`)}</Button>
  )
  return (
    <ScreenPage
      title={t('messages')}
      action={(rows.total > 0 || isFiltered) && newMessageButton}
      tabs={MESSAGE_CHANNEL_NAMES.map((name) => ({
        label: t(name),
        to: `/messages/${name}`,
        isOpen: name === channel,
      }))}
    >
      {error !== null && <ProblemAlert error={error} />}
      <DataTable
        key={channel}
        name={`messages.${channel}`}
        label={t(channel)}
        rows={rows}
        columns={createColumns(t, canWrite ? (row) => void copy(row) : undefined)}
        keyOf={({ id }) => String(id)}
        linkOf={({ id }) => (isWritable ? objectPaths.message(channel, id) : undefined)}
        sort={parseTableSort(search.sort, { by: 'creationDate', descending: true })}
        onSort={(next) => changeSearch({ sort: formatTableSort(next) })}
        isFiltered={isFiltered}
        tools={<MessageFilters channel={channel} search={search} set={changeSearch} />}
        empty={
          isFiltered ? (
            <EmptyState title={t('noMatch')} />
          ) : (
            <EmptyState title={t(`empty_${channel}`)} action={newMessageButton}>
              {t(`emptyWhy_${channel}`)}
            </EmptyState>
          )
        }
      />
      {isCreating && <NewMessageDialog channel={channel} onClose={() => setCreating(false)} />}
    </ScreenPage>
  )
}
