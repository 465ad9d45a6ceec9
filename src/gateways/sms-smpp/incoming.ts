import type { Clock } from '../../lib/time/clock.ts'
import type { Inbox, SmsReply } from '../gateway.ts'
import { type Fields, type Tlvs, tags } from './commands.ts'
import type { DeliverPdu } from './link.ts'
import { type PartStore, type ReplyPart, storePart } from './part-store.ts'
import { readReceipt } from './receipt.ts'
import type { SmppSettings } from './settings.ts'
import { status } from './status.ts'
import { decodeText } from './text.ts'
import { userDataOf } from './user-data.ts'

/** Stores the receipts and replies of one message centre. */
export interface Receiver {
  name: string
  settings: SmppSettings
  inbox: Inbox
  store: PartStore
  clock: Clock
}

/** The kinds of esm_class (5.2.12): a delivery receipt, and an intermediate notification. */
const KIND = 0x3c
const RECEIPTS: readonly number[] = [0x04, 0x20]

const INTERNATIONAL = 1

/** A number as messages have it: with a plus sign when it is international. */
function numberOf(ton: number, address: string): string {
  return ton === INTERNATIONAL && /^\d+$/.test(address) ? `+${address}` : address
}

function partiesOf(fields: Fields<'data_sm'> | Fields<'deliver_sm'>) {
  return {
    source: numberOf(fields.sourceTon, fields.source),
    destination: numberOf(fields.destinationTon, fields.destination),
  }
}

const textOf = ({ octets, dataCoding }: ReplyPart, settings: SmppSettings): string =>
  decodeText(Buffer.from(octets, 'base64'), dataCoding, settings)

/** Octets of one alphabet are read as one: a pair of UTF-16 or GSM codes may have been divided. */
function joinParts(parts: readonly ReplyPart[], settings: SmppSettings): string {
  const [first] = parts
  const isWhole = first !== undefined && parts.length === first.total
  if (!isWhole || parts.some(({ dataCoding }) => dataCoding !== first.dataCoding))
    return parts.map((part) => textOf(part, settings)).join('')
  const octets = Buffer.concat(parts.map((part) => Buffer.from(part.octets, 'base64')))
  return decodeText(octets, first.dataCoding, settings)
}

/** Stores a reply that came in parts. */
export async function storeReply({ name, inbox, settings, clock }: Receiver, parts: ReplyPart[]): Promise<void> {
  const [first] = parts
  if (first === undefined) return
  const { id, from, to } = first
  await inbox.onReply(name, { id, from, to, text: joinParts(parts, settings), time: clock.now() })
}

/** Some message centres do not set esm_class: then the parameters show that it is a receipt. */
function isReceipt(esmClass: number, tlvs: Tlvs): boolean {
  return RECEIPTS.includes(esmClass & KIND) || (tlvs.has(tags.receiptedMessageId) && tlvs.has(tags.messageState))
}

async function handle(receiver: Receiver, { fields, tlvs }: DeliverPdu): Promise<void> {
  const { name, settings, inbox, store, clock } = receiver
  const { dataCoding } = fields
  const { octets, concatenation } = userDataOf(fields, tlvs)
  const { source, destination } = partiesOf(fields)
  const text = decodeText(octets, dataCoding, settings)
  if (isReceipt(fields.esmClass, tlvs)) {
    const receipt = readReceipt(text, tlvs, settings.receiptId)
    // A receipt without content is acknowledged and dropped: it would be as empty the next time.
    if (receipt) await inbox.onReceipt(name, { ...receipt, to: source, from: destination, time: clock.now() })
    return
  }
  const reply: Pick<SmsReply, 'id' | 'from' | 'to'> = { id: null, from: source, to: destination }
  if (concatenation === undefined) {
    await inbox.onReply(name, { ...reply, text, time: clock.now() })
    return
  }
  const part = { ...reply, ...concatenation, dataCoding, octets: Buffer.from(octets).toString('base64') }
  await storePart(store, part, (parts) => storeReply(receiver, parts))
}

/** The command_status of the answer: 0 when it is stored, else one that asks for redelivery. Never rejects. */
export async function receive(receiver: Receiver, pdu: DeliverPdu): Promise<number> {
  try {
    await handle(receiver, pdu)
    return 0
  } catch {
    return status.ESME_RX_T_APPN
  }
}
