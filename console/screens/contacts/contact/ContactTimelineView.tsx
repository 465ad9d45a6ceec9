import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient } from '../../../api/client.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import styles from './ContactTimelineView.module.css'
import type { ApiTimelineEntry } from './events.ts'
import { SentMessageDialog } from './SentMessageDialog.tsx'
import { TimelineEntryLine } from './TimelineEntryLine.tsx'
import { contactPageTexts } from './texts.ts'

const route = getRouteApi('/contacts/$id')

/** Entries by their day, newest first. */
function groupByDay(
  entries: readonly ApiTimelineEntry[],
  dayOf: (at: string) => string,
): [string, ApiTimelineEntry[]][] {
  const entriesByDay = new Map<string, ApiTimelineEntry[]>()
  for (const entry of entries) {
    const entryDay = dayOf(entry.at)
    entriesByDay.set(entryDay, [...(entriesByDay.get(entryDay) ?? []), entry])
  }
  return [...entriesByDay]
}

/** Everything that was sent to a contact and done by it, on every channel, newest first. */
export function ContactTimelineView({ id }: { id: string }) {
  const t = useTranslator(contactPageTexts)
  const format = useLocaleFormat()
  const { message } = route.useSearch()
  const navigate = route.useNavigate()
  const showMessage = (stamp: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, message: stamp }), replace: true })
  const timelineQuery = useInfiniteQuery({
    queryKey: ['contact', id, 'timeline'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === undefined ? {} : { before: pageParam }
      return apiClient.listTargetTimeline({ path: { id }, query, signal })
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const entries = timelineQuery.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <PagePanel title={t('timeline')}>
      {timelineQuery.error && <ProblemAlert error={timelineQuery.error} onRetry={() => void timelineQuery.refetch()} />}
      {timelineQuery.isPending && <LoadingSkeleton lines={[30, 90, 85, 70, 90]} />}
      {timelineQuery.data && entries.length === 0 && <EmptyState title={t('noEvents')}>{t('noEventsWhy')}</EmptyState>}
      {groupByDay(entries, format.date).map(([day, ofDay]) => (
        <section key={day} className={styles['day']}>
          <h3>{day}</h3>
          <ol>
            {ofDay.map((entry) => (
              <TimelineEntryLine key={entry.id} entry={entry} onShow={showMessage} />
            ))}
          </ol>
        </section>
      ))}
      {timelineQuery.hasNextPage && (
        <div>
          <Button
            variant="default"
            loading={timelineQuery.isFetchingNextPage}
            onClick={() => void timelineQuery.fetchNextPage()}
          >
            {t('earlier')}
          </Button>
        </div>
      )}
      {message !== undefined && <SentMessageDialog stamp={message} onClose={() => showMessage(undefined)} />}
    </PagePanel>
  )
}
