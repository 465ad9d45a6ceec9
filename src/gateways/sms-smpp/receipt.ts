import type { SmsReceipt, SmsReceiptState } from '../gateway.ts'
import { type SmppTlvs, smppTags } from './commands.ts'
import type { SmppSettings } from './settings.ts'

/** message_state (5.2.28; 0 and 9 are of SMPP 5.0). */
const RECEIPT_STATES: readonly SmsReceiptState[] = [
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

/** Receipt states by the beginning of `stat:`, which message centres abbreviate in many ways. */
const STATE_PATTERNS: readonly [RegExp, SmsReceiptState][] = [
  [/^DELIV/, 'DELIVRD'],
  [/^EXPIR/, 'EXPIRED'],
  [/^DELET/, 'DELETED'],
  [/^(UNDEL|FAIL|SKIP)/, 'UNDELIV'],
  [/^(ACCEP|BUFF)/, 'ACCEPTD'],
  [/^(REJEC|BLOCK)/, 'REJECTD'],
  [/^(ENROU|SCHED|QUEUE)/, 'ENROUTE'],
]

const MAX_DIAGNOSTIC_LENGTH = 2000

type ReceiptId = SmppSettings['receiptId']

/** Parses a whole number written by a message centre; `undefined` if it is not valid in that base. */
function parseNumericId(id: string, base: 'hex' | 'dec'): bigint | undefined {
  if (base === 'hex') return /^[0-9a-f]{1,64}$/i.test(id) ? BigInt(`0x${id}`) : undefined
  return /^\d{1,64}$/.test(id) ? BigInt(id) : undefined
}

const formatNumericId = (value: bigint, base: 'hex' | 'dec'): string =>
  base === 'hex' ? value.toString(16).toUpperCase() : value.toString()

/** The base of ids in answers, where receipts have the other one. */
const ANSWER_BASES = { dec: 'hex', hex: 'dec' } as const

/** An id from an answer in the form it is kept in: where receipts write it otherwise, without leading zeros. */
export function normalizeAnswerId(id: string, receiptId: ReceiptId): string {
  if (receiptId === 'as-is') return id
  const base = ANSWER_BASES[receiptId]
  const value = parseNumericId(id, base)
  return value === undefined ? id : formatNumericId(value, base)
}

/** An id from a receipt in the form of `normalizeAnswerId`. */
export function normalizeReceiptId(id: string, receiptId: ReceiptId): string {
  if (receiptId === 'as-is') return id
  const value = parseNumericId(id, receiptId)
  return value === undefined ? id : formatNumericId(value, ANSWER_BASES[receiptId])
}

/** Parses the text of a receipt (SMPP 3.4, appendix B): `id:… sub:… dlvrd:… submit date:… done date:… stat:… err:… text:…`. */
function parseReceiptText(text: string): { id?: string; state?: SmsReceiptState; error?: string } {
  const receiptText = text.split(/\btext:/i)[0] ?? ''
  const matchField = (pattern: RegExp) => pattern.exec(receiptText)?.[1]
  const [id, stateWord, error] = [/\bid:\s*([^\s]+)/i, /\bstat:\s*([a-z]+)/i, /\berr:\s*([0-9a-z]+)/i].map(matchField)
  const state =
    stateWord && (STATE_PATTERNS.find(([pattern]) => pattern.test(stateWord.toUpperCase()))?.[1] ?? 'UNKNOWN')
  return { ...(id && { id }), ...(state && { state }), ...(error && { error }) }
}

/** Three digits, as MAP errors are written; 0 is no error. */
function normalizeErrorCode(error: string | undefined): string | null {
  if (error === undefined || /^0+$/.test(error)) return null
  return /^\d{1,3}$/.test(error) ? error.padStart(3, '0') : error
}

/** network_error_code (5.3.2.31): the kind of network, then the code. */
function readNetworkError(tlvs: SmppTlvs): string | undefined {
  const value = tlvs.get(smppTags.networkErrorCode)
  return value?.length === 3 ? String(value[1]! * 256 + value[2]!) : undefined
}

/**
 * Parses a receipt: its parameters take precedence over its text. Returns `undefined` if neither contains any receipt data. The reference
 * is `''` if it does not name a message.
 */
export function parseSmppReceipt(
  text: string,
  tlvs: SmppTlvs,
  receiptId: ReceiptId,
): Pick<SmsReceipt, 'reference' | 'state' | 'error' | 'diagnostic'> | undefined {
  const textFields = parseReceiptText(text)
  const idOctets = tlvs.get(smppTags.receiptedMessageId)
  const id = idOctets && Buffer.from(idOctets).toString('latin1').replace(/\0.*$/s, '')
  const stateOctet = tlvs.get(smppTags.messageState)?.[0]
  if (id === undefined && stateOctet === undefined && textFields.id === undefined && textFields.state === undefined)
    return undefined
  const state = stateOctet === undefined ? undefined : (RECEIPT_STATES[stateOctet] ?? 'UNKNOWN')
  return {
    reference: normalizeReceiptId(id || (textFields.id ?? ''), receiptId),
    state: state ?? textFields.state ?? 'UNKNOWN',
    error: normalizeErrorCode(readNetworkError(tlvs) ?? textFields.error),
    diagnostic: text.replace(/[\x00-\x1f\x7f]+/g, ' ').slice(0, MAX_DIAGNOSTIC_LENGTH),
  }
}
