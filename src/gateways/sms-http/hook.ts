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

const STATES: Readonly<Record<SmsCallbackStatus, SmsReceiptState>> = {
  delivered: 'DELIVRD',
  failed: 'UNDELIV',
  expired: 'EXPIRED',
  rejected: 'REJECTD',
  unknown: 'UNKNOWN',
  pending: 'ENROUTE',
}

const MAX_ITEMS = 1000
const MAX_DIAGNOSTIC = 2000

type Item = Readonly<Record<string, unknown>>

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The items of a callback: JSON by its content type, else the form in the body, or the query. */
function itemsOf(
  { method, query, contentType = '', body }: SmsCallbackRequest,
  list: string | undefined,
): Item[] | undefined {
  if (method === 'GET') return [Object.fromEntries(new URLSearchParams(query))]
  if (/^application\/x-www-form-urlencoded/i.test(contentType))
    return [Object.fromEntries(new URLSearchParams(body.toString('utf8')))]
  const document = createSmsProviderText(body.toString('utf8')).json()
  const found = list === undefined ? document : findAtPointer(document, list)
  const items = Array.isArray(found) ? found : [found]
  return items.length <= MAX_ITEMS && items.every(isItem) ? items : undefined
}

/** A member by its name, or by a pointer. */
function memberOf(item: Item, where: string): string | undefined {
  return scalarToText(
    where.startsWith('/') ? findAtPointer(item, where) : Object.hasOwn(item, where) ? item[where] : undefined,
  )
}

/** When it happened, in milliseconds: ISO 8601 or Unix time. Absent, invalid or implausible values are now. */
function timeOf(word: string | undefined, now: number): number {
  if (word === undefined) return now
  const number = Number(word)
  const ms = Number.isNaN(number) ? Date.parse(word) : number < 1e11 ? number * 1000 : number
  return ms > now - 30 * DAY_MS && ms < now + DAY_MS ? Math.round(ms) : now
}

function errorOf(word: string | undefined): string | null {
  if (word === undefined || /^0+$/.test(word)) return null
  return /^\d{1,3}$/.test(word) ? word.padStart(3, '0') : word
}

/** What an item is; without a type, one with a status is a report. */
function kindOf(word: (name: 'type' | 'status') => string | undefined, types: SmsHttpSettings['hook']['types']) {
  const type = word('type')
  const known = type === undefined ? undefined : (types[type] ?? type)
  return known ?? (word('status') === undefined ? 'reply' : 'report')
}

function readStatus(word: string | undefined, { statuses }: SmsHttpSettings['hook']): SmsReceiptState {
  const status = word === undefined ? undefined : (statuses[word] ?? word.toLowerCase())
  // An unknown status is not final, and only final ones are events.
  return status !== undefined && Object.hasOwn(STATES, status) ? STATES[status as SmsCallbackStatus] : 'ENROUTE'
}

/**
 * Reads a callback in the form of the contract, or with its members renamed by the settings. Undefined when it is none:
 * not an object or a list of up to 1,000 objects. `now` in milliseconds.
 */
export function parseSmsCallback(
  request: SmsCallbackRequest,
  settings: SmsHttpSettings,
  now: number,
): SmsCallbackContent | undefined {
  const { hook, numbers } = settings
  const items = itemsOf(request, hook.list)
  if (items === undefined) return undefined
  const numberOf = (word = '') => (numbers === 'digits' && /^\d{9,15}$/.test(word) ? `+${word}` : word)
  const found: SmsCallbackContent = { receipts: [], replies: [] }
  for (const item of items) {
    const word = (name: 'type' | 'id' | 'status' | 'error' | 'from' | 'to' | 'text' | 'time') =>
      memberOf(item, hook[name])
    const time = timeOf(word('time'), now)
    const [from, to] = [numberOf(word('from')), numberOf(word('to'))]
    if (kindOf(word, hook.types) === 'report') {
      const diagnostic = JSON.stringify(item).slice(0, MAX_DIAGNOSTIC)
      const said = {
        reference: word('id') ?? '',
        state: readStatus(word('status'), hook),
        error: errorOf(word('error')),
      }
      // A report has the addresses of its message: `to` is the contact.
      found.receipts.push({ ...said, from, to, time, diagnostic })
    } else found.replies.push({ id: word('id') ?? null, from, to, text: word('text') ?? '', time })
  }
  return found
}

/** Whether the hex HMAC-SHA256 of what came (the raw body; of a GET the query string) is the one given, in constant time. */
export function isSmsCallbackSigned(
  secret: string,
  request: SmsCallbackRequest,
  signature: string | undefined,
): boolean {
  const expected = createHmac('sha256', secret)
    .update(request.method === 'GET' ? request.query : request.body)
    .digest()
  const given = Buffer.from(/^[0-9a-f]{64}$/i.test(signature ?? '') ? (signature ?? '') : '', 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
