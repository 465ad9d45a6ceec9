import { type Db, inTransaction } from '../connection/connect.ts'

class NothingDoneError extends Error {}

/** Like `inTransaction`, but work that returns undefined has done nothing: its transaction is rolled back and hooks are not notified. */
export async function inTentativeTransaction<T>(
  db: Db,
  fn: (tx: Db) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      const result = await fn(tx)
      if (result === undefined) throw new NothingDoneError()
      return result
    })
  } catch (error) {
    if (error instanceof NothingDoneError) return undefined
    throw error
  }
}
