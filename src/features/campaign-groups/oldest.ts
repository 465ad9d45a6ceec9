import { sql } from 'kysely'
import { actionChannelNames } from '../../channels/channel-traits.ts'
import { buildPreparedPrefix, type Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** A campaign as templates see it. */
export interface TemplateCampaign {
  id: string
  name: string
}

/** The oldest campaign that holds an email or SMS action; null when none does. */
export async function findOldestCampaign(db: Db, account: AccountId, action: number): Promise<TemplateCampaign | null> {
  const { rows } = await sql<TemplateCampaign>`${buildPreparedPrefix('campaign-oldest')}
    select c.id, c.name from campaign_items i join campaigns c on c.account = i.account and c.id = i.campaign
    where i.account = ${account} and i.type = any(${actionChannelNames}::text[]) and i.number = ${action}
    order by c.created_at, c.id limit 1`.execute(db)
  return rows[0] ?? null
}
