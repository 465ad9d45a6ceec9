import { Link } from '@tanstack/react-router'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { DefinedTerm } from '../../../components/layout/DefinedTerm.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { workflowFieldTexts } from '../../workflows/fields/texts.ts'
import { workflowEventLabel } from '../../workflows/fields/words.ts'
import { reportTexts } from '../report/texts.ts'
import { ConfidenceInterval } from './ConfidenceInterval.tsx'
import { type ApiReportExperiment, formatVersionName } from './experiment.ts'
import styles from './ReportExperiment.module.css'

type ExperimentGoal = NonNullable<ApiReportExperiment['goal']>
type ComparedGroup = ExperimentGoal['holdout'] & { lift?: ExperimentGoal['versions'][number]['lift'] }

interface Props {
  goal: ExperimentGoal
  to(of: string): { to: string; search: Record<string, unknown> }
}

/** One line: a version, or those held out. */
function GoalLine({
  name,
  of,
  line,
  most,
  to,
  isAlone,
}: { name: string; of: string; line: ComparedGroup; most: number; isAlone: boolean } & Pick<Props, 'to'>) {
  const { contacts, reached, rate, interval, lift } = line
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  return (
    <tr>
      <th scope="row" className={styles['name']}>
        <bdi>{name}</bdi>
      </th>
      <td data-number>
        <FormattedNumber value={contacts} />
      </td>
      <td data-number>
        {reached === 0 ? (
          <FormattedNumber value={0} />
        ) : (
          <Link {...to(`goal:${of}`)}>
            <FormattedNumber value={reached} />
          </Link>
        )}
      </td>
      <td data-number>{rate !== null && <FormattedNumber value={rate} percent />}</td>
      <td className={styles['drawn']}>
        {contacts > 0 && <ConfidenceInterval name={name} rate={rate} interval={interval} most={most} />}
      </td>
      {!isAlone && (
        <>
          <td data-number>
            {lift && t('goal_points', { points: format.signed(Math.round(1000 * lift.difference) / 10) })}
          </td>
          <td data-number>{lift && <FormattedNumber value={lift.probability} percent />}</td>
        </>
      )}
    </tr>
  )
}

const GOAL_COLUMNS = ['contacts', 'reached', 'rate', 'interval', 'lift', 'better'] as const

/** Label of the event; custom events are shown by name. */
function useEventLabel({ event }: ExperimentGoal): string {
  const t = useTranslator(workflowFieldTexts)
  const eventNames = (event as { names?: readonly string[] }).names ?? []
  return eventNames.length > 0 ? eventNames.join(', ') : workflowEventLabel(t, event.type)
}

/** Compares the versions and the holdout group by the goal. */
export function ExperimentGoalTable({ goal, to }: Props) {
  const t = useTranslator(reportTexts)
  const { versions, holdout, within, countedAt } = goal
  const eventLabel = useEventLabel(goal)
  const goalPeriod = t(`goalTime_${within.unit}`, { count: within.value })
  // Nobody was held out, and it has begun.
  const lacksHoldout = holdout.contacts === 0 && versions.some(({ contacts }) => contacts > 0)
  const shownColumns = lacksHoldout ? GOAL_COLUMNS.slice(0, 4) : GOAL_COLUMNS
  const lines: [string, string, ComparedGroup][] = [
    ...versions.map((group): [string, string, ComparedGroup] => [
      t('versionOf', { version: formatVersionName(group.id) }),
      group.id,
      group,
    ]),
    ...(lacksHoldout ? [] : [[t('goalHeldOut'), 'holdout', holdout] as [string, string, ComparedGroup]]),
  ]
  const scaleMax = Math.min(
    1,
    Math.max(0.01, ...lines.map(([, , group]) => (group.contacts > 0 ? group.interval.high : 0))),
  )
  return (
    <>
      <h3 className={styles['goal']}>
        <DefinedTerm definition={t('goalWhy')}>{t('goal', { event: eventLabel })}</DefinedTerm>
      </h3>
      <PlainTable label={t('goal', { event: eventLabel })}>
        <thead>
          <tr>
            <th scope="col">{t('version')}</th>
            {shownColumns.map((column) => (
              <th key={column} scope="col" data-number={column !== 'interval' || undefined}>
                <DefinedTerm definition={t(`goal_${column}Why`, { time: goalPeriod })}>
                  {t(`goal_${column}`)}
                </DefinedTerm>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, of, line]) => (
            <GoalLine key={of} name={name} of={of} line={line} most={scaleMax} to={to} isAlone={lacksHoldout} />
          ))}
        </tbody>
      </PlainTable>
      {lacksHoldout && <small>{t('goalAlone')}</small>}
      <small>{t(countedAt === null ? 'goalOpen' : 'goalCounted', { time: goalPeriod })}</small>
    </>
  )
}
