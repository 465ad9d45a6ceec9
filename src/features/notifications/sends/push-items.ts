import type { MessageRequest } from '../../../channels/message.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { toVariablesByName } from '../content/renders.ts'
import type { PushItem, PushReceiver } from '../item-schemas.ts'
import type { PushExpiration } from '../notification-schemas.ts'
import type { StoredNotification } from '../stored.ts'
import { computePushExpiry, parsePushExpiration } from './expirations.ts'
import { type FoundPushReceiver, parsePushReceiver, type RequestedReceiver } from './receivers.ts'

/** Bytes of `data` of one item, as JSON. */
const MAX_ITEM_DATA_BYTES = 256 * 1024

/** An item that is sound. */
export interface ParsedPushItem {
  item: PushItem
  /** Pointer to it. */
  at: string
  /** Recipient as written in the request. */
  recipient: PushReceiver
  named: RequestedReceiver
  expiration: PushExpiration | null
}

function parseItem(item: PushItem, at: string, faults: ProblemFault[]): ParsedPushItem[] {
  const recipient = item.recipient ?? item.receiver
  if (!recipient) {
    faults.push({ pointer: `${at}/recipient`, detail: 'is required' })
    return []
  }
  const parsedReceiver = parsePushReceiver(recipient, `${at}/${item.recipient ? 'recipient' : 'receiver'}`, faults)
  const expiration = item.expiration ? parsePushExpiration(item.expiration, `${at}/expiration`, faults) : null
  return parsedReceiver ? [{ item, at, recipient, named: parsedReceiver, expiration }] : []
}

/** Reads the items of a request. Throws 400 with all that is wrong with them. */
export function parsePushItems(items: readonly PushItem[], isList: boolean): ParsedPushItem[] {
  const faults: ProblemFault[] = []
  const parsedItems = items.flatMap((item, index) => parseItem(item, isList ? `/${index}` : '', faults))
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return parsedItems
}

/** True if the data of an item exceeds the size that a message may have. */
export function hasOversizedPushData({ data }: PushItem): boolean {
  return data != null && Buffer.byteLength(JSON.stringify(data)) > MAX_ITEM_DATA_BYTES
}

/** Part of an item that its message stores. */
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

/** Expiry of the message of an item that is accepted now. */
export function computePushItemExpiry({ expiration }: ParsedPushItem, row: StoredNotification, now: number): Date {
  return new Date(computePushExpiry(expiration ?? row.expiration, now))
}
