import type { Pool, PoolClient } from 'pg'

/** Keep these locks apart from others that use the account's number or an id. */
const RUN_LOCK_CLASS = 0x696d7072
const SLOT_LOCK_CLASS = 0x696d7030

/** Runs of one account at a time. */
const MAX_ACCOUNT_RUNS = 2

/** The exclusive right to work on an execution. It ends with its process, however that ends. */
export interface ImportRunLock {
  /** The connection that holds the lock, for the statements of the run itself. */
  client: PoolClient
  release(): Promise<void>
}

async function tryAdvisoryLock(client: PoolClient, lock: number, id: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [lock, id])
  return rows[0]?.taken ?? false
}

async function acquireSlot(client: PoolClient, account: number): Promise<boolean> {
  for (let slot = 0; slot < MAX_ACCOUNT_RUNS; slot++)
    if (await tryAdvisoryLock(client, SLOT_LOCK_CLASS + slot, account)) return true
  return false
}

/**
 * Locks an execution; undefined when another process has locked it, or when the account has two runs under way, for
 * which a cancelled one need not wait. Advisory locks of a session on a connection of its own: they are free again the
 * moment that connection is gone.
 */
export async function lockImportRun(
  pool: Pool,
  { id, account, cancelled }: { id: number; account: number; cancelled: boolean },
): Promise<ImportRunLock | undefined> {
  const lockClient = await pool.connect()
  const releaseLock = async (): Promise<void> => {
    try {
      await lockClient.query('select pg_advisory_unlock_all()')
      lockClient.release()
    } catch (error) {
      lockClient.release(error instanceof Error ? error : true)
    }
  }
  try {
    if (
      (await tryAdvisoryLock(lockClient, RUN_LOCK_CLASS, id)) &&
      (cancelled || (await acquireSlot(lockClient, account)))
    ) {
      return { client: lockClient, release: releaseLock }
    }
  } catch (error) {
    lockClient.release(true)
    throw error
  }
  await releaseLock()
  return undefined
}
