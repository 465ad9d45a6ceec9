import { Button } from '@mantine/core'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { useCurrentUser, useHasRight } from '../../api/me.ts'
import type { StoredDocument } from '../../components/form/use-form.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { useObjectPath } from '../../layout/bar/objects.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type { ApiAction } from '../messages/action.ts'
import { MESSAGE_CHANNELS } from '../messages/channels.ts'
import type { EditedMessage, MessageChannelSpec } from '../messages/write/channel.ts'
import { ApprovalFacts } from './ApprovalFacts.tsx'
import { ApprovalStateBadge } from './ApprovalLine.tsx'
import { type ApiApproval, useReloadApprovals } from './approval-calls.ts'
import { RefuseDialog } from './RefuseDialog.tsx'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'
import { useDepartureLabel } from './use-departure.ts'

const route = getRouteApi('/approvals/$id')

/** A message with its channel. */
interface ReviewedMessage {
  channel: MessageChannelSpec
  message: EditedMessage
}

/** Message of an approval; undefined for a workflow, which is looked at on its own page. */
function useReviewedMessage({ object: { type, id } }: ApiApproval): UseQueryResult<ReviewedMessage | null> {
  return useQuery({
    queryKey: ['reviewed', type, id],
    queryFn: async ({ signal }): Promise<ReviewedMessage | null> => {
      if (type === 'workflow') return null
      const read = async (name: 'email' | 'sms' | 'rcs' | 'notification'): Promise<ReviewedMessage | null> => {
        const channel = MESSAGE_CHANNELS[name]
        if (!channel) return null
        const { data }: StoredDocument<EditedMessage> = await channel.kind.read(String(id), { signal })
        return { channel, message: data }
      }
      if (type !== 'action') return read(type)
      const email = await read('email')
      return (email?.message as unknown as ApiAction | undefined)?.type.startsWith('sms') ? read('sms') : email
    },
  })
}

function DecisionFoot({ approval, reviewed }: { approval: ApiApproval; reviewed: ReviewedMessage | null }) {
  const t = useTranslator(reviewTexts)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const reloadApprovals = useReloadApprovals()
  const [isRefusing, setRefusing] = useState(false)
  const departure = useDepartureLabel(reviewed?.channel, reviewed?.message)
  const { id, object } = approval
  const approveAction = useAsyncAction(async () => {
    try {
      await apiClient.decideApproval({ path: { id }, body: { decision: 'approve', comment: null } })
    } catch (error) {
      // A refused decision may mean that the message has changed: its new state shows then.
      await queryClient.invalidateQueries({ queryKey: ['approvals'] })
      throw error
    }
    showToast(t('approveDone', { name: object.name }))
    await reloadApprovals()
    await navigate({ to: '/approvals' })
  })
  return (
    <footer className={styles['foot']}>
      {approveAction.error !== null && <ProblemAlert error={approveAction.error} />}
      <div>
        <Button loading={approveAction.isBusy} onClick={() => void approveAction.run()}>
          {departure === '' ? t('approve') : t('approveGoes', { when: departure })}
        </Button>
        <Button variant="default" onClick={() => setRefusing(true)}>
          {t('refuseAsk')}
        </Button>
      </div>
      {isRefusing && <RefuseDialog approval={approval} onClose={() => setRefusing(false)} />}
    </footer>
  )
}

/** Message as readers get it. */
function ReviewedPreview({
  approval: { object },
  reviewed,
}: {
  approval: ApiApproval
  reviewed: ReviewedMessage | null
}) {
  const t = useTranslator(reviewTexts)
  const objectPath = useObjectPath()(object.type, object.id)
  if (reviewed) {
    const { Preview } = reviewed.channel
    return <Preview value={reviewed.message} />
  }
  return (
    <EmptyState
      title={object.name}
      action={
        objectPath && (
          <Button variant="default" component={Link} to={objectPath}>
            {t('openWorkflow')}
          </Button>
        )
      }
    >
      {t('workflowWhy')}
    </EmptyState>
  )
}

function LoadedApproval({ approval }: { approval: ApiApproval }) {
  const t = useTranslator(reviewTexts)
  const { person } = useCurrentUser()
  const canSend = useHasRight('send')
  const reviewedQuery = useReviewedMessage(approval)
  const { object, askedBy, state } = approval
  const canDecide = canSend && state === 'waiting' && askedBy.id !== person.id
  return (
    <ScreenPage
      title={object.name}
      parent={{ label: t('approvals'), to: '/approvals' }}
      badge={<ApprovalStateBadge approval={approval} />}
    >
      <div className={styles['review']}>
        <section className={styles['preview']} aria-label={t('asSent')}>
          {reviewedQuery.error && (
            <ProblemAlert error={reviewedQuery.error} onRetry={() => void reviewedQuery.refetch()} />
          )}
          {reviewedQuery.isPending && <LoadingSkeleton lines={[40, 100, 90, 95, 70]} />}
          {reviewedQuery.data !== undefined && <ReviewedPreview approval={approval} reviewed={reviewedQuery.data} />}
        </section>
        <ApprovalFacts approval={approval} {...(reviewedQuery.data ?? {})} />
      </div>
      {canDecide && reviewedQuery.data !== undefined && (
        <DecisionFoot approval={approval} reviewed={reviewedQuery.data} />
      )}
    </ScreenPage>
  )
}

/** One request: the message as it is sent, what there is to know about it, and the decision. */
export function ApprovalPage() {
  const t = useTranslator(reviewTexts)
  const { id } = route.useParams()
  const approvalQuery = useQuery({
    queryKey: ['approvals', 'one', id],
    queryFn: ({ signal }) => apiClient.getApproval({ path: { id }, signal }),
  })
  if (approvalQuery.data) return <LoadedApproval key={id} approval={approvalQuery.data} />
  return (
    <ScreenPage title={t('approval')} parent={{ label: t('approvals'), to: '/approvals' }}>
      {approvalQuery.error ? (
        <ProblemAlert error={approvalQuery.error} onRetry={() => void approvalQuery.refetch()} />
      ) : (
        <LoadingSkeleton lines={[40, 100, 90, 95, 70]} />
      )}
    </ScreenPage>
  )
}
