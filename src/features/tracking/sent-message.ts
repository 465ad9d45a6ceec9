import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Claimed } from '../messages/claim.ts'
import type { UsedValues } from '../messages/compose.ts'
import type { MessageRequest } from '../messages/outbox.ts'

/** A message that was handed over. */
export interface SentMessage {
  /** Null once the contact was erased. */
  address: string | null
  message: Claimed
  /** What its template used; null while its outcome is not recorded. */
  values: UsedValues | null
}

interface Row {
  channel: Claimed['channel']
  kind: Claimed['kind']
  action: number
  version: number
  contact: number | null
  address: string | null
  thread: string
  set: string
  stamp_time: Date
  request: unknown
  values: unknown
  is_recorded: boolean
  id: number
}
