import { sql } from 'kysely'
import { actionFamilies, getActionFamily } from '../../channels/action-families.ts'
import type { ChannelActionType } from '../../channels/channel-traits.ts'
import { pushChannelTraits } from '../../channels/push/traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** Days in which people look at messages again. */
const MESSAGE_RETENTION_DAYS = 400

const actionTypes = Object.keys(actionFamilies)

interface MediaLink {
  type: string
  id: string | number
  name: string
}

/**
 * Finds the users of a file: designs, actions and notifications, and deleted ones whose messages are still sent or ended in the last 400
 * days.
 */
export async function findMediaLinks(db: Db, account: AccountId, hash: string, now: Date): Promise<MediaLink[]> {
  const earliestMessage = new Date(now.getTime() - MESSAGE_RETENTION_DAYS * 86_400_000)
  const addressPattern = `%/m/${hash}/%`
  const { rows } = await sql<{ kind: string; type: ChannelActionType | null; id: number; name: string }>`
    select 'design' as kind, null as type, id, name from designs where account = ${account} and design::text like ${addressPattern}
    union all
    select ${pushChannelTraits.sourceKind}, null, id, name from notifications
    where account = ${account} and versions::text like ${addressPattern} and (deleted_at is null or deleted_at > ${earliestMessage})
    union all
    select 'action', type, id, name from actions a where account = ${account}
      and (deleted_at is null and (content::text like ${addressPattern} or settings::text like ${addressPattern})
        or exists (
          select from content_versions v join sendings s on s.account = v.account and s.source = v.owner
          where v.account = a.account and v.owner = a.id and v.source::text like ${addressPattern}
            and s.source_kind = v.owner_kind and v.owner_kind = any(${actionTypes}::text[])
            and (s.ended_at is null or s.ended_at > ${earliestMessage})))
    order by 1, 3`.execute(db)
  return rows.map(({ kind, type, id, name }) => {
    if (type === null) return { type: kind, id, name }
    const { sourceKind, showId } = getActionFamily(type)
    return { type: sourceKind, id: showId(id), name }
  })
}
