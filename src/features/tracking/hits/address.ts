import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { findMessage } from '../../../sending/claim/find-messages.ts'
import { readContactFieldText } from '../../contacts/records/find.ts'

/** The address a message went to, else what the contact's address field holds today; null when both are unknown. */
export async function findMessageAddress(
  db: Db,
  { account, stamp, contact }: { account: AccountId; stamp: string; contact: number },
  field: number,
): Promise<string | null> {
  const message = await findMessage(db, account, stamp)
  return message?.address ?? (await readContactFieldText(db, account, contact, field))
}
