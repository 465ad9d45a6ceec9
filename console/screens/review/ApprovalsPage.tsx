import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient, readPagedAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { ApprovalLine } from './ApprovalLine.tsx'
import { parseApprovalObject } from './approval-calls.ts'
import { PagedLines } from './PagedLines.tsx'
import { RequestApprovalDialog } from './RequestApprovalDialog.tsx'
import type { ApprovalSearch } from './routes.ts'
import { reviewTexts } from './texts.ts'

const route = getRouteApi('/approvals')
const PAGE = 50
const TABS = ['waiting', 'approved', 'refused', 'stale'] as const

type State = NonNullable<ApprovalSearch['state']>

function useApprovals(state: State) {
  return useInfiniteQuery({
    queryKey: ['approvals', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      readPagedAnswer(
        apiClient.GET('/approvals', { params: { query: { state, limit: PAGE, ...(after && { after }) } }, signal }),
      ),
    getNextPageParam: ({ next }) => next,
  })
}

function List({ state }: { state: State }) {
  const t = useTranslator(reviewTexts)
  return (
    <PagedLines
      label={t('approvals')}
      read={useApprovals(state)}
      empty={<EmptyState title={t(`none_${state}`)}>{t('noneWhy')}</EmptyState>}
      line={(approval) => <ApprovalLine key={approval.id} approval={approval} />}
    />
  )
}

/** What waits for the word of somebody who may send, and what was decided. */
export function ApprovalsPage() {
  const t = useTranslator(reviewTexts)
  const { state = 'waiting', ask } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useHasRight('write')
  const open = (asked: string | undefined): void =>
    void navigate({ search: ({ ask: _, ...before }) => ({ ...before, ...(asked && { ask: asked }) }), replace: true })
  const tabs = TABS.map((one) => ({
    label: t(one),
    to: '/approvals',
    search: one === 'waiting' ? {} : { state: one },
    isOpen: one === state,
  }))
  return (
    <ScreenPage
      title={t('approvals')}
      tabs={tabs}
      action={
        mayWrite && (
          <Button variant="default" onClick={() => open('any')}>
            {t('ask')}
          </Button>
        )
      }
    >
      <List key={state} state={state} />
      {mayWrite && ask !== undefined && (
        <RequestApprovalDialog object={parseApprovalObject(ask)} onClose={() => open(undefined)} />
      )}
    </ScreenPage>
  )
}
