import { createHmac, timingSafeEqual } from 'node:crypto'
import { DAY_MS } from '../../lib/time/spans.ts'
import type { SmsReceipt, SmsReceiptState, SmsReply } from '../gateway.ts'
import { createSmsProviderText, findAtPointer, scalarToText } from './selector.ts'
import type { SmsCallbackStatus, SmsHttpSettings } from './settings.ts'

/** A callback as it came: the query string without its question mark, and the body. */
export interface SmsCallbackRequest {
  method: 'GET' | 'POST'
  query: string
  contentType: string | undefined
  body: Buffer
}

/** The receipts and replies of a callback, as SMPP gives them. */
export interface SmsCallbackContent {
  receipts: SmsReceipt[]
  replies: SmsReply[]
}

const RECEIPT_STATES: Readonly<Record<SmsCallbackStatus, SmsReceiptState>> = {
  delivered: 'DELIVRD',
  failed: 'UNDELIV',
  expired: 'EXPIRED',
  rejected: 'REJECTD',
  unknown: 'UNKNOWN',
  pending: 'ENROUTE',
}

const MAX_ITEMS = 1000
const MAX_DIAGNOSTIC_LENGTH = 2000

type CallbackItem = Readonly<Record<string, unknown>>

function isCallbackItem(value: unknown): value is CallbackItem {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The items of a callback: JSON by its content type, else the form in the body, or the query. */
function parseCallbackItems(
  { method, query, contentType = '', body }: SmsCallbackRequest,
  list: string | undefined,
): CallbackItem[] | undefined {
  if (method === 'GET') return [Object.fromEntries(new URLSearchParams(query))]
  if (/^application\/x-www-form-urlencoded/i.test(contentType))
    return [Object.fromEntries(new URLSearchParams(body.toString('utf8')))]
  const document = createSmsProviderText(body.toString('utf8')).json()
  const selectedValue = list === undefined ? document : findAtPointer(document, list)
  const items = Array.isArray(selectedValue) ? selectedValue : [selectedValue]
  return items.length <= MAX_ITEMS && items.every(isCallbackItem) ? items : undefined
}

/** A member by its name, or by a pointer. */
function readMember(item: CallbackItem, memberPath: string): string | undefined {
  return scalarToText(
    memberPath.startsWith('/')
      ? findAtPointer(item, memberPath)
      : Object.hasOwn(item, memberPath)
        ? item[memberPath]
        : undefined,
  )
}

/** Parses the time of an item, in milliseconds: ISO 8601 or Unix time. Absent, invalid or implausible values become `now`. */
function parseTime(word: string | undefined, now: number): number {
  if (word === undefined) return now
  const numericTime = Number(word)
  const timeMs = Number.isNaN(numericTime) ? Date.parse(word) : numericTime < 1e11 ? numericTime * 1000 : numericTime
  return timeMs > now - 30 * DAY_MS && timeMs < now + DAY_MS ? Math.round(timeMs) : now
}

function normalizeErrorCode(word: string | undefined): string | null {
  if (word === undefined || /^0+$/.test(word)) return null
  return /^\d{1,3}$/.test(word) ? word.padStart(3, '0') : word
}

/** Determines the kind of an item. Without a type, an item with a status is a report. */
function determineItemKind(
  word: (name: 'type' | 'status') => string | undefined,
  types: SmsHttpSettings['hook']['types'],
) {
  const type = word('type')
  const itemKind = type === undefined ? undefined : (types[type] ?? type)
  return itemKind ?? (word('status') === undefined ? 'reply' : 'report')
}

function readStatus(word: string | undefined, { statuses }: SmsHttpSettings['hook']): SmsReceiptState {
  const status = word === undefined ? undefined : (statuses[word] ?? word.toLowerCase())
  // An unknown status is not final, and only final ones are events.
  return status !== undefined && Object.hasOwn(RECEIPT_STATES, status)
    ? RECEIPT_STATES[status as SmsCallbackStatus]
    : 'ENROUTE'
}

/**
 * Parses a callback in the form of the contract, or with its members renamed by the settings. Returns `undefined` if it is not an object
 * or a list of up to 1,000 objects. `now` is in milliseconds.
 */
export function parseSmsCallback(
  request: SmsCallbackRequest,
  settings: SmsHttpSettings,
  now: number,
): SmsCallbackContent | undefined {
  const { hook, numbers } = settings
  const items = parseCallbackItems(request, hook.list)
  if (items === undefined) return undefined
  const toPhoneNumber = (word = '') => (numbers === 'digits' && /^\d{9,15}$/.test(word) ? `+${word}` : word)
  const callbackContent: SmsCallbackContent = { receipts: [], replies: [] }
  for (const item of items) {
    const readText = (name: 'type' | 'id' | 'status' | 'error' | 'from' | 'to' | 'text' | 'time') =>
      readMember(item, hook[name])
    const time = parseTime(readText('time'), now)
    const [from, to] = [toPhoneNumber(readText('from')), toPhoneNumber(readText('to'))]
    if (determineItemKind(readText, hook.types) === 'report') {
      const diagnostic = JSON.stringify(item).slice(0, MAX_DIAGNOSTIC_LENGTH)
      const receiptFields = {
        reference: readText('id') ?? '',
        state: readStatus(readText('status'), hook),
        error: normalizeErrorCode(readText('error')),
      }
      // A report has the addresses of its message: `to` is the contact.
      callbackContent.receipts.push({ ...receiptFields, from, to, time, diagnostic })
    } else callbackContent.replies.push({ id: readText('id') ?? null, from, to, text: readText('text') ?? '', time })
  }
  return callbackContent
}

/** Returns true if the signature is the hex HMAC-SHA256 of the raw body, or of the query string for a GET. Compares in constant time. */
export function isSmsCallbackSigned(
  secret: string,
  request: SmsCallbackRequest,
  signature: string | undefined,
): boolean {
  const expectedDigest = createHmac('sha256', secret)
    .update(request.method === 'GET' ? request.query : request.body)
    .digest()
  const receivedDigest = Buffer.from(/^[0-9a-f]{64}$/i.test(signature ?? '') ? (signature ?? '') : '', 'hex')
  return receivedDigest.length === expectedDigest.length && timingSafeEqual(receivedDigest, expectedDigest)
}
