import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { requirePressureTopics } from '../../pressure/topics.ts'
import { requireSegments } from '../../segments/members/audience.ts'
import type { NotificationDefinition } from '../stored.ts'

/** A route or a channel of an application, by its name. */
export interface ApplicationTarget {
  name: string
  value: { value: string }
  default: boolean
}

/** Of an application, what its notifications need. */
export interface PushApplication {
  id: string
  active: boolean
  routes: readonly ApplicationTarget[] | null
  channels: readonly ApplicationTarget[] | null
}

/** An application, which is not deleted until the transaction ends; undefined when the account has none. */
export async function findPushApplication(
  db: Db,
  account: AccountId,
  id: string,
): Promise<PushApplication | undefined> {
  const { rows } = await sql<PushApplication>`
    select id, active, routes, channels from applications where account = ${account} and id = ${id}::uuid for key share`.execute(
    db,
  )
  return rows[0]
}

/** Throws notFound for the first thing that a notification names anew and the account does not have. */
export async function requirePushReferences(
  db: Db,
  account: AccountId,
  stored: NotificationDefinition,
  content: NotificationDefinition,
): Promise<void> {
  const { application, segments, mp } = content
  if (
    application !== null &&
    application !== stored.application &&
    !(await findPushApplication(db, account, application))
  )
    throw notFoundProblem('application', application, '/settings/application')
  const known = new Set([...stored.segments.selected, ...stored.segments.excluded])
  const fresh = [...segments.selected, ...segments.excluded].filter((segment) => !known.has(segment))
  await requireSegments(db, account, fresh)
  if (mp.topic != null && mp.topic !== stored.mp.topic) await requirePressureTopics(db, account, [mp.topic])
}
