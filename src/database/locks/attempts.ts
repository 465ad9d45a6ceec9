import { type Db, inTransaction } from '../connection/connect.ts'

class NothingDone extends Error {}

/** As `inTransaction`, but work that gives undefined has done nothing: its transaction is rolled back, and nothing is told of it. */
export async function inTentativeTransaction<T>(
  db: Db,
  fn: (tx: Db) => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await inTransaction(db, async (tx) => {
      const result = await fn(tx)
      if (result === undefined) throw new NothingDone()
      return result
    })
  } catch (error) {
    if (error instanceof NothingDone) return undefined
    throw error
  }
}
