import type { OpenApiJson } from '../../src/http/openapi/document.ts'
import type { StoryCalendar, StoryMoment } from './calendar.ts'
import { createStableIds } from './stable-ids.ts'

/** Gives each value that differs between runs one that does not. The same value has the same replacement everywhere. */
export interface StableValues {
  /** Shows another text, or number, wherever this one stands, as for an address of this machine. */
  replaceText(text: string, replacement: string): void
  /** Leaves out members with a value that only a run on this machine needs; or shows null, as where the value is not given. */
  hideValue(text: string, shown?: null): void
  /** `place`: a name of the body, such as that of its operation. */
  stabilize(body: OpenApiJson, seen: StoryMoment, place: string): OpenApiJson
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)/g
const ISO_DAY = /^\d{4}-\d\d-\d\d$/
const MAIL_TIME = /[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:\+0000|GMT)/g
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[4578][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const TOKEN = /[\w-]{20,}/g
/** Codes of short links, and of links in notifications. */
const SHORT_TOKEN = /(?<=\/(?:s|link)\/)[\w-]{10,12}$/
/** Members that hold a code of a link of a notification. */
const CODE_NAMES = ['impression', 'redirection', 'dismiss', 'global', 'channel']
const CODE = /^(?=.*[A-Z\d_-])[\w-]{12}$/
/** Name that the mail server of a provider gives a message. */
const QUEUE_ID = /^\d+\.\d+$/
/** Digest of a version, which depends on the dates in it. */
const DIGEST = /^[0-9a-f]{64}$/
/** Prefix of the name of an uploaded file. */
const FILE_PREFIX = /\b[0-9A-F]{10}_/g
const SHOWN_FILE_PREFIX = '0A1B2C3D4E_'
const PACKED_JSON = /^eyJ[\w+/-]+={0,2}$/
const PEM_KEY = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/g
const SHOWN_KEY = '-----BEGIN PRIVATE KEY-----\n(contents of the .p8 file)\n-----END PRIVATE KEY-----'
/** The public key of a DKIM record, in one or two strings. */
const DKIM_KEY = /\bp=[\w+/]{40,}={0,2}(?:" "[\w+/]+={0,2})?/g
const SHOWN_DKIM_KEY = 'p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A...'
/** Milliseconds since 1970 that are plausible as times of a run. */
const EPOCH_MS = [1_600_000_000_000, 2_600_000_000_000] as const
/** Members that measure how long something took. */
const DURATIONS: Record<string, number> = { durationMs: 24 }
/** Lines of logs are timed from the start of their script. */
const [MAX_LOG_OFFSET_MS, SHOWN_LOG_OFFSET_MS] = [60_000, 2]

/** Place of a value in a body. */
interface ValuePlace {
  seen: StoryMoment
  /** The body and the way to the value in it. */
  path: string
  /** The member. */
  name: string
}

/** Random tokens mix capitals and small letters with digits, or have capitals side by side; words do not. */
const isRandomToken = (text: string): boolean => /[a-z]/.test(text) && /[A-Z].*\d|\d.*[A-Z]|[A-Z]{2}/.test(text)

/** Replaces times, IDs and tokens within a text. */
function createTextStabilizer(calendar: StoryCalendar): (text: string, place: ValuePlace) => string {
  const ids = createStableIds()
  function replaceUuid(uuid: string, { seen, path }: ValuePlace): string {
    const createdMs = Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)
    return ids.replaceUuid(uuid, path, uuid[14] === '7' ? calendar.translateTime(createdMs, seen) : undefined)
  }
  function translateIso(text: string, seen: StoryMoment): string {
    const ms = Date.parse(text)
    const translated = calendar.translateTime(ms, seen)
    return translated === ms ? text : new Date(translated).toISOString()
  }
  function showMailTime(time: string, seen: StoryMoment): string {
    const shown = new Date(calendar.timeOf(seen)).toUTCString()
    return time.endsWith('GMT') ? shown : shown.replace('GMT', '+0000')
  }
  return (text, place) => {
    const { seen, path, name } = place
    if (ISO_DAY.test(text)) return calendar.translateDay(text)
    if (CODE_NAMES.includes(name) && CODE.test(text)) return ids.replaceToken(text, path)
    if (name === 'fingerprint' || DIGEST.test(text) || (name === 'message' && QUEUE_ID.test(text)))
      return ids.replaceDigest(text, path)
    return text
      .replace(PEM_KEY, SHOWN_KEY)
      .replace(FILE_PREFIX, SHOWN_FILE_PREFIX)
      .replace(DKIM_KEY, SHOWN_DKIM_KEY)
      .replace(MAIL_TIME, (time) => showMailTime(time, seen))
      .replace(ISO_TIME, (time) => translateIso(time, seen))
      .replace(TOKEN, (token) => (isRandomToken(token) ? ids.replaceToken(token, path) : token))
      .replace(SHORT_TOKEN, (code) => ids.replaceToken(code, path))
      .replace(UUID, (uuid) => replaceUuid(uuid, place))
  }
}

/** Creates it. */
export function createStableValues(calendar: StoryCalendar): StableValues {
  const stabilizeText = createTextStabilizer(calendar)
  const texts = new Map<string, string>()
  const hidden = new Map<string, null | undefined>()
  function showTexts(text: string): string {
    let shown = text
    for (const from of [...texts.keys()].sort((a, b) => b.length - a.length))
      shown = shown.replaceAll(from, texts.get(from)!)
    return shown
  }
  /** JSON that is packed in a text of base64, as requests of browsers and webhooks have it. */
  function stabilizePacked(text: string, place: ValuePlace): string {
    const encoding = /[+/=]/.test(text) ? 'base64' : 'base64url'
    const packed = JSON.parse(Buffer.from(text, encoding).toString()) as OpenApiJson
    return Buffer.from(JSON.stringify(stabilizeValue(packed, place))).toString(encoding)
  }
  function stabilizeNumber(value: number, { name, seen }: ValuePlace): number {
    if (name in DURATIONS) return DURATIONS[name]!
    if (name === 'at' && value < MAX_LOG_OFFSET_MS) return SHOWN_LOG_OFFSET_MS
    const shown = texts.get(String(value))
    if (shown !== undefined) return Number(shown)
    return value > EPOCH_MS[0] && value < EPOCH_MS[1] ? calendar.translateTime(value, seen) : value
  }
  function stabilizeValue(value: OpenApiJson | undefined, place: ValuePlace): OpenApiJson | undefined {
    const { path } = place
    if (typeof value === 'string') {
      if (hidden.has(value)) return hidden.get(value)
      return PACKED_JSON.test(value) ? stabilizePacked(value, place) : stabilizeText(showTexts(value), place)
    }
    if (typeof value === 'number') return stabilizeNumber(value, place)
    if (Array.isArray(value))
      return value.map((item, index) => stabilizeValue(item, { ...place, path: `${path}/${index}` }) as OpenApiJson)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        stabilizeText(name, { ...place, path: `${path}/${name}`, name: '' }),
        stabilizeValue(inner, { ...place, path: `${path}/${name}`, name }),
      ]),
    )
  }
  return {
    replaceText: (text, replacement) => void texts.set(text, replacement),
    hideValue: (text, shown) => void hidden.set(text, shown),
    stabilize: (body, seen, place) => stabilizeValue(body, { seen, path: place, name: '' })!,
  }
}
