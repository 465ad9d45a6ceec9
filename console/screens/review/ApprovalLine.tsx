import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { useMay, useMe } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { Time } from '../../components/Time.tsx'
import { type Act, useAct } from '../../components/use-act.ts'
import { tell } from '../../layout/toasts.tsx'
import { useText } from '../../text/catalogue.ts'
import { type Approval, ask, useReadAnew } from './approval-calls.ts'
import { type Decision, DecisionDialog } from './DecisionDialog.tsx'
import styles from './Review.module.css'
import { reviewTexts } from './texts.ts'

/** How much of a version is shown: it tells two apart, and is whole on hover. */
const VERSION_DIGITS = 8

function OneAct({ label, act: { isBusy, error, run } }: { label: string; act: Act }) {
  return (
    <div>
      <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => void run()}>
        {label}
      </Button>
      {error !== null && <Problem error={error} />}
    </div>
  )
}

function TakeBack({ approval: { id, object } }: { approval: Approval }) {
  const t = useText(reviewTexts)
  const readAnew = useReadAnew()
  const act = useAct(async () => {
    await data(api.DELETE('/approvals/{id}', { params: { path: { id } } }))
    tell(t('takenBack', { name: object.name }))
    await readAnew()
  })
  return <OneAct label={t('takeBack')} act={act} />
}

/** Of one that is stale or refused: the same is asked for, as it is now. */
function AskAgain({ approval: { object, comment } }: { approval: Approval }) {
  const t = useText(reviewTexts)
  const readAnew = useReadAnew()
  const act = useAct(async () => {
    await ask(object, comment)
    tell(t('asked', { name: object.name }))
    await readAnew()
  })
  return <OneAct label={t('askAgain')} act={act} />
}

function Decide({ approval }: { approval: Approval }) {
  const t = useText(reviewTexts)
  const [decision, setDecision] = useState<Decision>()
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

/** What the person may do with a request: take one's own back or ask for it again, decide another's. */
function Choices({ approval }: { approval: Approval }) {
  const { person } = useMe()
  const [maySend, mayWrite] = [useMay('send'), useMay('write')]
  const { state, askedBy } = approval
  const isOwn = askedBy.id === person.id
  if (state === 'waiting') {
    if (isOwn) return <TakeBack approval={approval} />
    return maySend ? <Decide approval={approval} /> : null
  }
  return isOwn && mayWrite && state !== 'approved' ? <AskAgain approval={approval} /> : null
}

function Outcome({ approval: { decision, outcome } }: { approval: Approval }) {
  const t = useText(reviewTexts)
  if (!decision) return null
  return (
    <>
      <small>
        {t('decidedBy', { name: decision.by.name })} <Time at={decision.at} />
        {outcome && ` · ${t(`outcome_${outcome}`)}`}
      </small>
      {decision.comment && <p className={styles['comment']}>{decision.comment}</p>}
    </>
  )
}

/** The version that was asked for, and for admins what was changed since. */
function Version({ approval: { version, state, object, askedAt } }: { approval: Approval }) {
  const t = useText(reviewTexts)
  const mayRead = useMay('admin')
  return (
    <small>
      <span title={version}>
        {t('version')} <code>{version.slice(0, VERSION_DIGITS)}</code>
      </span>
      {state === 'stale' && mayRead && (
        <>
          {' · '}
          <Link to="/settings/audit" search={{ object: `${object.type}:${object.id}`, start: askedAt.slice(0, 10) }}>
            {t('changedSince')}
          </Link>
        </>
      )}
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
            {t(`state_${state}`)}
          </Badge>
        </span>
        <small>
          {t(`type_${object.type}`)}
          {audience !== null && ` · ${t('audience', { count: audience })}`} · {t('askedBy', { name: askedBy.name })}{' '}
          <Time at={askedAt} />
        </small>
        {comment && <p className={styles['comment']}>{comment}</p>}
        <Outcome approval={approval} />
        <Version approval={approval} />
      </div>
      <Choices approval={approval} />
    </li>
  )
}
