import { sql } from 'kysely'
import { factsOf } from '../../channels/facts.ts'
import type { Db } from '../../database/connect.ts'
import { readFigures } from '../../outbox/sendings.ts'
import { type Measure, measures } from '../actions/short-reports.ts'
import type { Counts } from '../events/reactivities.ts'
import { countSubjects } from '../events/subject-counts.ts'
import { deliveredOf } from './delivered.ts'
import type { Usual } from './report-schemas.ts'
import type { Reported } from './reported.ts'

const COMPARED = 10
const FEWEST = 3
const DECIMALS = 10_000

interface Finished {
  id: number
  sending: number
}

const rate = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * DECIMALS) / DECIMALS

/** The middle of values; null of none. */
function median(values: readonly (number | null)[]): number | null {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? null : Math.round(((low + high) / 2) * DECIMALS) / DECIMALS
}

/** The last campaigns that finished, of the channel and purpose, but for the one that is reported of. */
async function lastFinished(db: Db, { account, channel, source, purpose }: Reported): Promise<Finished[]> {
  const { actions } = factsOf(channel)
  if (actions === null) return []
  const { rows } = await sql<Finished>`
    select a.id, a.sending from actions a join sendings s on s.id = a.sending
    where a.account = ${account} and a.type = ${actions.campaign} and a.deleted_at is null and a.id <> ${source}
      and a.settings #>> '{purpose,type}' = ${purpose} and s.state = 'finished'
    order by s.ended_at desc, a.id desc limit ${COMPARED}`.execute(db)
  return rows
}

/** The medians of the last ten campaigns; null below three, and where nothing tells what arrived. */
export async function usualOf(db: Db, reported: Reported): Promise<Usual | null> {
  const { account, channel } = reported
  const finished = reported.isCampaign ? await lastFinished(db, reported) : []
  if (finished.length < FEWEST) return null
  const counted = { account, channels: [channel], subjects: finished.map(({ id }) => id) }
  const counts = await countSubjects(db, counted, measures)
  const figures = await readFigures(
    db,
    finished.map(({ sending }) => sending),
  )
  const sent = new Map(finished.map(({ id, sending }) => [id, figures.get(sending)?.sent ?? 0]))
  const delivered = await deliveredOf(db, { account, channel, sent })
  const middle = (of: (counts: Record<Measure, Counts>) => number): number | null =>
    median(
      finished.map(({ id }) => {
        const own = counts.get(id)
        return rate(own ? of(own) : 0, delivered?.get(id) ?? 0)
      }),
    )
  return {
    openRate: middle(({ opens }) => opens.contacts),
    clickRate: middle(({ clicks }) => clicks.contacts),
    unsubscribeRate: middle(({ unsubscribes }) => unsubscribes.contacts),
    complaintRate: middle(({ complaints }) => complaints.contacts),
  }
}
