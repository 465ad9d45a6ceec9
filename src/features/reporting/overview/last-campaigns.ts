import { sql } from 'kysely'
import { getActionFamily } from '../../../channels/action-families.ts'
import { campaignActionTypes, getActionChannel } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { readShortReports, type ShortReportSubject } from '../../actions/reports/short-reports.ts'
import type { LastCampaignEntry } from './overview-schemas.ts'

const MAX_SHOWN_CAMPAIGNS = 5

interface CampaignRow extends ShortReportSubject {
  type: LastCampaignEntry['type']
  name: string
  state: number
  startedAt: Date
}

/** The campaigns that started last, of any channel, each with its results. */
export async function listLastCampaigns(db: Db, account: AccountId): Promise<LastCampaignEntry[]> {
  const { rows } = await sql<CampaignRow>`
    select id, type, name, state, sending, started_at as "startedAt" from actions
    where account = ${account} and deleted_at is null and type = any(${campaignActionTypes}::text[]) and started_at is not null
    order by started_at desc, id desc limit ${MAX_SHOWN_CAMPAIGNS}`.execute(db)
  const channels = [...new Set(rows.map(({ type }) => getActionChannel(type)))]
  const reports = await readShortReports(db, { account, channels }, rows)
  return rows.flatMap(({ id, type, name, state, startedAt }) => {
    const report = reports.get(id)
    const campaignEntry = {
      type,
      id: getActionFamily(type).showId(id),
      name,
      state,
      startDate: startedAt.toISOString(),
    }
    return report ? [{ ...campaignEntry, report }] : []
  })
}
