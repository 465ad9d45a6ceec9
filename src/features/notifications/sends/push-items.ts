import type { MessageRequest } from '../../../channels/message.ts'
import { type Fault, invalid } from '../../../lib/errors/problem.ts'
import { variablesOf } from '../content/renders.ts'
import type { PushItem, Receiver } from '../item-schemas.ts'
import type { Expiration } from '../notification-schemas.ts'
import type { StoredNotification } from '../stored.ts'
import { expiryOf, readExpiration } from './expirations.ts'
import { type FoundReceiver, type NamedReceiver, readReceiver } from './receivers.ts'

/** Bytes of `data` of one item, as JSON. */
const MAX_DATA_BYTES = 256 * 1024

/** An item that is sound. */
export interface ReadItem {
  item: PushItem
  /** Pointer to it. */
  at: string
  /** Whom it names, as it was given. */
  recipient: Receiver
  named: NamedReceiver
  expiration: Expiration | null
}

function readItem(item: PushItem, at: string, faults: Fault[]): ReadItem[] {
  const recipient = item.recipient ?? item.receiver
  if (!recipient) {
    faults.push({ pointer: `${at}/recipient`, detail: 'is required' })
    return []
  }
  const named = readReceiver(recipient, `${at}/${item.recipient ? 'recipient' : 'receiver'}`, faults)
  const expiration = item.expiration ? readExpiration(item.expiration, `${at}/expiration`, faults) : null
  return named ? [{ item, at, recipient, named, expiration }] : []
}

/** Reads the items of a request. Throws 400 with all that is wrong with them. */
export function readItems(items: readonly PushItem[], isList: boolean): ReadItem[] {
  const faults: Fault[] = []
  const read = items.flatMap((item, index) => readItem(item, isList ? `/${index}` : '', faults))
  if (faults.length > 0) throw invalid(faults)
  return read
}

/** Whether an item brings more data than a message holds. */
export function hasTooMuchData({ data }: PushItem): boolean {
  return data != null && Buffer.byteLength(JSON.stringify(data)) > MAX_DATA_BYTES
}

/** What a message keeps of its item. */
export function requestOf(item: PushItem, { subscription }: FoundReceiver, related: number | null): MessageRequest {
  const { data, urgent } = item
  const variables = variablesOf(item)
  return {
    ...(data && { data }),
    ...(variables && { variables }),
    ...(related !== null && { related }),
    ...(subscription !== null && { subscription }),
    ...(urgent != null && { urgent }),
  }
}

/** When the message of an item that is accepted now expires. */
export function endOf({ expiration }: ReadItem, row: StoredNotification, now: number): Date {
  return new Date(expiryOf(expiration ?? row.expiration, now))
}
