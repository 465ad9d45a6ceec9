import { sql } from 'kysely'
import { actionChannels } from '../../channels/facts.ts'
import { type Db, prepared } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** A campaign as templates see it. */
export interface NamedCampaign {
  id: string
  name: string
}

/** The oldest campaign that holds an email or SMS action; null when none does. */
export async function oldestCampaign(db: Db, account: AccountId, action: number): Promise<NamedCampaign | null> {
  const { rows } = await sql<NamedCampaign>`${prepared('campaign-oldest')}
    select c.id, c.name from campaign_items i join campaigns c on c.account = i.account and c.id = i.campaign
    where i.account = ${account} and i.type = any(${actionChannels}::text[]) and i.number = ${action}
    order by c.created_at, c.id limit 1`.execute(db)
  return rows[0] ?? null
}
