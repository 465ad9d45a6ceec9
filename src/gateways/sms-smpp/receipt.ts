import type { SmsReceipt, SmsReceiptState } from '../gateway.ts'
import { type SmppTlvs, smppTags } from './commands.ts'
import type { SmppSettings } from './settings.ts'

/** message_state (5.2.28; 0 and 9 are of SMPP 5.0). */
const STATES: readonly SmsReceiptState[] = [
  'ENROUTE',
  'ENROUTE',
  'DELIVRD',
  'EXPIRED',
  'DELETED',
  'UNDELIV',
  'ACCEPTD',
  'UNKNOWN',
  'REJECTD',
  'UNDELIV',
]

/** What receipts say in `stat:`, by how it begins: message centres abbreviate in many ways. */
const WORDS: readonly [RegExp, SmsReceiptState][] = [
  [/^DELIV/, 'DELIVRD'],
  [/^EXPIR/, 'EXPIRED'],
  [/^DELET/, 'DELETED'],
  [/^(UNDEL|FAIL|SKIP)/, 'UNDELIV'],
  [/^(ACCEP|BUFF)/, 'ACCEPTD'],
  [/^(REJEC|BLOCK)/, 'REJECTD'],
  [/^(ENROU|SCHED|QUEUE)/, 'ENROUTE'],
]

const MAX_DIAGNOSTIC = 2000

type ReceiptId = SmppSettings['receiptId']

/** A whole number as a message centre writes it; undefined when it is none of that base. */
function readNumber(id: string, base: 'hex' | 'dec'): bigint | undefined {
  if (base === 'hex') return /^[0-9a-f]{1,64}$/i.test(id) ? BigInt(`0x${id}`) : undefined
  return /^\d{1,64}$/.test(id) ? BigInt(id) : undefined
}

const write = (value: bigint, base: 'hex' | 'dec'): string =>
  base === 'hex' ? value.toString(16).toUpperCase() : value.toString()

/** The base of ids in answers, where receipts have the other one. */
const ANSWER_BASE = { dec: 'hex', hex: 'dec' } as const

/** An id from an answer in the form it is kept in: where receipts write it otherwise, without leading zeros. */
export function normalizeAnswerId(id: string, receiptId: ReceiptId): string {
  if (receiptId === 'as-is') return id
  const base = ANSWER_BASE[receiptId]
  const value = readNumber(id, base)
  return value === undefined ? id : write(value, base)
}

/** An id from a receipt in the form of `normalizeAnswerId`. */
export function normalizeReceiptId(id: string, receiptId: ReceiptId): string {
  if (receiptId === 'as-is') return id
  const value = readNumber(id, receiptId)
  return value === undefined ? id : write(value, ANSWER_BASE[receiptId])
}

/** What the text of a receipt says (appendix B): `id:… sub:… dlvrd:… submit date:… done date:… stat:… err:… text:…`. */
function readText(text: string): { id?: string; state?: SmsReceiptState; error?: string } {
  const facts = text.split(/\btext:/i)[0] ?? ''
  const word = (pattern: RegExp) => pattern.exec(facts)?.[1]
  const [id, stat, error] = [/\bid:\s*([^\s]+)/i, /\bstat:\s*([a-z]+)/i, /\berr:\s*([0-9a-z]+)/i].map(word)
  const state = stat && (WORDS.find(([pattern]) => pattern.test(stat.toUpperCase()))?.[1] ?? 'UNKNOWN')
  return { ...(id && { id }), ...(state && { state }), ...(error && { error }) }
}

/** Three digits, as MAP errors are written; 0 is no error. */
function errorWord(error: string | undefined): string | null {
  if (error === undefined || /^0+$/.test(error)) return null
  return /^\d{1,3}$/.test(error) ? error.padStart(3, '0') : error
}

/** network_error_code (5.3.2.31): the kind of network, then the code. */
function networkError(tlvs: SmppTlvs): string | undefined {
  const value = tlvs.get(smppTags.networkErrorCode)
  return value?.length === 3 ? String(value[1]! * 256 + value[2]!) : undefined
}

/**
 * What a receipt says: its parameters first, then its text. Undefined when there is neither a parameter nor anything
 * in the text that a receipt has. The reference is `''` when it names no message.
 */
export function parseSmppReceipt(
  text: string,
  tlvs: SmppTlvs,
  receiptId: ReceiptId,
): Pick<SmsReceipt, 'reference' | 'state' | 'error' | 'diagnostic'> | undefined {
  const said = readText(text)
  const idOctets = tlvs.get(smppTags.receiptedMessageId)
  const id = idOctets && Buffer.from(idOctets).toString('latin1').replace(/\0.*$/s, '')
  const stateOctet = tlvs.get(smppTags.messageState)?.[0]
  if (id === undefined && stateOctet === undefined && said.id === undefined && said.state === undefined)
    return undefined
  const state = stateOctet === undefined ? undefined : (STATES[stateOctet] ?? 'UNKNOWN')
  return {
    reference: normalizeReceiptId(id || (said.id ?? ''), receiptId),
    state: state ?? said.state ?? 'UNKNOWN',
    error: errorWord(networkError(tlvs) ?? said.error),
    diagnostic: text.replace(/[\x00-\x1f\x7f]+/g, ' ').slice(0, MAX_DIAGNOSTIC),
  }
}
