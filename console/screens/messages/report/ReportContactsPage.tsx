import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { NotFoundPage } from '../../../components/layout/NotFoundPage.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { MESSAGE_CHANNELS } from '../channels.ts'
import { isMessageChannelName, type MessageChannelName } from '../names.ts'
import { useMessage } from '../use-message.ts'
import type { MessageChannelSpec } from '../write/channel.ts'
import { readReportContactSlice } from './report.ts'
import { reportTexts } from './texts.ts'
import { useReportLabels } from './words.ts'

const route = getRouteApi('/messages/$channel/$id/report/contacts')

function useContacts(channel: MessageChannelName, id: string) {
  const { of, days } = route.useSearch()
  return useInfiniteQuery({
    queryKey: ['report', 'contacts', channel, id, of, days ?? 0],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      readReportContactSlice(channel, id, { of, days, ...(pageParam !== undefined && { after: pageParam }) }, signal),
    getNextPageParam: ({ next }) => next,
  })
}

function ContactList({ channel, id }: { channel: MessageChannelSpec; id: string }) {
  const t = useTranslator(reportTexts)
  const { of, days } = route.useSearch()
  const listTitle = useReportLabels()(of)
  const message = useMessage(channel, id)
  const pages = useContacts(channel.name, id)
  const rows = pages.data?.pages.flatMap(({ items }) => items) ?? []
  const reportPath = `/messages/${channel.name}/${id}/report`
  const name = message.data?.data.name ?? ''
  return (
    <ScreenPage
      title={listTitle}
      parent={{
        label: name === '' ? t('report') : `${name} · ${t('report')}`,
        to: days ? `${reportPath}?days=${days}` : reportPath,
      }}
    >
      {pages.error && <ProblemAlert error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <LoadingSkeleton lines={[90, 80, 85, 90]} />}
      {pages.data && rows.length === 0 && <EmptyState title={t('noContacts')}>{t('noContactsWhy')}</EmptyState>}
      {rows.length > 0 && (
        <PlainTable label={listTitle}>
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
                  <FormattedTime at={at} />
                </td>
                <td>
                  <bdi>{detail}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </PlainTable>
      )}
      {pages.hasNextPage && (
        <div>
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </ScreenPage>
  )
}

/** The contacts behind a number of a report. */
export function ReportContactsPage() {
  const { channel: name, id } = route.useParams()
  const channel = isMessageChannelName(name) ? MESSAGE_CHANNELS[name] : undefined
  return channel === undefined ? <NotFoundPage /> : <ContactList channel={channel} id={id} />
}
