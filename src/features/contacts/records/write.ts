import { sql } from 'kysely'
import { channelRedListNames } from '../../../channels/channel-traits.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { inRetriedTransaction } from '../../../database/locks/deadlocks.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { MasterKeys } from '../../../lib/crypto/tokens.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import { enterContactWrite } from '../fields/write-lock.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { type ContactShapeLoader, loadContactShape } from '../values/stored-shape.ts'
import type { LockedContact } from './changes.ts'

/** Context of contact writes, in addition to the database: the time, and the keys of the red list memory. */
export interface ContactWriteContext {
  clock: Clock
  masterKeys: MasterKeys
}

/**
 * Runs a write of contacts in one transaction, with the definitions as they hold until its end; `shapes` may have
 * them cached. A deadlock begins the transaction again; within a transaction of the caller, retrying is the caller's.
 */
export async function runContactWrite<Result>(
  db: Db,
  account: AccountId,
  work: (tx: Db, shape: ContactShape) => Promise<Result>,
  shapes: ContactShapeLoader = loadContactShape,
): Promise<Result> {
  return inRetriedTransaction(db, async (tx) => {
    const definitionsVersion = await enterContactWrite(tx, account)
    return work(tx, await shapes(tx, account, definitionsVersion))
  })
}

/** The columns read from a contact whose row is locked. */
const LOCKED_COLUMNS = sql`id, fields, unicity, key, encode(hash, 'hex') as hash`

/** A contact that was looked for by its key, its row locked. */
export interface KnownContact extends LockedContact {
  created_at: Date
  updated_at: Date
  /** True if it has a bounce flag, or is on a red list. */
  isMarked: boolean
}

/** Locks contacts by their keys until the transaction ends; unknown keys are skipped. */
export async function lockContactsByKeys(tx: Db, account: AccountId, keys: readonly string[]): Promise<KnownContact[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<KnownContact>`
    select ${LOCKED_COLUMNS}, created_at, updated_at,
      exists (select from bounce_flags b where b.account = c.account and b.contact = c.id)
      or exists (select from red_list r where r.account = c.account and r.channel = any(${channelRedListNames}::text[]) and r.contact = c.id)
      as "isMarked"
    from contacts c where account = ${account} and key = any(${keys}::text[])
    order by key for no key update`.execute(tx)
  return rows
}

/** Locks contacts by their ids until the transaction ends; unknown ids are skipped. */
export async function lockContactsByIds(tx: Db, account: AccountId, ids: readonly number[]): Promise<LockedContact[]> {
  const { rows } = await sql<LockedContact>`
    select ${LOCKED_COLUMNS} from contacts where account = ${account} and id = any(${ids}::bigint[])
    order by key for no key update`.execute(tx)
  return rows
}
