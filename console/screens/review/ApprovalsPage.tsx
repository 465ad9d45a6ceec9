import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { apiClient, readPagedAnswer } from '../../api/client.ts'
import { useHasRight } from '../../api/me.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { ApprovalLine } from './ApprovalLine.tsx'
import type { ApprovalSearch } from './address.ts'
import { parseApprovalObject } from './approval-calls.ts'
import { PagedLines } from './PagedLines.tsx'
import { RequestApprovalDialog } from './RequestApprovalDialog.tsx'
import { reviewTexts } from './texts.ts'

const route = getRouteApi('/approvals')
const PAGE_SIZE = 50
const APPROVAL_STATES = ['waiting', 'approved', 'refused', 'stale'] as const

type ApprovalState = NonNullable<ApprovalSearch['state']>

function useApprovals(state: ApprovalState) {
  return useInfiniteQuery({
    queryKey: ['approvals', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after, signal }) =>
      readPagedAnswer(apiClient.listApprovals, { query: { state, limit: PAGE_SIZE, ...(after && { after }) }, signal }),
    getNextPageParam: ({ next }) => next,
  })
}

function ApprovalList({ state }: { state: ApprovalState }) {
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

/** Requests that wait for a user with the right to send, and past decisions. */
export function ApprovalsPage() {
  const t = useTranslator(reviewTexts)
  const { state = 'waiting', ask } = route.useSearch()
  const navigate = route.useNavigate()
  const canWrite = useHasRight('write')
  const openRequestDialog = (requestedObject: string | undefined): void =>
    void navigate({
      search: ({ ask: _, ...before }) => ({ ...before, ...(requestedObject && { ask: requestedObject }) }),
      replace: true,
    })
  const stateTabs = APPROVAL_STATES.map((tabState) => ({
    label: t(tabState),
    to: '/approvals',
    search: tabState === 'waiting' ? {} : { state: tabState },
    isOpen: tabState === state,
  }))
  return (
    <ScreenPage
      title={t('approvals')}
      tabs={stateTabs}
      action={
        canWrite && (
          <Button variant="default" onClick={() => openRequestDialog('any')}>
            {t('ask')}
          </Button>
        )
      }
    >
      <ApprovalList key={state} state={state} />
      {canWrite && ask !== undefined && (
        <RequestApprovalDialog object={parseApprovalObject(ask)} onClose={() => openRequestDialog(undefined)} />
      )}
    </ScreenPage>
  )
}
