import { sql } from 'kysely'
import { getChannelTraits } from '../../../channels/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { readSendingFigures } from '../../../sending/plan/sendings.ts'
import { type CampaignReachCounts, readCampaignReach } from './rates.ts'
import type { UsualCampaignRates } from './report-schemas.ts'
import type { ReportSubject } from './reported.ts'

const COMPARED = 10
const FEWEST = 3
const DECIMALS = 10_000

type Fresh = Awaited<ReturnType<typeof readCampaignReach>>['fresh']

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
async function lastFinished(db: Db, { account, channel, source, purpose }: ReportSubject): Promise<Finished[]> {
  const { actions } = getChannelTraits(channel)
  if (actions === null) return []
  const { rows } = await sql<Finished>`
    select a.id, a.sending from actions a join sendings s on s.id = a.sending
    where a.account = ${account} and a.type = ${actions.campaign} and a.deleted_at is null and a.id <> ${source}
      and a.settings #>> '{purpose,type}' = ${purpose} and s.state = 'finished'
    order by s.ended_at desc, a.id desc limit ${COMPARED}`.execute(db)
  return rows
}

/** The medians of the last ten campaigns, null below three; `fresh`: what is to be kept of them. */
export async function readUsualRates(
  db: Db,
  reported: ReportSubject,
): Promise<{ usual: UsualCampaignRates | null; fresh: Fresh }> {
  const { account, channel } = reported
  const finished = reported.isCampaign ? await lastFinished(db, reported) : []
  if (finished.length < FEWEST) return { usual: null, fresh: [] }
  const figures = await readSendingFigures(
    db,
    finished.map(({ sending }) => sending),
  )
  const sent = new Map(finished.map(({ id, sending }) => [id, figures.get(sending)?.sent ?? 0]))
  const { reached, fresh } = await readCampaignReach(db, { account, channel, sent })
  const middle = (of: (one: CampaignReachCounts) => number): number | null =>
    median(reached.map((one) => rate(of(one), one.delivered)))
  const usual = {
    openRate: middle(({ opened }) => opened),
    clickRate: middle(({ clicked }) => clicked),
    unsubscribeRate: middle(({ unsubscribed }) => unsubscribed),
    complaintRate: middle(({ complained }) => complained),
  }
  return { usual, fresh }
}
