import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, data } from '../../api/client.ts'
import { Empty } from '../../parts/Empty.tsx'
import { Page } from '../../parts/Page.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { ApprovalLine } from './ApprovalLine.tsx'
import styles from './Review.module.css'
import type { ApprovalSearch } from './routes.ts'
import { reviewTexts } from './texts.ts'

const route = getRouteApi('/approvals')
const PAGE = 50
const TABS = ['waiting', 'approved', 'refused', 'stale'] as const

function useApprovals(state: NonNullable<ApprovalSearch['state']>) {
  return useInfiniteQuery({
    queryKey: ['approvals', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      data(api.GET('/approvals', { params: { query: { state, limit: PAGE, ...(after && { after }) } }, signal })),
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
  })
}

function List({ state }: { state: NonNullable<ApprovalSearch['state']> }) {
  const t = useText(reviewTexts)
  const read = useApprovals(state)
  if (read.error) return <Problem error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <Skeleton />
  const approvals = read.data.pages.flat()
  if (approvals.length === 0) return <Empty title={t(`none_${state}`)}>{t('noneWhy')}</Empty>
  return (
    <>
      <ul className={styles['lines']} aria-label={t('approvals')}>
        {approvals.map((approval) => (
          <ApprovalLine key={approval.id} approval={approval} />
        ))}
      </ul>
      {read.hasNextPage && (
        <Button variant="default" loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}

/** What waits for the word of somebody who may send, and what was decided. */
export function Approvals() {
  const t = useText(reviewTexts)
  const { state = 'waiting' } = route.useSearch()
  const tabs = TABS.map((one) => ({
    label: t(one),
    to: '/approvals',
    search: one === 'waiting' ? {} : { state: one },
    isOpen: one === state,
  }))
  return (
    <Page title={t('approvals')} tabs={tabs}>
      <List key={state} state={state} />
    </Page>
  )
}
