import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Empty } from '../../../components/layout/Empty.tsx'
import { Missing } from '../../../components/layout/Missing.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Sheet } from '../../../components/layout/Sheet.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import { CHANNELS } from '../channels.ts'
import { type ChannelName, isChannelName } from '../names.ts'
import { useMessage } from '../use-message.ts'
import type { Channel } from '../write/channel.ts'
import { readContacts } from './report.ts'
import { reportTexts } from './texts.ts'
import { useWords } from './words.ts'

const route = getRouteApi('/messages/$channel/$id/report/contacts')

function useContacts(channel: ChannelName, id: string) {
  const { of, days } = route.useSearch()
  return useInfiniteQuery({
    queryKey: ['report', 'contacts', channel, id, of, days ?? 0],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      readContacts(channel, id, { of, days, ...(pageParam !== undefined && { after: pageParam }) }, signal),
    getNextPageParam: ({ next }) => next,
  })
}

function List({ channel, id }: { channel: Channel; id: string }) {
  const t = useText(reportTexts)
  const { of, days } = route.useSearch()
  const words = useWords()(of)
  const message = useMessage(channel, id)
  const pages = useContacts(channel.name, id)
  const rows = pages.data?.pages.flatMap(({ items }) => items) ?? []
  const to = `/messages/${channel.name}/${id}/report`
  const name = message.data?.data.name ?? ''
  return (
    <Page
      title={words}
      parent={{ label: name === '' ? t('report') : `${name} · ${t('report')}`, to: days ? `${to}?days=${days}` : to }}
    >
      {pages.error && <Problem error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <Skeleton lines={[90, 80, 85, 90]} />}
      {pages.data && rows.length === 0 && <Empty title={t('noContacts')}>{t('noContactsWhy')}</Empty>}
      {rows.length > 0 && (
        <Sheet label={words}>
          <thead>
            <tr>
              <th scope="col">{t('contact')}</th>
              <th scope="col">{t('time')}</th>
              <th scope="col">{t('detail')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id: contact, address, stamp, at, detail }) => (
              <tr key={`${contact} ${stamp} ${at} ${detail}`}>
                <th scope="row">
                  {contact === null ? (
                    <bdi>{address ?? t('erased')}</bdi>
                  ) : (
                    <Link to="/contacts/$id" params={{ id: contact }}>
                      <bdi>{address ?? contact}</bdi>
                    </Link>
                  )}
                </th>
                <td>
                  <Time at={at} />
                </td>
                <td>
                  <bdi>{detail}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </Sheet>
      )}
      {pages.hasNextPage && (
        <div>
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </Page>
  )
}

/** The contacts behind a number of a report. */
export function ReportContacts() {
  const { channel: name, id } = route.useParams()
  const channel = isChannelName(name) ? CHANNELS[name] : undefined
  return channel === undefined ? <Missing /> : <List channel={channel} id={id} />
}
