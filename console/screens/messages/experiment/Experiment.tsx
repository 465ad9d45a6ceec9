import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../../api/me.ts'
import { Badge } from '../../../components/Badge.tsx'
import { Defined } from '../../../components/layout/Defined.tsx'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Sheet } from '../../../components/layout/Sheet.tsx'
import { Num } from '../../../components/Num.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import type { ChannelName } from '../names.ts'
import { reportTexts } from '../report/texts.ts'
import { Decide } from './Decide.tsx'
import styles from './Experiment.module.css'
import { type Experiment as Found, isOpen, nameOf } from './experiment.ts'
import { GoalTable } from './Goal.tsx'
import { Interval } from './Interval.tsx'

type Version = Found['versions'][number]

interface Props {
  channel: ChannelName
  id: string
  name: string
  experiment: Found
  to(of: string): { to: string; search: Record<string, unknown> }
  onDone(): Promise<void>
}

/** How it stands: who waits for what, what was decided, and whether the winner is clear. */
function Standing({ experiment }: { experiment: Found }) {
  const t = useText(reportTexts)
  const format = useFormat()
  const { state, decidesAt, waiting, best, isClear, decision, minimum, versions } = experiment
  if (state === 'planned') return <p>{t('stands_planned')}</p>
  const when = decidesAt === null ? '' : `${format.dateTime(decidesAt)} ${format.zone}`
  const fewest = Math.min(...versions.map(({ sent }) => sent))
  const winner =
    best === null
      ? null
      : isClear
        ? t('clear', { version: nameOf(best) })
        : fewest < minimum
          ? t('unclearFew', { minimum })
          : t('unclear')
  return (
    <div role="status" className={styles['standing']}>
      <p>
        {decision
          ? t(`decided_${decision.by}`, {
              version: nameOf(decision.version),
              when: `${format.dateTime(decision.at)} ${format.zone}`,
            })
          : t(`stands_${state === 'decided' ? 'over' : state}`, { count: waiting, when })}
      </p>
      {decision ? (
        <p>{t(decision.isClear ? 'wasClear' : 'wasUnclear')}</p>
      ) : (
        winner && (
          <p>
            <strong>{winner}</strong>
          </p>
        )
      )}
    </div>
  )
}

function Row({ version, most, experiment, to }: { version: Version; most: number } & Pick<Props, 'experiment' | 'to'>) {
  const t = useText(reportTexts)
  const { id, share, sent, successes, rate, interval, probability } = version
  const name = t('versionOf', { version: nameOf(id) })
  const { decision, best, isClear } = experiment
  return (
    <tr>
      <th scope="row">
        <bdi className={styles['name']}>{name}</bdi>{' '}
        {decision?.version === id && <Badge tone="good">{t('chosen')}</Badge>}
        {!decision && isClear && best === id && <Badge tone="good">{t('winner')}</Badge>}
        <small>
          <Num value={share / 100} percent />
        </small>
      </th>
      <td data-number>
        {sent === 0 ? (
          <Num value={0} />
        ) : (
          <Link {...to(`version:${id}`)}>
            <Num value={sent} />
          </Link>
        )}
      </td>
      <td data-number>
        <Num value={successes} />
      </td>
      <td data-number>{rate !== null && <Num value={rate} percent />}</td>
      <td className={styles['drawn']}>{sent > 0 && <Interval name={name} {...{ rate, interval, most }} />}</td>
      <td data-number>{sent > 0 && <Num value={probability} percent />}</td>
    </tr>
  )
}

const COLUMNS = ['sent', 'successes', 'rate', 'interval', 'probability'] as const

/** The versions of a campaign beside each other, who is held out, and the decision. */
export function Experiment({ channel, id, name, experiment, to, onDone }: Props) {
  const t = useText(reportTexts)
  const maySend = useMay('send')
  const [isAsking, setAsking] = useState(false)
  const { versions, holdout, metric } = experiment
  const most = Math.min(1, Math.max(...versions.map(({ interval, sent }) => (sent > 0 ? interval.high : 0)), 0.01))
  const counted = typeof metric === 'string' ? t(`metric_${metric}`) : t('metric_link', { link: metric.link })
  return (
    <Panel title={t('experiment')}>
      <Standing experiment={experiment} />
      <Sheet label={t('experiment')}>
        <thead>
          <tr>
            <th scope="col">{t('version')}</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" data-number={column !== 'interval' || undefined}>
                <Defined definition={t(`tried_${column}Why`, { metric: counted })}>{t(`tried_${column}`)}</Defined>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <Row key={version.id} {...{ version, most, experiment, to }} />
          ))}
        </tbody>
      </Sheet>
      {holdout.contacts > 0 && (
        <p>
          <Link {...to('holdout')}>{t('holdout', { count: holdout.contacts })}</Link> {t('holdoutWhy')}
        </p>
      )}
      {maySend && isOpen(experiment) && (
        <div>
          <Button onClick={() => setAsking(true)}>{t('decide')}</Button>
        </div>
      )}
      {experiment.goal && <GoalTable goal={experiment.goal} to={to} />}
      {isAsking && <Decide {...{ channel, id, name, experiment, onDone }} onClose={() => setAsking(false)} />}
    </Panel>
  )
}
