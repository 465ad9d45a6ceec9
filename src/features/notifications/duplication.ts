import { sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { createUuidV7 } from '../../lib/ids.ts'
import {
  insertNotification,
  loadNotification,
  type NotificationDefinition,
  type NotificationKey,
  type StoredNotification,
} from './stored.ts'

const MAX_NAME_LENGTH = 255

/** `Flash sale (2)`: the lowest number that no notification has; the source's name is cut so that it fits. */
async function buildCopyName(tx: Db, account: AccountId, name: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select name from notifications where account = ${account} and deleted_at is null and name like '% (%)'`.execute(tx)
  const takenNames = new Set(rows.map((row) => row.name))
  for (let copyNumber = 1; ; copyNumber++) {
    const suffix = ` (${copyNumber})`
    const copy = name.slice(0, MAX_NAME_LENGTH - suffix.length).toWellFormed() + suffix
    if (!takenNames.has(copy)) return copy
  }
}

/** A copy has ids of its own throughout. */
function buildCopy(
  { task, versions, ...content }: StoredNotification,
  name: string,
  now: number,
): NotificationDefinition {
  const { account: _, id: __, active: ___, frozen: ____, ...otherMembers } = content
  return {
    ...otherMembers,
    name,
    task: task && {
      ...task,
      id: createUuidV7(now),
      scheduler: task.scheduler && { ...task.scheduler, id: createUuidV7(now) },
    },
    versions: versions.map((version) => ({ ...version, id: createUuidV7(now) })),
  }
}

/** Copies a notification; the copy is inactive. Throws notFound. */
export function duplicateNotification(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  key: NotificationKey,
): Promise<StoredNotification> {
  return inTransaction(db, async (tx) => {
    const source = await loadNotification(tx, key)
    const { account } = key
    const now = clock.now()
    const copy = buildCopy(source, await buildCopyName(tx, account, source.name), now)
    return loadNotification(tx, { account, id: await insertNotification(tx, account, copy, new Date(now)) })
  })
}
