import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import { reportMeasures } from '../../actions/reports/short-reports.ts'
import { countSubjectEvents, countSubjectTotals } from '../../events/counts/subject-counts.ts'
import { countDeliveredMessages, type ReportedCampaigns } from './delivered.ts'

/** What a campaign came to, in contacts. */
export interface CampaignReachCounts {
  source: number
  delivered: number
  opened: number
  clicked: number
  unsubscribed: number
  complained: number
}

/** The same with what it was read from: it holds as long as that stays. */
interface Kept extends CampaignReachCounts {
  state: string
}

const { opens, clicks, unsubscribes, complaints, bounces } = reportMeasures
const reactions = { opens, clicks, unsubscribes, complaints }

/** How many events there are of each kind that rates come from, as text; a class that changes is one less and one more. */
async function statesOf(db: Db, { account, channel, sent }: ReportedCampaigns): Promise<Map<number, string>> {
  const counted = { account, channels: [channel], subjects: [...sent.keys()] }
  const totals = await countSubjectTotals(db, counted, { ...reactions, bounces, deliveries: ['deliveries'] })
  return new Map([...sent].map(([id, all]) => [id, JSON.stringify([all, totals.get(id) ?? []])]))
}

/** Reads what campaigns came to from all of their contacts. */
async function readReached(db: Db, campaigns: ReportedCampaigns): Promise<CampaignReachCounts[]> {
  const { account, channel, sent } = campaigns
  if (sent.size === 0) return []
  const counts = await countSubjectEvents(db, { account, channels: [channel], subjects: [...sent.keys()] }, reactions)
  const delivered = await countDeliveredMessages(db, campaigns)
  return [...sent.keys()].map((source) => {
    const own = counts.get(source)
    return {
      source,
      delivered: delivered?.get(source) ?? 0,
      opened: own?.opens.contacts ?? 0,
      clicked: own?.clicks.contacts ?? 0,
      unsubscribed: own?.unsubscribes.contacts ?? 0,
      complained: own?.complaints.contacts ?? 0,
    }
  })
}

async function readKept(db: Db, { account, channel, sent }: ReportedCampaigns): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select source, state, delivered, opened, clicked, unsubscribed, complained from report_rates
    where account = ${account} and channel = ${channel} and source = any(${[...sent.keys()]}::integer[])`.execute(db)
  return rows
}

/** What campaigns came to, those of whom something happened since they were kept read anew: these are `fresh`. */
export async function readCampaignReach(
  db: Db,
  campaigns: ReportedCampaigns,
): Promise<{ reached: CampaignReachCounts[]; fresh: Kept[] }> {
  const states = await statesOf(db, campaigns)
  const kept = (await readKept(db, campaigns)).filter(({ source, state }) => states.get(source) === state)
  const known = new Set(kept.map(({ source }) => source))
  const others = new Map([...campaigns.sent].filter(([id]) => !known.has(id)))
  const read = await readReached(db, { ...campaigns, sent: others })
  return { reached: [...kept, ...read], fresh: read.map((one) => ({ ...one, state: states.get(one.source)! })) }
}

/** Keeps what campaigns came to. Of two readers the last is kept: what it read from is checked whenever it is used. */
export async function storeCampaignReach(
  db: Db,
  { account, channel }: Pick<ReportedCampaigns, 'account' | 'channel'>,
  fresh: readonly Kept[],
): Promise<void> {
  if (fresh.length === 0) return
  const column = (key: keyof CampaignReachCounts) => sql`${fresh.map((one) => one[key])}::bigint[]`
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
