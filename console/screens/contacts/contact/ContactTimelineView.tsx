import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import styles from './ContactTimelineView.module.css'
import { SentMessageDialog } from './SentMessageDialog.tsx'
import { type ApiTimelineEntry, TimelineEntryLine } from './TimelineEntryLine.tsx'
import { contactPageTexts } from './texts.ts'

const route = getRouteApi('/contacts/$id')

/** Entries by their day, newest first. */
function byDay(entries: readonly ApiTimelineEntry[], dayOf: (at: string) => string): [string, ApiTimelineEntry[]][] {
  const days = new Map<string, ApiTimelineEntry[]>()
  for (const entry of entries) {
    const day = dayOf(entry.at)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

/** Everything that was sent to a contact and done by it, on every channel, newest first. */
export function ContactTimelineView({ id }: { id: string }) {
  const t = useTranslator(contactPageTexts)
  const format = useLocaleFormat()
  const { message } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (stamp: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, message: stamp }), replace: true })
  const pages = useInfiniteQuery({
    queryKey: ['contact', id, 'timeline'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === undefined ? {} : { before: pageParam }
      return readAnswer(apiClient.GET('/targets/{id}/timeline', { params: { path: { id }, query }, signal }))
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const entries = pages.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <PagePanel title={t('timeline')}>
      {pages.error && <ProblemAlert error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <LoadingSkeleton lines={[30, 90, 85, 70, 90]} />}
      {pages.data && entries.length === 0 && <EmptyState title={t('noEvents')}>{t('noEventsWhy')}</EmptyState>}
      {byDay(entries, format.date).map(([day, ofDay]) => (
        <section key={day} className={styles['day']}>
          <h3>{day}</h3>
          <ol>
            {ofDay.map((entry) => (
              <TimelineEntryLine key={entry.id} entry={entry} onShow={show} />
            ))}
          </ol>
        </section>
      ))}
      {pages.hasNextPage && (
        <div>
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('earlier')}
          </Button>
        </div>
      )}
      {message !== undefined && <SentMessageDialog stamp={message} onClose={() => show(undefined)} />}
    </PagePanel>
  )
}
