import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { DAY_MS } from '../../../lib/time/spans.ts'
import { findMessage } from '../../../sending/claim/find-messages.ts'
import { isUnavailableError, withDatabaseTimeout } from '../unavailable.ts'

/** Hits are recorded this long after their message; links redirect for ever. */
const MAX_RECORDED_AGE_MS = 400 * DAY_MS

/** The time within a UUID version 7 (RFC 9562, 5.7), in milliseconds; undefined for the other versions. */
function extractTime(stamp: string): number | undefined {
  return stamp[14] === '7' ? Number.parseInt(stamp.slice(0, 8) + stamp.slice(9, 13), 16) : undefined
}

async function isStoredMessage(db: Db, account: AccountId, stamp: string, since: Date): Promise<boolean> {
  const message = await findMessage(db, account, stamp)
  return message !== undefined && (message.outcome === null || message.stamp.time > since.getTime())
}

/**
 * True if a message is recent enough for its hits to be recorded: at most 400 days old. Most stamps contain the time. For the others, such
 * as those a caller chose, the message is read. True while the database is unavailable.
 */
export async function isRecentMessage(
  db: Db,
  { account, stamp }: { account: AccountId; stamp: string },
  now: number,
): Promise<boolean> {
  const time = extractTime(stamp)
  if (time !== undefined && time > now - MAX_RECORDED_AGE_MS && time < now + DAY_MS) return true
  try {
    return await withDatabaseTimeout(isStoredMessage(db, account, stamp, new Date(now - MAX_RECORDED_AGE_MS)))
  } catch (error) {
    if (isUnavailableError(error)) return true
    throw error
  }
}
