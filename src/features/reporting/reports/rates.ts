import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { reportMeasures } from '../../actions/reports/short-reports.ts'
import { countSubjectEvents, countSubjectTotals } from '../../events/counts/subject-counts.ts'
import { countDeliveredMessages, type ReportedCampaigns } from './delivered.ts'

/** Results of a campaign, in contacts. */
export interface CampaignReachCounts {
  source: number
  delivered: number
  opened: number
  clicked: number
  unsubscribed: number
  complained: number
}

/** The same with what it was read from: it holds as long as that stays. */
interface StoredReach extends CampaignReachCounts {
  state: string
}

const { opens, clicks, unsubscribes, complaints, bounces } = reportMeasures
const reactionMeasures = { opens, clicks, unsubscribes, complaints }

/** Number of events of each kind that rates derive from, as text. A change of class counts as one less and one more. */
async function readReachStates(
  db: Db,
  { account, channel, sent: sentCounts }: ReportedCampaigns,
): Promise<Map<number, string>> {
  const countedSubjects = { account, channels: [channel], subjects: [...sentCounts.keys()] }
  const totals = await countSubjectTotals(db, countedSubjects, {
    ...reactionMeasures,
    bounces,
    deliveries: ['deliveries'],
  })
  return new Map(
    [...sentCounts].map(([id, subjectTotals]) => [id, JSON.stringify([subjectTotals, totals.get(id) ?? []])]),
  )
}

/** Reads what campaigns came to from all of their contacts. */
async function computeReach(db: Db, campaigns: ReportedCampaigns): Promise<CampaignReachCounts[]> {
  const { account, channel, sent: sentCounts } = campaigns
  if (sentCounts.size === 0) return []
  const counts = await countSubjectEvents(
    db,
    { account, channels: [channel], subjects: [...sentCounts.keys()] },
    reactionMeasures,
  )
  const delivered = await countDeliveredMessages(db, campaigns)
  return [...sentCounts.keys()].map((source) => {
    const subjectCounts = counts.get(source)
    return {
      source,
      delivered: delivered?.get(source) ?? 0,
      opened: subjectCounts?.opens.contacts ?? 0,
      clicked: subjectCounts?.clicks.contacts ?? 0,
      unsubscribed: subjectCounts?.unsubscribes.contacts ?? 0,
      complained: subjectCounts?.complaints.contacts ?? 0,
    }
  })
}

async function readStoredReach(
  db: Db,
  { account, channel, sent: sentCounts }: ReportedCampaigns,
): Promise<StoredReach[]> {
  const { rows } = await sql<StoredReach>`
    select source, state, delivered, opened, clicked, unsubscribed, complained from report_rates
    where account = ${account} and channel = ${channel} and source = any(${[...sentCounts.keys()]}::integer[])`.execute(
    db,
  )
  return rows
}

/** Reads the results of campaigns. Those with events since their results were stored are computed again: these are `fresh`. */
export async function readCampaignReach(
  db: Db,
  campaigns: ReportedCampaigns,
): Promise<{ reached: CampaignReachCounts[]; fresh: StoredReach[] }> {
  const states = await readReachStates(db, campaigns)
  const currentReach = (await readStoredReach(db, campaigns)).filter(
    ({ source, state }) => states.get(source) === state,
  )
  const knownSources = new Set(currentReach.map(({ source }) => source))
  const staleCampaigns = new Map([...campaigns.sent].filter(([id]) => !knownSources.has(id)))
  const freshReach = await computeReach(db, { ...campaigns, sent: staleCampaigns })
  return {
    reached: [...currentReach, ...freshReach],
    fresh: freshReach.map((reachCounts) => ({ ...reachCounts, state: states.get(reachCounts.source)! })),
  }
}

/** Keeps what campaigns came to. Of two readers the last is kept: what it read from is checked whenever it is used. */
export async function storeCampaignReach(
  db: Db,
  { account, channel }: Pick<ReportedCampaigns, 'account' | 'channel'>,
  fresh: readonly StoredReach[],
): Promise<void> {
  if (fresh.length === 0) return
  const column = (key: keyof CampaignReachCounts) => sql`${fresh.map((reachCounts) => reachCounts[key])}::bigint[]`
  await sql`
    insert into report_rates (account, channel, source, state, delivered, opened, clicked, unsubscribed, complained)
    select ${account}, ${channel}, source, state, delivered, opened, clicked, unsubscribed, complained
    from unnest(${column('source')}, ${fresh.map(({ state }) => state)}::text[], ${column('delivered')}, ${column('opened')},
      ${column('clicked')}, ${column('unsubscribed')}, ${column('complained')})
      as n (source, state, delivered, opened, clicked, unsubscribed, complained)
    order by source
    on conflict (account, channel, source) do update set state = excluded.state, delivered = excluded.delivered,
      opened = excluded.opened, clicked = excluded.clicked, unsubscribed = excluded.unsubscribed, complained = excluded.complained`.execute(
    db,
  )
}
