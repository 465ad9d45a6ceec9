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
import { type ApiReportExperiment, formatVersionName, isExperimentUndecided } from './experiment.ts'
import { ExperimentGoalTable } from './Goal.tsx'
import styles from './ReportExperiment.module.css'

type ExperimentVersion = ApiReportExperiment['versions'][number]

interface Props {
  channel: MessageChannelName
  id: string
  name: string
  experiment: ApiReportExperiment
  to(of: string): { to: string; search: Record<string, unknown> }
  onDone(): Promise<void>
}

/** Status of the experiment: the waiting contacts, the decision, and whether the winner is clear. */
function ExperimentStatus({ experiment }: { experiment: ApiReportExperiment }) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  const { state, decidesAt, waiting: waitingCount, best, isClear, decision, minimum, versions } = experiment
  if (state === 'planned') return <p>{t('stands_planned')}</p>
  const decisionTime = decidesAt === null ? '' : `${format.dateTime(decidesAt)} ${format.zone}`
  const smallestSample = Math.min(...versions.map(({ sent: sentCount }) => sentCount))
  const winnerText =
    best === null
      ? null
      : isClear
        ? t('clear', { version: formatVersionName(best) })
        : smallestSample < minimum
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
          : t(`stands_${state === 'decided' ? 'over' : state}`, { count: waitingCount, when: decisionTime })}
      </p>
      {decision ? (
        <p>{t(decision.isClear ? 'wasClear' : 'wasUnclear')}</p>
      ) : (
        winnerText && (
          <p>
            <strong>{winnerText}</strong>
          </p>
        )
      )}
    </div>
  )
}

function VersionRow({
  version,
  most,
  experiment,
  to,
}: { version: ExperimentVersion; most: number } & Pick<Props, 'experiment' | 'to'>) {
  const t = useTranslator(reportTexts)
  const { id, share, sent: sentCount, successes, rate, interval, probability } = version
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
        {sentCount === 0 ? (
          <FormattedNumber value={0} />
        ) : (
          <Link {...to(`version:${id}`)}>
            <FormattedNumber value={sentCount} />
          </Link>
        )}
      </td>
      <td data-number>
        <FormattedNumber value={successes} />
      </td>
      <td data-number>{rate !== null && <FormattedNumber value={rate} percent />}</td>
      <td className={styles['drawn']}>
        {sentCount > 0 && <ConfidenceInterval name={name} rate={rate} interval={interval} most={most} />}
      </td>
      <td data-number>{sentCount > 0 && <FormattedNumber value={probability} percent />}</td>
    </tr>
  )
}

const VERSION_COLUMNS = ['sent', 'successes', 'rate', 'interval', 'probability'] as const

/** Comparison of the versions of a campaign, its holdout group, and the decision. */
export function ReportExperiment({ channel, id, name, experiment, to, onDone }: Props) {
  const t = useTranslator(reportTexts)
  const canSend = useHasRight('send')
  const [isDeciding, setAsking] = useState(false)
  const { versions, holdout, metric } = experiment
  const scaleMax = Math.min(
    1,
    Math.max(...versions.map(({ interval, sent: sentCount }) => (sentCount > 0 ? interval.high : 0)), 0.01),
  )
  const metricLabel = typeof metric === 'string' ? t(`metric_${metric}`) : t('metric_link', { link: metric.link })
  return (
    <PagePanel title={t('experiment')}>
      <ExperimentStatus experiment={experiment} />
      <PlainTable label={t('experiment')}>
        <thead>
          <tr>
            <th scope="col">{t('version')}</th>
            {VERSION_COLUMNS.map((column) => (
              <th key={column} scope="col" data-number={column !== 'interval' || undefined}>
                <DefinedTerm definition={t(`tried_${column}Why`, { metric: metricLabel })}>
                  {t(`tried_${column}`)}
                </DefinedTerm>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {versions.map((version) => (
            <VersionRow key={version.id} version={version} most={scaleMax} experiment={experiment} to={to} />
          ))}
        </tbody>
      </PlainTable>
      {holdout.contacts > 0 && (
        <p>
          <Link {...to('holdout')}>{t('holdout', { count: holdout.contacts })}</Link> {t('holdoutWhy')}
        </p>
      )}
      {canSend && isExperimentUndecided(experiment) && (
        <div>
          <Button onClick={() => setAsking(true)}>{t('decide')}</Button>
        </div>
      )}
      {experiment.goal && <ExperimentGoalTable goal={experiment.goal} to={to} />}
      {isDeciding && (
        <ExperimentDecision
          channel={channel}
          id={id}
          name={name}
          experiment={experiment}
          onDone={onDone}
          onClose={() => setAsking(false)}
        />
      )}
    </PagePanel>
  )
}
