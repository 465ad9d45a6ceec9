import { Link } from '@tanstack/react-router'
import { Defined } from '../../../components/layout/Defined.tsx'
import { Sheet } from '../../../components/layout/Sheet.tsx'
import { Num } from '../../../components/Num.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { fieldTexts } from '../../workflows/fields/texts.ts'
import { eventWords } from '../../workflows/fields/words.ts'
import { reportTexts } from '../report/texts.ts'
import styles from './Experiment.module.css'
import { type Experiment, nameOf } from './experiment.ts'
import { Interval } from './Interval.tsx'

type Goal = NonNullable<Experiment['goal']>
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
  const t = useText(reportTexts)
  const format = useFormat()
  return (
    <tr>
      <th scope="row" className={styles['name']}>
        <bdi>{name}</bdi>
      </th>
      <td data-number>
        <Num value={contacts} />
      </td>
      <td data-number>
        {reached === 0 ? (
          <Num value={0} />
        ) : (
          <Link {...to(`goal:${of}`)}>
            <Num value={reached} />
          </Link>
        )}
      </td>
      <td data-number>{rate !== null && <Num value={rate} percent />}</td>
      <td className={styles['drawn']}>{contacts > 0 && <Interval name={name} {...{ rate, interval, most }} />}</td>
      {!isAlone && (
        <>
          <td data-number>
            {lift && t('goal_points', { points: format.signed(Math.round(1000 * lift.difference) / 10) })}
          </td>
          <td data-number>{lift && <Num value={lift.probability} percent />}</td>
        </>
      )}
    </tr>
  )
}

const COLUMNS = ['contacts', 'reached', 'rate', 'interval', 'lift', 'better'] as const

/** What the event is called: that of one's own by its name. */
function useEventWords({ event }: Goal): string {
  const t = useText(fieldTexts)
  const names = (event as { names?: readonly string[] }).names ?? []
  return names.length > 0 ? names.join(', ') : eventWords(t, event.type)
}

/** Versions beside those held out, by the goal. */
export function GoalTable({ goal, to }: Props) {
  const t = useText(reportTexts)
  const { versions, holdout, within, countedAt } = goal
  const event = useEventWords(goal)
  const time = t(`goalTime_${within.unit}`, { count: within.value })
  // Nobody was held out, and it has begun.
  const isAlone = holdout.contacts === 0 && versions.some(({ contacts }) => contacts > 0)
  const columns = isAlone ? COLUMNS.slice(0, 4) : COLUMNS
  const lines: [string, string, Compared][] = [
    ...versions.map((one): [string, string, Compared] => [t('versionOf', { version: nameOf(one.id) }), one.id, one]),
    ...(isAlone ? [] : [[t('goalHeldOut'), 'holdout', holdout] as [string, string, Compared]]),
  ]
  const most = Math.min(1, Math.max(0.01, ...lines.map(([, , one]) => (one.contacts > 0 ? one.interval.high : 0))))
  return (
    <>
      <h3 className={styles['goal']}>
        <Defined definition={t('goalWhy')}>{t('goal', { event })}</Defined>
      </h3>
      <Sheet label={t('goal', { event })}>
        <thead>
          <tr>
            <th scope="col">{t('version')}</th>
            {columns.map((column) => (
              <th key={column} scope="col" data-number={column !== 'interval' || undefined}>
                <Defined definition={t(`goal_${column}Why`, { time })}>{t(`goal_${column}`)}</Defined>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, of, line]) => (
            <Line key={of} {...{ name, of, line, most, to, isAlone }} />
          ))}
        </tbody>
      </Sheet>
      {isAlone && <small>{t('goalAlone')}</small>}
      <small>{t(countedAt === null ? 'goalOpen' : 'goalCounted', { time })}</small>
    </>
  )
}
