import type { Clock } from '../../lib/time/clock.ts'
import type { SmsInbox, SmsReply } from '../gateway.ts'
import { type SmppFields, type SmppTlvs, smppTags } from './commands.ts'
import type { SmppDeliverPdu } from './link.ts'
import { type SmsReplyPart, type SmsReplyPartStore, storeSmsReplyPart } from './part-store.ts'
import { parseSmppReceipt } from './receipt.ts'
import type { SmppSettings } from './settings.ts'
import { smppStatusCodes } from './status.ts'
import { decodeSmppText } from './text.ts'
import { readSmppUserData } from './user-data.ts'

/** Stores the receipts and replies of one message centre. */
export interface SmppReceiver {
  name: string
  settings: SmppSettings
  inbox: SmsInbox
  store: SmsReplyPartStore
  clock: Clock
}

/** The kinds of esm_class (5.2.12): a delivery receipt, and an intermediate notification. */
const MESSAGE_KIND_MASK = 0x3c
const RECEIPT_KINDS: readonly number[] = [0x04, 0x20]

const INTERNATIONAL_TON = 1

/** A number as messages have it: with a plus sign when it is international. */
function formatNumber(ton: number, address: string): string {
  return ton === INTERNATIONAL_TON && /^\d+$/.test(address) ? `+${address}` : address
}

function readParties(fields: SmppFields<'data_sm'> | SmppFields<'deliver_sm'>) {
  return {
    source: formatNumber(fields.sourceTon, fields.source),
    destination: formatNumber(fields.destinationTon, fields.destination),
  }
}

const decodePart = ({ octets, dataCoding }: SmsReplyPart, settings: SmppSettings): string =>
  decodeSmppText(Buffer.from(octets, 'base64'), dataCoding, settings)

/** Octets of one alphabet are read as one: a pair of UTF-16 or GSM codes may have been divided. */
function joinParts(parts: readonly SmsReplyPart[], settings: SmppSettings): string {
  const [firstPart] = parts
  const isComplete = firstPart !== undefined && parts.length === firstPart.total
  if (!isComplete || parts.some(({ dataCoding }) => dataCoding !== firstPart.dataCoding))
    return parts.map((part) => decodePart(part, settings)).join('')
  const octets = Buffer.concat(parts.map((part) => Buffer.from(part.octets, 'base64')))
  return decodeSmppText(octets, firstPart.dataCoding, settings)
}

/** Stores a reply that came in parts. */
export async function storeMultipartReply(
  { name, inbox, settings, clock }: SmppReceiver,
  parts: SmsReplyPart[],
): Promise<void> {
  const [firstPart] = parts
  if (firstPart === undefined) return
  const { id, from, to } = firstPart
  await inbox.onReply(name, { id, from, to, text: joinParts(parts, settings), time: clock.now() })
}

/** Some message centres do not set esm_class: then the parameters show that it is a receipt. */
function isDeliveryReceipt(esmClass: number, tlvs: SmppTlvs): boolean {
  return (
    RECEIPT_KINDS.includes(esmClass & MESSAGE_KIND_MASK) ||
    (tlvs.has(smppTags.receiptedMessageId) && tlvs.has(smppTags.messageState))
  )
}

async function handleDeliver(receiver: SmppReceiver, { fields, tlvs }: SmppDeliverPdu): Promise<void> {
  const { name, settings, inbox, store, clock } = receiver
  const { dataCoding } = fields
  const { octets, concatenation } = readSmppUserData(fields, tlvs)
  const { source: sourceNumber, destination } = readParties(fields)
  const text = decodeSmppText(octets, dataCoding, settings)
  if (isDeliveryReceipt(fields.esmClass, tlvs)) {
    const receipt = parseSmppReceipt(text, tlvs, settings.receiptId)
    // A receipt without content is acknowledged and dropped: it would be as empty the next time.
    if (receipt) await inbox.onReceipt(name, { ...receipt, to: sourceNumber, from: destination, time: clock.now() })
    return
  }
  const reply: Pick<SmsReply, 'id' | 'from' | 'to'> = { id: null, from: sourceNumber, to: destination }
  if (concatenation === undefined) {
    await inbox.onReply(name, { ...reply, text, time: clock.now() })
    return
  }
  const part = { ...reply, ...concatenation, dataCoding, octets: Buffer.from(octets).toString('base64') }
  await storeSmsReplyPart(store, part, (parts) => storeMultipartReply(receiver, parts))
}

/** The command_status of the answer: 0 when it is stored, else one that asks for redelivery. Never rejects. */
export async function receiveSmppPdu(receiver: SmppReceiver, pdu: SmppDeliverPdu): Promise<number> {
  try {
    await handleDeliver(receiver, pdu)
    return 0
  } catch {
    return smppStatusCodes.ESME_RX_T_APPN
  }
}
