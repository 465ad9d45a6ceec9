import { sql } from 'kysely'
import { factsOf } from '../../channels/facts.ts'
import type { Db } from '../../database/connect.ts'
import { readFigures } from '../../outbox/sendings.ts'
import { type Measure, measures } from '../actions/short-reports.ts'
import { readDetails } from '../events/detail-counts.ts'
import type { Counts } from '../events/reactivities.ts'
import { countSubjects } from '../events/subject-counts.ts'
import { addContacts, type ContactSet } from '../events/summary-contacts.ts'
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

type Deliveries = Measure | 'deliveries'

/** How many messages of a sending arrived, by what it sent; null where nothing tells. */
export function deliveredOf(
  { channel }: Pick<Reported, 'channel'>,
  { sent, bouncedLater, deliveries }: { sent: number; bouncedLater: number; deliveries: number },
): number | null {
  const { arrivals } = factsOf(channel)
  if (arrivals === null) return null
  return arrivals === 'bounces' ? Math.max(0, sent - bouncedLater) : Math.min(sent, deliveries)
}

/** Contacts with a hard bounce that came later, by subject. */
async function bouncedLaterOf(
  db: Db,
  counted: { account: number; channels: [Reported['channel']]; subjects: number[] },
): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  const sets = new Map<number, ContactSet>()
  for await (const { subject, detail, contacts } of readDetails(db, counted, { facets: ['bounce'] })) {
    const [, verdict, , time] = detail
    if (verdict !== 'hard' || time !== 'async') continue
    const set = sets.get(subject) ?? new Map()
    sets.set(subject, set)
    found.set(subject, (found.get(subject) ?? 0) + addContacts(set, contacts))
  }
  return found
}

/** The medians of the last ten campaigns; null below three, and where nothing tells what arrived. */
export async function usualOf(db: Db, reported: Reported): Promise<Usual | null> {
  const { account, channel } = reported
  const finished = reported.isCampaign ? await lastFinished(db, reported) : []
  if (finished.length < FEWEST) return null
  const counted = { account, channels: [channel] as [typeof channel], subjects: finished.map(({ id }) => id) }
  const counts = await countSubjects<Deliveries>(db, counted, { ...measures, deliveries: ['deliveries'] })
  const figures = await readFigures(
    db,
    finished.map(({ sending }) => sending),
  )
  const bounced = await bouncedLaterOf(db, counted)
  const middle = (of: (counts: Record<Deliveries, Counts>) => number): number | null =>
    median(
      finished.map(({ id, sending }) => {
        const own = counts.get(id)
        const sent = figures.get(sending)?.sent ?? 0
        const deliveries = own?.deliveries.contacts ?? 0
        const delivered = deliveredOf(reported, { sent, bouncedLater: bounced.get(id) ?? 0, deliveries }) ?? 0
        return rate(own ? of(own) : 0, delivered)
      }),
    )
  return {
    openRate: middle(({ opens }) => opens.contacts),
    clickRate: middle(({ clicks }) => clicks.contacts),
    unsubscribeRate: middle(({ unsubscribes }) => unsubscribes.contacts),
    complaintRate: middle(({ complaints }) => complaints.contacts),
  }
}
