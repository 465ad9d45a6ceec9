import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, paged } from '../../api/client.ts'
import { useMay } from '../../api/me.ts'
import { Empty } from '../../components/layout/Empty.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { useText } from '../../text/catalogue.ts'
import { ApprovalLine } from './ApprovalLine.tsx'
import { AskDialog } from './AskDialog.tsx'
import { readAsked } from './approval-calls.ts'
import { Lines } from './Lines.tsx'
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
      paged(api.GET('/approvals', { params: { query: { state, limit: PAGE, ...(after && { after }) } }, signal })),
    getNextPageParam: ({ next }) => next,
  })
}

function List({ state }: { state: State }) {
  const t = useText(reviewTexts)
  return (
    <Lines
      label={t('approvals')}
      read={useApprovals(state)}
      empty={<Empty title={t(`none_${state}`)}>{t('noneWhy')}</Empty>}
      line={(approval) => <ApprovalLine key={approval.id} approval={approval} />}
    />
  )
}

/** What waits for the word of somebody who may send, and what was decided. */
export function Approvals() {
  const t = useText(reviewTexts)
  const { state = 'waiting', ask } = route.useSearch()
  const navigate = route.useNavigate()
  const mayWrite = useMay('write')
  const open = (asked: string | undefined): void =>
    void navigate({ search: ({ ask: _, ...before }) => ({ ...before, ...(asked && { ask: asked }) }), replace: true })
  const tabs = TABS.map((one) => ({
    label: t(one),
    to: '/approvals',
    search: one === 'waiting' ? {} : { state: one },
    isOpen: one === state,
  }))
  return (
    <Page
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
      {mayWrite && ask !== undefined && <AskDialog object={readAsked(ask)} onClose={() => open(undefined)} />}
    </Page>
  )
}
