import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { apiClient } from '../../api/client.ts'
import { useCurrentUser, useHasRight } from '../../api/me.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { type AsyncAction, useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { type ApiApproval, submitApprovalRequest, useReloadApprovals } from './approval-calls.ts'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'

function ActionButton({ label, act: { isBusy, error, run } }: { label: string; act: AsyncAction }) {
  return (
    <div>
      <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => void run()}>
        {label}
      </Button>
      {error !== null && <ProblemAlert error={error} />}
    </div>
  )
}

function WithdrawButton({ approval: { id, object } }: { approval: ApiApproval }) {
  const t = useTranslator(reviewTexts)
  const reloadApprovals = useReloadApprovals()
  const withdrawAction = useAsyncAction(async () => {
    await apiClient.withdrawApproval({ path: { id } })
    showToast(t('takenBack', { name: object.name }))
    await reloadApprovals()
  })
  return <ActionButton label={t('takeBack')} act={withdrawAction} />
}

/** For a stale or refused request: requests approval of the same object in its current version. */
function RequestAgainButton({ approval: { object, comment } }: { approval: ApiApproval }) {
  const t = useTranslator(reviewTexts)
  const reloadApprovals = useReloadApprovals()
  const requestAction = useAsyncAction(async () => {
    await submitApprovalRequest(object, comment)
    showToast(t('asked', { name: object.name }))
    await reloadApprovals()
  })
  return <ActionButton label={t('askAgain')} act={requestAction} />
}

/** Actions of the user on a request: withdraw one's own or request it again, or decide on that of another user. */
function ApprovalActions({ approval }: { approval: ApiApproval }) {
  const t = useTranslator(reviewTexts)
  const { person } = useCurrentUser()
  const [canSend, canWrite] = [useHasRight('send'), useHasRight('write')]
  const { state, askedBy } = approval
  const isOwnRequest = askedBy.id === person.id
  if (state === 'waiting') {
    if (isOwnRequest) return <WithdrawButton approval={approval} />
    return canSend ? (
      <Button size="compact-sm" component={Link} to={`/approvals/${approval.id}`}>
        {t('review')}
      </Button>
    ) : null
  }
  return isOwnRequest && canWrite && state !== 'approved' ? <RequestAgainButton approval={approval} /> : null
}

function DecisionOutcome({ approval: { decision, outcome } }: { approval: ApiApproval }) {
  const t = useTranslator(reviewTexts)
  if (!decision) return null
  return (
    <>
      <small>
        {t('decidedBy', { name: decision.by.name })} <FormattedTime at={decision.at} />
        {outcome && ` · ${t(`outcome_${outcome}`)}`}
      </small>
      {decision.comment && <p className={styles['comment']}>{decision.comment}</p>}
    </>
  )
}

/** For admins: what was changed since the request. */
function ChangesSinceLink({ approval: { state, object, askedAt } }: { approval: ApiApproval }) {
  const t = useTranslator(reviewTexts)
  const canRead = useHasRight('admin')
  if (state !== 'stale' || !canRead) return null
  return (
    <small>
      <Link to="/settings/audit" search={{ object: `${object.type}:${object.id}`, start: askedAt.slice(0, 10) }}>
        {t('changedSince')}
      </Link>
    </small>
  )
}

/** State of a request as its word. */
export function ApprovalStateBadge({ approval: { state, outcome } }: { approval: ApiApproval }) {
  const t = useTranslator(reviewTexts)
  const stateTone = { waiting: 'warning', approved: 'done', refused: 'bad', stale: 'neutral' } as const
  return (
    <StateBadge
      tone={outcome === 'failed' ? 'bad' : stateTone[state]}
      {...(state === 'stale' && { hint: t('staleWhy') })}
    >
      {t(`state_${state}`)}
    </StateBadge>
  )
}

/** One request: of what, for how many, who asked and why. */
export function ApprovalLine({ approval }: { approval: ApiApproval }) {
  const t = useTranslator(reviewTexts)
  const { id, object, audience, comment, askedBy, askedAt } = approval
  return (
    <li className={styles['line']}>
      <div className={styles['what']}>
        <span className={styles['name']}>
          <Link to="/approvals/$id" params={{ id }} className={styles['object']}>
            <bdi>{object.name}</bdi>
          </Link>
          <ApprovalStateBadge approval={approval} />
        </span>
        <small>
          {t(`type_${object.type}`)}
          {audience !== null && ` · ${t('audience', { count: audience })}`} · {t('askedBy', { name: askedBy.name })}{' '}
          <FormattedTime at={askedAt} />
        </small>
        {comment && <p className={styles['comment']}>{comment}</p>}
        <DecisionOutcome approval={approval} />
        <ChangesSinceLink approval={approval} />
      </div>
      <ApprovalActions approval={approval} />
    </li>
  )
}
