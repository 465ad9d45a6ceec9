import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, data } from '../../../api/client.ts'
import { Empty } from '../../../components/layout/Empty.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { Entry, type TimelineEntry } from './Entry.tsx'
import { MessageDialog } from './MessageDialog.tsx'
import styles from './Timeline.module.css'
import { contactPageTexts } from './texts.ts'

const route = getRouteApi('/contacts/$id')

/** Entries by their day, newest first. */
function byDay(entries: readonly TimelineEntry[], dayOf: (at: string) => string): [string, TimelineEntry[]][] {
  const days = new Map<string, TimelineEntry[]>()
  for (const entry of entries) {
    const day = dayOf(entry.at)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days]
}

/** Everything that was sent to a contact and done by it, on every channel, newest first. */
export function Timeline({ id }: { id: string }) {
  const t = useText(contactPageTexts)
  const format = useFormat()
  const { message } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (stamp: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, message: stamp }), replace: true })
  const pages = useInfiniteQuery({
    queryKey: ['contact', id, 'timeline'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === undefined ? {} : { before: pageParam }
      return data(api.GET('/targets/{id}/timeline', { params: { path: { id }, query }, signal }))
    },
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const entries = pages.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Panel title={t('timeline')}>
      {pages.error && <Problem error={pages.error} onRetry={() => void pages.refetch()} />}
      {pages.isPending && <Skeleton lines={[30, 90, 85, 70, 90]} />}
      {pages.data && entries.length === 0 && <Empty title={t('noEvents')}>{t('noEventsWhy')}</Empty>}
      {byDay(entries, format.date).map(([day, ofDay]) => (
        <section key={day} className={styles['day']}>
          <h3>{day}</h3>
          <ol>
            {ofDay.map((entry) => (
              <Entry key={entry.id} entry={entry} onShow={show} />
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
      {message !== undefined && <MessageDialog stamp={message} onClose={() => show(undefined)} />}
    </Panel>
  )
}
