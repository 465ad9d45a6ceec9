import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useHasRight } from '../../../api/me.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { DefinedTerm } from '../../../components/layout/DefinedTerm.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import type { MessageChannelName } from '../names.ts'
import { reportTexts } from '../report/texts.ts'
import { ConfidenceInterval } from './ConfidenceInterval.tsx'
import { ExperimentDecision } from './ExperimentDecision.tsx'
import { type ApiReportExperiment as Found, formatVersionName, isExperimentUndecided } from './experiment.ts'
import { ExperimentGoalTable } from './Goal.tsx'
import styles from './ReportExperiment.module.css'

type Version = Found['versions'][number]

interface Props {
  channel: MessageChannelName
  id: string
  name: string
  experiment: Found
  to(of: string): { to: string; search: Record<string, unknown> }
  onDone(): Promise<void>
}

/** How it stands: who waits for what, what was decided, and whether the winner is clear. */
function Standing({ experiment }: { experiment: Found }) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  const { state, decidesAt, waiting, best, isClear, decision, minimum, versions } = experiment
  if (state === 'planned') return <p>{t('stands_planned')}</p>
  const when = decidesAt === null ? '' : `${format.dateTime(decidesAt)} ${format.zone}`
  const fewest = Math.min(...versions.map(({ sent }) => sent))
  const winner =
    best === null
      ? null
      : isClear
        ? t('clear', { version: formatVersionName(best) })
        : fewest < minimum
          ? t('unclearFew', { minimum })
          : t('unclear')
  return (
    <div role="status" className={styles['standing']}>
      <p>
        {decision
          ? t(`decided_${decision.by}`, {
              version: formatVersionName(decision.version),
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
  const t = useTranslator(reportTexts)
  const { id, share, sent, successes, rate, interval, probability } = version
  const name = t('versionOf', { version: formatVersionName(id) })
  const { decision, best, isClear } = experiment
  return (
    <tr>
      <th scope="row">
        <bdi className={styles['name']}>{name}</bdi>{' '}
        {decision?.version === id && <StateBadge tone="good">{t('chosen')}</StateBadge>}
        {!decision && isClear && best === id && <StateBadge tone="good">{t('winner')}</StateBadge>}
        <small>
          <FormattedNumber value={share / 100} percent />
        </small>
      </th>
      <td data-number>
        {sent === 0 ? (
          <FormattedNumber value={0} />
        ) : (
          <Link {...to(`version:${id}`)}>
            <FormattedNumber value={sent} />
          </Link>
        )}
      </td>
      <td data-number>
        <FormattedNumber value={successes} />
      </td>
      <td data-number>{rate !== null && <FormattedNumber value={rate} percent />}</td>
      <td className={styles['drawn']}>
        {sent > 0 && <ConfidenceInterval name={name} {...{ rate, interval, most }} />}
      </td>
      <td data-number>{sent > 0 && <FormattedNumber value={probability} percent />}</td>
    </tr>
  )
}

const COLUMNS = ['sent', 'successes', 'rate', 'interval', 'probability'] as const

/** The versions of a campaign beside each other, who is held out, and the decision. */
export function ReportExperiment({ channel, id, name, experiment, to, onDone }: Props) {
  const t = useTranslator(reportTexts)
  const maySend = useHasRight('send')
  const [isAsking, setAsking] = useState(false)
  const { versions, holdout, metric } = experiment
  const most = Math.min(1, Math.max(...versions.map(({ interval, sent }) => (sent > 0 ? interval.high : 0)), 0.01))
  const counted = typeof metric === 'string' ? t(`metric_${metric}`) : t('metric_link', { link: metric.link })
  return (
    <PagePanel title={t('experiment')}>
      <Standing experiment={experiment} />
      <PlainTable label={t('experiment')}>
        <thead>
          <tr>
            <th scope="col">{t('version')}</th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" data-number={column !== 'interval' || undefined}>
                <DefinedTerm definition={t(`tried_${column}Why`, { metric: counted })}>
                  {t(`tried_${column}`)}
                </DefinedTerm>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <Row key={version.id} {...{ version, most, experiment, to }} />
          ))}
        </tbody>
      </PlainTable>
      {holdout.contacts > 0 && (
        <p>
          <Link {...to('holdout')}>{t('holdout', { count: holdout.contacts })}</Link> {t('holdoutWhy')}
        </p>
      )}
      {maySend && isExperimentUndecided(experiment) && (
        <div>
          <Button onClick={() => setAsking(true)}>{t('decide')}</Button>
        </div>
      )}
      {experiment.goal && <ExperimentGoalTable goal={experiment.goal} to={to} />}
      {isAsking && (
        <ExperimentDecision {...{ channel, id, name, experiment, onDone }} onClose={() => setAsking(false)} />
      )}
    </PagePanel>
  )
}
