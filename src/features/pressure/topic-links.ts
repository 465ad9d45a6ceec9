import { sql } from 'kysely'
import { type ActionFamilyKind, getActionFamily } from '../../channels/action-families.ts'
import type { ChannelActionType } from '../../channels/channel-traits.ts'
import { pushChannelTraits } from '../../channels/push/traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** A user of a topic, which prevents its deletion. */
export interface PressureTopicLink {
  type: 'rule' | ActionFamilyKind | typeof pushChannelTraits.sourceKind
  id: number | string
  name: string
}

async function listRuleLinks(db: Db, account: AccountId, topic: string): Promise<PressureTopicLink[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, label as name from pressure_rules
    where account = ${account} and jsonb_path_exists(predicate, '$.expressions[*].topics[*] ? (@ == $topic)',
      jsonb_build_object('topic', ${topic}::text))
    order by id`.execute(db)
  return rows.map((row) => ({ type: 'rule', ...row }))
}

async function listActionLinks(db: Db, account: AccountId, topic: string): Promise<PressureTopicLink[]> {
  const { rows } = await sql<{ id: number; name: string; type: ChannelActionType }>`
    select id, name, type from actions
    where account = ${account} and deleted_at is null and settings #>> '{mp,topic}' = ${topic}
    order by id`.execute(db)
  return rows.map(({ id, name, type }) => {
    const { sourceKind, showId } = getActionFamily(type)
    return { type: sourceKind, id: showId(id), name }
  })
}

async function listNotificationLinks(db: Db, account: AccountId, topic: string): Promise<PressureTopicLink[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from notifications
    where account = ${account} and deleted_at is null and mp ->> 'topic' = ${topic} order by id`.execute(db)
  return rows.map((row) => ({ type: pushChannelTraits.sourceKind, ...row }))
}

/** Rules, and undeleted actions and notifications, that name a topic. */
export async function findPressureTopicLinks(db: Db, account: AccountId, topic: string): Promise<PressureTopicLink[]> {
  return [
    ...(await listRuleLinks(db, account, topic)),
    ...(await listActionLinks(db, account, topic)),
    ...(await listNotificationLinks(db, account, topic)),
  ]
}
