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

type Goal = NonNullable<ApiReportExperiment['goal']>
type Compared = Goal['holdout'] & { lift?: Goal['versions'][number]['lift'] }

interface Props {
  goal: Goal
  to(of: string): { to: string; search: Record<string, unknown> }
}

/** One line: a version, or those held out. */
function Line({
  name,
  of,
  line,
  most,
  to,
  isAlone,
}: { name: string; of: string; line: Compared; most: number; isAlone: boolean } & Pick<Props, 'to'>) {
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
        {contacts > 0 && <ConfidenceInterval name={name} {...{ rate, interval, most }} />}
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

const COLUMNS = ['contacts', 'reached', 'rate', 'interval', 'lift', 'better'] as const

/** What the event is called: that of one's own by its name. */
function useEventWords({ event }: Goal): string {
  const t = useTranslator(workflowFieldTexts)
  const names = (event as { names?: readonly string[] }).names ?? []
  return names.length > 0 ? names.join(', ') : workflowEventLabel(t, event.type)
}

/** Versions beside those held out, by the goal. */
export function ExperimentGoalTable({ goal, to }: Props) {
  const t = useTranslator(reportTexts)
  const { versions, holdout, within, countedAt } = goal
  const event = useEventWords(goal)
  const time = t(`goalTime_${within.unit}`, { count: within.value })
  // Nobody was held out, and it has begun.
  const isAlone = holdout.contacts === 0 && versions.some(({ contacts }) => contacts > 0)
  const columns = isAlone ? COLUMNS.slice(0, 4) : COLUMNS
  const lines: [string, string, Compared][] = [
    ...versions.map((one): [string, string, Compared] => [
      t('versionOf', { version: formatVersionName(one.id) }),
      one.id,
      one,
    ]),
    ...(isAlone ? [] : [[t('goalHeldOut'), 'holdout', holdout] as [string, string, Compared]]),
  ]
  const most = Math.min(1, Math.max(0.01, ...lines.map(([, , one]) => (one.contacts > 0 ? one.interval.high : 0))))
  return (
    <>
      <h3 className={styles['goal']}>
        <DefinedTerm definition={t('goalWhy')}>{t('goal', { event })}</DefinedTerm>
      </h3>
      <PlainTable label={t('goal', { event })}>
        <thead>
          <tr>
            <th scope="col">{t('version')}</th>
            {columns.map((column) => (
              <th key={column} scope="col" data-number={column !== 'interval' || undefined}>
                <DefinedTerm definition={t(`goal_${column}Why`, { time })}>{t(`goal_${column}`)}</DefinedTerm>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, of, line]) => (
            <Line key={of} {...{ name, of, line, most, to, isAlone }} />
          ))}
        </tbody>
      </PlainTable>
      {isAlone && <small>{t('goalAlone')}</small>}
      <small>{t(countedAt === null ? 'goalOpen' : 'goalCounted', { time })}</small>
    </>
  )
}
