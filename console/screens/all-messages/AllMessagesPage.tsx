import { ActionIcon, Button, Menu, Select } from '@mantine/core'
import { IconBell, IconChevronDown, IconCopy, IconMail, IconMessage2, IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useHasRight } from '../../api/me.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import { DataTable } from '../../components/table/DataTable.tsx'
import { hasHeadAction, type TableRows, useArrayTableRows } from '../../components/table/rows.ts'
import { useAsyncAction } from '../../components/use-act.ts'
import { useCreateShortcut } from '../../layout/dialogs/keys.tsx'
import { showToast } from '../../layout/toasts.tsx'
import { objectPaths } from '../../paths.ts'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import { CampaignItemState } from '../campaigns/item-state.tsx'
import { duplicateMessage, MESSAGE_LISTERS, type MessageListRow } from '../messages/list/calls.ts'
import { NewMessageDialog } from '../messages/list/NewMessageDialog.tsx'
import {
  ACTION_PHASES,
  MESSAGE_CHANNEL_NAMES,
  type MessageChannelName,
  type MessagePhase,
  NOTIFICATION_PHASES,
} from '../messages/names.ts'
import styles from './AllMessagesPage.module.css'
import type { AllMessagesSearch } from './address.ts'
import type en from './en.ts'
import { type ChannelCursors, type ChannelPages, findNextCursors, mergeChannelPages } from './merge-channels.ts'
import { allMessagesTexts } from './texts.ts'

/** Rows from the end at which the next page is asked for. */
const PREFETCH_ROWS = 60
const CHANNEL_ICONS = { email: IconMail, sms: IconMessage2, rcs: IconMessages, notification: IconBell } as const

type MessagesKind = 'campaigns' | 'onDemand'
type ChannelMessageRow = MessageListRow & { channel: MessageChannelName }

/** Channels that can have a state: a push is active or not, all others go from draft to sent. */
const hasPhase = (channel: MessageChannelName, phase: MessagePhase | undefined): boolean =>
  phase === undefined || (NOTIFICATION_PHASES as readonly string[]).includes(phase) === (channel === 'notification')

function useAllMessageRows(kind: MessagesKind, search: AllMessagesSearch): TableRows<ChannelMessageRow> {
  const channels = MESSAGE_CHANNEL_NAMES.filter(
    (name) => (search.channel ?? name) === name && hasPhase(name, search.phase),
  )
  const { q, phase } = search
  const query = useInfiniteQuery({
    queryKey: ['messages', 'all', search],
    initialPageParam: undefined as ChannelCursors | undefined,
    queryFn: async ({ pageParam: cursors, signal }): Promise<ChannelPages<MessageListRow>> => {
      const requested = channels.filter((name) => cursors === undefined || name in cursors)
      const pages = await Promise.all(
        requested.map(async (name) => {
          const page = await MESSAGE_LISTERS[name]({ q, phase, after: cursors?.[name] }, signal)
          return [name, page] as const
        }),
      )
      return Object.fromEntries(pages)
    },
    getNextPageParam: findNextCursors,
  })
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const items = useMemo(
    () => data && mergeChannelPages(data.pages).filter(({ isCampaign }) => isCampaign === (kind === 'campaigns')),
    [data, kind],
  )
  const rows = useArrayTableRows<ChannelMessageRow>({ ...query, data: items })
  return {
    ...rows,
    isExact: !hasNextPage,
    see: (_, last) => {
      if (hasNextPage && !isFetchingNextPage && last > rows.total - PREFETCH_ROWS) void fetchNextPage()
    },
  }
}

const createFigureColumn = (
  key: string,
  header: string,
  of: (report: NonNullable<ChannelMessageRow['report']>) => number,
): TableColumn<ChannelMessageRow> => ({
  key,
  header,
  width: 92,
  align: 'end',
  cell: ({ report }) => report && <FormattedNumber value={of(report)} />,
})

function createColumns(t: Translator<typeof en>, kind: MessagesKind): TableColumn<ChannelMessageRow>[] {
  return [
    {
      key: 'name',
      header: t('name'),
      width: 240,
      grow: 4,
      cell: ({ channel, name }) => {
        const ChannelIcon = CHANNEL_ICONS[channel]
        return (
          <span className={styles['name']}>
            <ChannelIcon size={16} stroke={1.6} role="img" aria-label={t(channel)} />
            <bdi>{name}</bdi>
          </span>
        )
      },
    },
    {
      key: 'state',
      header: t('state'),
      width: 124,
      cell: ({ state, active }) => <CampaignItemState item={{ state, active, paused: false }} />,
    },
    ...(kind === 'campaigns'
      ? [
          {
            key: 'start',
            header: t('start'),
            width: 172,
            cell: ({ startDate }: ChannelMessageRow) => startDate && <FormattedTime at={startDate} as="moment" />,
          },
        ]
      : []),
    createFigureColumn('sent', t('sent'), ({ sent: sentCount }) => sentCount),
    createFigureColumn('opened', t('opened'), ({ opens }) => opens.human),
    createFigureColumn('clicked', t('clicked'), ({ clicks }) => clicks.human),
    {
      key: 'created',
      header: t('created'),
      width: 124,
      cell: ({ creationDate }) => <FormattedTime at={creationDate} />,
    },
  ]
}

/** Button at the end of a row that copies the message and opens the copy. */
function DuplicateButton({ row: { id, name, channel } }: { row: ChannelMessageRow }) {
  const t = useTranslator(allMessagesTexts)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { error, isBusy, run } = useAsyncAction(async () => {
    const copy = await duplicateMessage(channel, String(id))
    showToast(t('copied', { name: copy.name }))
    await queryClient.invalidateQueries({ queryKey: ['messages'] })
    await navigate({ to: objectPaths.message(channel, copy.id) })
  })
  const label = t('duplicate', { name })
  return (
    <>
      <ActionIcon aria-label={label} title={label} loading={isBusy} onClick={() => void run()}>
        <IconCopy size={15} />
      </ActionIcon>
      {error !== null && <ProblemAlert error={error} />}
    </>
  )
}

/** Begins an email with one press; the arrow beside it offers the other channels. */
function NewMessageButton({ label, onChoose }: { label: string; onChoose(channel: MessageChannelName): void }) {
  const t = useTranslator(allMessagesTexts)
  return (
    <Button.Group>
      <Button onClick={() => onChoose('email')}>{label}</Button>
      <Menu width={180}>
        <Menu.Target>
          <Button px={8} aria-label={t('otherChannels')} className={styles['more']}>
            <IconChevronDown size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {MESSAGE_CHANNEL_NAMES.map((channel) => {
            const ChannelIcon = CHANNEL_ICONS[channel]
            return (
              <Menu.Item
                key={channel}
                leftSection={<ChannelIcon size={16} aria-hidden />}
                onClick={() => onChoose(channel)}
              >
                {t(channel)}
              </Menu.Item>
            )
          })}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}

function MessageListFilters({
  search,
  onChange,
}: {
  search: AllMessagesSearch
  onChange(change: AllMessagesSearch): void
}) {
  const t = useTranslator(allMessagesTexts)
  return (
    <>
      <SearchField label={t('search')} value={search.q ?? ''} onChange={(q) => onChange({ q: q || undefined })} />
      <Select
        size="xs"
        w={150}
        clearable
        aria-label={t('channel')}
        placeholder={t('allChannels')}
        data={MESSAGE_CHANNEL_NAMES.map((value) => ({ value, label: t(value) }))}
        value={search.channel ?? null}
        onChange={(value) => onChange({ channel: (value ?? undefined) as MessageChannelName | undefined })}
      />
      <Select
        size="xs"
        w={150}
        clearable
        aria-label={t('state')}
        placeholder={t('state')}
        data={[...ACTION_PHASES, ...NOTIFICATION_PHASES].map((value) => ({ value, label: t(`phase_${value}`) }))}
        value={search.phase ?? null}
        onChange={(value) => onChange({ phase: (value ?? undefined) as MessagePhase | undefined })}
      />
    </>
  )
}

function AllMessagesPage({ kind, path }: { kind: MessagesKind; path: '/messages' | '/messages/on-demand' }) {
  const t = useTranslator(allMessagesTexts)
  const navigate = useNavigate()
  const search = useSearch({ from: path })
  const canWrite = useHasRight('write')
  const [newChannel, setNewChannel] = useState<MessageChannelName>()
  const rows = useAllMessageRows(kind, search)
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  const changeSearch = (change: AllMessagesSearch): void =>
    void navigate({ to: path, search: { ...search, ...change }, replace: true })
  useCreateShortcut(() => setNewChannel(search.channel ?? 'email'), canWrite)
  const createButton = canWrite && (
    <NewMessageButton label={t(kind === 'campaigns' ? 'newCampaign' : 'newOnDemand')} onChoose={setNewChannel} />
  )
  const columns = createColumns(t, kind)
  return (
    <ScreenPage title={t(kind)} action={hasHeadAction(rows, isFiltered) && createButton}>
      <DataTable
        key={kind}
        name={`messages.all.${kind}`}
        label={t(kind)}
        rows={rows}
        columns={columns}
        cards={{ state: 'state', figures: ['sent', 'opened'] }}
        keyOf={({ channel, id }) => `${channel} ${id}`}
        linkOf={({ channel, id }) => objectPaths.message(channel, id)}
        {...(canWrite && { rowActions: (row: ChannelMessageRow) => <DuplicateButton row={row} /> })}
        isFiltered={isFiltered}
        tools={<MessageListFilters search={search} onChange={changeSearch} />}
        empty={
          isFiltered ? (
            <EmptyState title={t('noMatch')} />
          ) : (
            <EmptyState title={t(`${kind}Empty`)} action={createButton}>
              {t(`${kind}EmptyWhy`)}
            </EmptyState>
          )
        }
      />
      {newChannel && <NewMessageDialog channel={newChannel} onClose={() => setNewChannel(undefined)} />}
    </ScreenPage>
  )
}

/** Every message to many, of all channels. */
export function CampaignListPage() {
  return <AllMessagesPage kind="campaigns" path="/messages" />
}

/** Every message that a program or a workflow sends to one contact, of all channels. */
export function OnDemandMessagesPage() {
  return <AllMessagesPage kind="onDemand" path="/messages/on-demand" />
}
