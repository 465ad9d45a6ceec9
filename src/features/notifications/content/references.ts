import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import { requirePressureTopics } from '../../pressure/topics.ts'
import { requireSegments } from '../../segments/members/segment-audience.ts'
import type { NotificationDefinition } from '../stored.ts'

/** A route or a channel of an application, by its name. */
export interface ApplicationTarget {
  name: string
  value: { value: string }
  default: boolean
}

/** Members of an application that its notifications need. */
export interface PushApplication {
  id: string
  active: boolean
  routes: readonly ApplicationTarget[] | null
  channels: readonly ApplicationTarget[] | null
}

/** Application, locked against deletion until the transaction ends; `undefined` if the account does not have it. */
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

/** Throws notFound for the first new reference of a notification that the account does not have. */
export async function requirePushReferences(
  db: Db,
  account: AccountId,
  storedContent: NotificationDefinition,
  content: NotificationDefinition,
): Promise<void> {
  const { application, segments, mp } = content
  if (
    application !== null &&
    application !== storedContent.application &&
    !(await findPushApplication(db, account, application))
  )
    throw notFoundProblem('application', application, '/settings/application')
  const storedSegments = new Set([...storedContent.segments.selected, ...storedContent.segments.excluded])
  const newSegments = [...segments.selected, ...segments.excluded].filter((segment) => !storedSegments.has(segment))
  await requireSegments(db, account, newSegments)
  if (mp.topic != null && mp.topic !== storedContent.mp.topic) await requirePressureTopics(db, account, [mp.topic])
}
