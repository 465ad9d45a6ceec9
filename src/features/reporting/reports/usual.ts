import { sql } from 'kysely'
import { getChannelTraits } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { readSendingFigures } from '../../../sending/plan/sendings.ts'
import { type CampaignReachCounts, readCampaignReach } from './rates.ts'
import type { UsualCampaignRates } from './report-schemas.ts'
import type { ReportSubject } from './reported.ts'

const MAX_COMPARED_CAMPAIGNS = 10
const MIN_COMPARED_CAMPAIGNS = 3
const RATE_PRECISION = 10_000

type FreshReach = Awaited<ReturnType<typeof readCampaignReach>>['fresh']

interface FinishedCampaign {
  id: number
  sending: number
}

const computeRate = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * RATE_PRECISION) / RATE_PRECISION

/** The middle of values; null of none. */
function computeMedian(values: readonly (number | null)[]): number | null {
  const sortedValues = values.filter((value) => value !== null).sort((a, b) => a - b)
  const halfLength = sortedValues.length / 2
  const [lowerMiddle, upperMiddle] = [sortedValues[Math.ceil(halfLength) - 1], sortedValues[Math.floor(halfLength)]]
  return lowerMiddle === undefined || upperMiddle === undefined
    ? null
    : Math.round(((lowerMiddle + upperMiddle) / 2) * RATE_PRECISION) / RATE_PRECISION
}

/** The last campaigns that finished, of the channel and purpose, but for the one that is reported of. */
async function findLastFinished(
  db: Db,
  { account, channel, source, purpose }: ReportSubject,
): Promise<FinishedCampaign[]> {
  const { actions } = getChannelTraits(channel)
  if (actions === null) return []
  const { rows } = await sql<FinishedCampaign>`
    select a.id, a.sending from actions a join sendings s on s.id = a.sending
    where a.account = ${account} and a.type = ${actions.campaign} and a.deleted_at is null and a.id <> ${source}
      and a.settings #>> '{purpose,type}' = ${purpose} and s.state = 'finished'
    order by s.ended_at desc, a.id desc limit ${MAX_COMPARED_CAMPAIGNS}`.execute(db)
  return rows
}

/** The medians of the last ten campaigns, null below three; `fresh`: what is to be kept of them. */
export async function readUsualRates(
  db: Db,
  reported: ReportSubject,
): Promise<{ usual: UsualCampaignRates | null; fresh: FreshReach }> {
  const { account, channel } = reported
  const finishedCampaigns = reported.isCampaign ? await findLastFinished(db, reported) : []
  if (finishedCampaigns.length < MIN_COMPARED_CAMPAIGNS) return { usual: null, fresh: [] }
  const figures = await readSendingFigures(
    db,
    finishedCampaigns.map(({ sending }) => sending),
  )
  const sentCounts = new Map(finishedCampaigns.map(({ id, sending }) => [id, figures.get(sending)?.sent ?? 0]))
  const { reached: reachCounts, fresh: freshReach } = await readCampaignReach(db, {
    account,
    channel,
    sent: sentCounts,
  })
  const medianRate = (of: (counts: CampaignReachCounts) => number): number | null =>
    computeMedian(reachCounts.map((counts) => computeRate(of(counts), counts.delivered)))
  const usualRates = {
    openRate: medianRate(({ opened }) => opened),
    clickRate: medianRate(({ clicked }) => clicked),
    unsubscribeRate: medianRate(({ unsubscribed }) => unsubscribed),
    complaintRate: medianRate(({ complained }) => complained),
  }
  return { usual: usualRates, fresh: freshReach }
}
