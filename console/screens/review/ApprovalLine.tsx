import { Button, Group, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay, useMe } from '../../api/me.ts'
import type { Answer } from '../../api/shapes.ts'
import { tell } from '../../frame/toasts.tsx'
import { Badge } from '../../parts/Badge.tsx'
import { Confirm } from '../../parts/Confirm.tsx'
import { ObjectLink } from '../../parts/ObjectLink.tsx'
import { Problem } from '../../parts/Problem.tsx'
import { Time } from '../../parts/Time.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'

type Approval = Answer<'/approvals', 'get'>[number]
type Decision = 'approve' | 'refuse'

function DecisionDialog({ approval, decision, onClose }: { approval: Approval; decision: Decision; onClose(): void }) {
  const t = useText(reviewTexts)
  const queries = useQueryClient()
  const [comment, setComment] = useState('')
  const { name } = approval.object
  return (
    <Confirm
      title={t(`${decision}Title`, { name })}
      action={t(decision)}
      isDangerous={decision === 'refuse'}
      onClose={onClose}
      onConfirm={async () => {
        const body = { decision, comment: comment.trim() || null }
        await data(api.POST('/approvals/{id}/decision', { params: { path: { id: approval.id } }, body }))
        tell(t(`${decision}Done`, { name }))
        await queries.invalidateQueries({ queryKey: ['approvals'] })
      }}
    >
      <p>
        {t(`${decision}Why`)}
        {decision === 'approve' && approval.audience !== null && ` ${t('audience', { count: approval.audience })}.`}
      </p>
      <Textarea
        label={t('comment')}
        data-autofocus
        autosize
        minRows={2}
        value={comment}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
    </Confirm>
  )
}

/** What the person may do with a request that waits: take one's own back, decide another's. */
function Choices({ approval }: { approval: Approval }) {
  const t = useText(reviewTexts)
  const queries = useQueryClient()
  const { person } = useMe()
  const maySend = useMay('send')
  const [decision, setDecision] = useState<Decision>()
  const takeBack = useAct(async () => {
    await data(api.DELETE('/approvals/{id}', { params: { path: { id: approval.id } } }))
    await queries.invalidateQueries({ queryKey: ['approvals'] })
  })
  if (approval.state !== 'waiting') return null
  if (approval.askedBy.id === person.id)
    return (
      <div>
        <Button variant="default" size="compact-sm" loading={takeBack.isBusy} onClick={() => void takeBack.run()}>
          {t('takeBack')}
        </Button>
        {takeBack.error !== null && <Problem error={takeBack.error} />}
      </div>
    )
  if (!maySend) return null
  return (
    <Group gap={8}>
      <Button size="compact-sm" onClick={() => setDecision('approve')}>
        {t('approve')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => setDecision('refuse')}>
        {t('refuse')}
      </Button>
      {decision && <DecisionDialog approval={approval} decision={decision} onClose={() => setDecision(undefined)} />}
    </Group>
  )
}

function Outcome({ approval: { decision, outcome } }: { approval: Approval }) {
  const t = useText(reviewTexts)
  if (!decision) return null
  return (
    <small>
      {t('decidedBy', { name: decision.by.name })} <Time at={decision.at} />
      {decision.comment && ` · “${decision.comment}”`}
      {outcome && ` · ${t(`outcome_${outcome}`)}`}
    </small>
  )
}

/** One request: of what, for how many, who asked and why. */
export function ApprovalLine({ approval }: { approval: Approval }) {
  const t = useText(reviewTexts)
  const { object, audience, comment, askedBy, askedAt, state, outcome } = approval
  const tone = { waiting: 'busy', approved: 'good', refused: 'bad', stale: 'warning' } as const
  return (
    <li className={styles['line']}>
      <div className={styles['what']}>
        <span className={styles['name']}>
          <ObjectLink type={object.type} id={object.id} name={object.name} />
          <Badge tone={outcome === 'failed' ? 'bad' : tone[state]} {...(state === 'stale' && { hint: t('staleWhy') })}>
            {t(state)}
          </Badge>
        </span>
        <small>
          {t(`type_${object.type}`)}
          {audience !== null && ` · ${t('audience', { count: audience })}`} · {t('askedBy', { name: askedBy.name })}{' '}
          <Time at={askedAt} />
        </small>
        {comment && <p className={styles['comment']}>{comment}</p>}
        <Outcome approval={approval} />
      </div>
      <Choices approval={approval} />
    </li>
  )
}
