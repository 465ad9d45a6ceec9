import { sql } from 'kysely'
import type { ActionType } from '../../channels/facts.ts'
import { type FamilyKind, familyOf } from '../../channels/families.ts'
import { notification } from '../../channels/push/facts.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'

/** What names a topic and keeps it from being deleted. */
export interface TopicLink {
  type: 'rule' | FamilyKind | typeof notification.sourceKind
  id: number | string
  name: string
}

async function ruleLinks(db: Db, account: AccountId, topic: string): Promise<TopicLink[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, label as name from pressure_rules
    where account = ${account} and jsonb_path_exists(predicate, '$.expressions[*].topics[*] ? (@ == $topic)',
      jsonb_build_object('topic', ${topic}::text))
    order by id`.execute(db)
  return rows.map((row) => ({ type: 'rule', ...row }))
}

async function actionLinks(db: Db, account: AccountId, topic: string): Promise<TopicLink[]> {
  const { rows } = await sql<{ id: number; name: string; type: ActionType }>`
    select id, name, type from actions
    where account = ${account} and deleted_at is null and settings #>> '{mp,topic}' = ${topic}
    order by id`.execute(db)
  return rows.map(({ id, name, type }) => {
    const { sourceKind, showId } = familyOf(type)
    return { type: sourceKind, id: showId(id), name }
  })
}

async function notificationLinks(db: Db, account: AccountId, topic: string): Promise<TopicLink[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from notifications
    where account = ${account} and deleted_at is null and mp ->> 'topic' = ${topic} order by id`.execute(db)
  return rows.map((row) => ({ type: notification.sourceKind, ...row }))
}

/** Rules, and undeleted actions and notifications, that name a topic. */
export async function topicLinks(db: Db, account: AccountId, topic: string): Promise<TopicLink[]> {
  return [
    ...(await ruleLinks(db, account, topic)),
    ...(await actionLinks(db, account, topic)),
    ...(await notificationLinks(db, account, topic)),
  ]
}
