import type { MessageRequest } from '../../../channels/message.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { toVariablesByName } from '../content/renders.ts'
import type { PushItem, PushReceiver } from '../item-schemas.ts'
import type { PushExpiration } from '../notification-schemas.ts'
import type { StoredNotification } from '../stored.ts'
import { computePushExpiry, parsePushExpiration } from './expirations.ts'
import { type FoundPushReceiver, parsePushReceiver, type RequestedReceiver } from './receivers.ts'

/** Bytes of `data` of one item, as JSON. */
const MAX_DATA_BYTES = 256 * 1024

/** An item that is sound. */
export interface ParsedPushItem {
  item: PushItem
  /** Pointer to it. */
  at: string
  /** Whom it names, as it was given. */
  recipient: PushReceiver
  named: RequestedReceiver
  expiration: PushExpiration | null
}

function readItem(item: PushItem, at: string, faults: ProblemFault[]): ParsedPushItem[] {
  const recipient = item.recipient ?? item.receiver
  if (!recipient) {
    faults.push({ pointer: `${at}/recipient`, detail: 'is required' })
    return []
  }
  const named = parsePushReceiver(recipient, `${at}/${item.recipient ? 'recipient' : 'receiver'}`, faults)
  const expiration = item.expiration ? parsePushExpiration(item.expiration, `${at}/expiration`, faults) : null
  return named ? [{ item, at, recipient, named, expiration }] : []
}

/** Reads the items of a request. Throws 400 with all that is wrong with them. */
export function parsePushItems(items: readonly PushItem[], isList: boolean): ParsedPushItem[] {
  const faults: ProblemFault[] = []
  const read = items.flatMap((item, index) => readItem(item, isList ? `/${index}` : '', faults))
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return read
}

/** Whether an item brings more data than a message holds. */
export function hasOversizedPushData({ data }: PushItem): boolean {
  return data != null && Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES
}

/** What a message keeps of its item. */
export function toStoredPushRequest(
  item: PushItem,
  { subscription }: FoundPushReceiver,
  related: number | null,
): MessageRequest {
  const { data, urgent } = item
  const variables = toVariablesByName(item)
  return {
    ...(data && { data }),
    ...(variables && { variables }),
    ...(related !== null && { related }),
    ...(subscription !== null && { subscription }),
    ...(urgent != null && { urgent }),
  }
}

/** When the message of an item that is accepted now expires. */
export function computePushItemExpiry({ expiration }: ParsedPushItem, row: StoredNotification, now: number): Date {
  return new Date(computePushExpiry(expiration ?? row.expiration, now))
}
