import type { Pool, PoolClient } from 'pg'

/** Keep these locks apart from others that use the account's number or an id. */
const RUN_LOCK = 0x696d7072
const SLOT_LOCK = 0x696d7030

/** Runs of one account at a time. */
const SLOTS = 2

/** The right to work on an execution. It ends with its process, whatever befalls that. */
export interface Turn {
  /** The connection that holds the right, for the statements of the run itself. */
  client: PoolClient
  end(): Promise<void>
}

async function take(client: PoolClient, lock: number, id: number): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [lock, id])
  return rows[0]?.taken ?? false
}

async function takeSlot(client: PoolClient, account: number): Promise<boolean> {
  for (let slot = 0; slot < SLOTS; slot++) if (await take(client, SLOT_LOCK + slot, account)) return true
  return false
}

/**
 * Takes the turn of an execution; undefined when another process has it, or when the account has two runs under way,
 * which one that was cancelled need not wait for.
 * Locks of a session on a connection of its own: they are free again the moment that connection is gone.
 */
export async function takeTurn(
  pool: Pool,
  { id, account, cancelled }: { id: number; account: number; cancelled: boolean },
): Promise<Turn | undefined> {
  const client = await pool.connect()
  const release = async (): Promise<void> => {
    try {
      await client.query('select pg_advisory_unlock_all()')
      client.release()
    } catch (error) {
      client.release(error instanceof Error ? error : true)
    }
  }
  try {
    if ((await take(client, RUN_LOCK, id)) && (cancelled || (await takeSlot(client, account)))) {
      return { client, end: release }
    }
  } catch (error) {
    client.release(true)
    throw error
  }
  await release()
  return undefined
}
