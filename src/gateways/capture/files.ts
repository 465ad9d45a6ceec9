import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SentSourceKind } from '../../lib/sources.ts'
import { decodeEncodedWords, findMailField, parseMailFields } from '../../lib/text/mail/fields.ts'
import { decodeMailBytes } from '../../lib/text/mail/part-text.ts'
import { splitSmsText } from '../../lib/text/sms.ts'
import type { GatewayChannelName, OutgoingMail, OutgoingMessage, OutgoingSms } from '../gateway.ts'
import type { OutgoingPush } from '../push-message.ts'
import type { OutgoingRcs } from '../rcs-message.ts'

/** The page that shows captured messages shows this many at most. */
const MAX_LISTED = 200

/**
 * `20260320T080000123Z-0000012345`: the time and the message, whose id may be negative, and after its first delivery which
 * one it is. Sorts by time, and contains the day.
 */
const ID = /^(\d{4})(\d\d)(\d\d)T\d{9}Z--?\d{10,16}(-\d{1,6})?$/
const DAY = /^\d{4}-\d\d-\d\d$/

/** The content of the .json beside a captured message. */
export interface CapturedMessageRecord {
  id: string
  channel: GatewayChannelName
  message: number
  /** ISO 8601, UTC. */
  capturedAt: string
  from: string
  to: string
  /** Of a mail; of other messages how they begin. Messages captured before it was kept have none. */
  subject?: string
  account: number | null
  sourceKind: SentSourceKind | null
  source: number | null
  stamp: string | null
  /** Octets. */
  size: number
  /** Of an SMS. */
  encoding?: OutgoingSms['encoding']
  segments?: number
  /** Operators alone see it. */
  confidential?: true
}

const rootOf = (dataDir: string): string => join(dataDir, 'captured')

function dayOf(id: string): string | undefined {
  const match = ID.exec(id)
  return match ? `${match[1]}-${match[2]}-${match[3]}` : undefined
}

/** Names in a directory, newest first; none when it is not there. */
async function newestFirst(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.sort().reverse()
}

/** Ids of a day, newest first. The .json comes last, so that where it exists the message is complete. */
async function idsOf(dataDir: string, day: string): Promise<string[]> {
  const names = await newestFirst(join(rootOf(dataDir), day))
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
}

async function daysOf(dataDir: string): Promise<string[]> {
  return (await newestFirst(rootOf(dataDir))).filter((name) => DAY.test(name))
}

async function writeAtomically(path: string, content: string | readonly Uint8Array[]): Promise<void> {
  const draft = `${path}.part`
  await writeFile(draft, content)
  await rename(draft, path)
}

/** How the files of a channel's messages end. */
const suffixes = { email: 'eml', sms: 'txt', rcs: 'rcs', notification: 'push' } as const

interface Content {
  channel: CapturedMessageRecord['channel']
  from: string
  to: string
  subject: string
  pieces: readonly Uint8Array[]
  encoding?: OutgoingSms['encoding']
  segments?: number
  confidential?: true
}

/** A subject is among the first fields. */
const HEAD_BYTES = 32 * 1024
const MAX_SUBJECT = 300

const shortened = (text: string): string => text.slice(0, MAX_SUBJECT)

function subjectOf(pieces: readonly Uint8Array[]): string {
  const start = Buffer.concat(pieces.slice(0, 64).map((piece) => piece.subarray(0, HEAD_BYTES))).subarray(0, HEAD_BYTES)
  const [head = ''] = decodeMailBytes(start, undefined).split('\n\n', 1)
  return shortened(decodeEncodedWords(findMailField(parseMailFields(head), 'subject') ?? ''))
}

function mailContent({ envelope, bytes, isConfidential }: OutgoingMail): Content {
  const pieces = bytes instanceof Uint8Array ? [bytes] : bytes
  const subject = subjectOf(pieces)
  return { channel: 'email', ...envelope, subject, pieces, ...(isConfidential && { confidential: true }) }
}

function smsContent({ from, to, text, encoding }: OutgoingSms): Content {
  const segments = splitSmsText(text, encoding).length
  return { channel: 'sms', from, to, subject: shortened(text), pieces: [Buffer.from(text)], encoding, segments }
}

/** The first words that a rich message shows: its text, or the title of its first card. */
const FIRST_WORDS = /"(?:text|title|description)":("(?:[^"\\]|\\.)*")/

function rcsContent({ agent, to, contentMessage }: OutgoingRcs): Content {
  const words = FIRST_WORDS.exec(contentMessage)?.[1]
  const subject = words === undefined ? '' : shortened(JSON.parse(words))
  return { channel: 'rcs', from: agent, to, subject, pieces: [Buffer.from(contentMessage)] }
}

function pushContent({ device, meta, render, tracking, expiresAt, urgent }: OutgoingPush): Content {
  const text = JSON.stringify({ device, meta, render, tracking, expiresAt: new Date(expiresAt).toISOString(), urgent })
  const { application: from, subscription: to } = meta
  return { channel: 'notification', from, to, subject: shortened(render.title), pieces: [Buffer.from(text)] }
}

function contentOf(message: OutgoingMessage): Content {
  if ('device' in message) return pushContent(message)
  if ('envelope' in message) return mailContent(message)
  return 'contentMessage' in message ? rcsContent(message) : smsContent(message)
}

/**
 * Stores one message as `<dataDir>/captured/<yyyy-mm-dd>/<id>.eml` (mail), `.txt` (the text of an SMS, UTF-8), `.rcs` (the
 * JSON of a rich message) or `.push` (of a push), and `.json`. Answers its id. Throws what the disk says.
 */
export async function writeCapturedMessage(dataDir: string, message: OutgoingMessage, timeMs: number): Promise<string> {
  const capturedAt = new Date(timeMs).toISOString()
  const sign = message.id < 0 ? '-' : ''
  const id = `${capturedAt.replace(/[-:.]/g, '')}-${sign}${String(Math.abs(message.id)).padStart(10, '0')}${message.sequence ? `-${message.sequence}` : ''}`
  const directory = join(rootOf(dataDir), capturedAt.slice(0, 10))
  const { pieces, ...content } = contentOf(message)
  const about: CapturedMessageRecord = {
    ...content,
    id,
    message: message.id,
    capturedAt,
    account: message.origin?.account ?? null,
    sourceKind: message.origin?.sourceKind ?? null,
    source: message.origin?.source ?? null,
    stamp: message.origin?.stamp ?? null,
    size: pieces.reduce((sum, piece) => sum + piece.length, 0),
  }
  await mkdir(directory, { recursive: true })
  await writeAtomically(join(directory, `${id}.${suffixes[content.channel]}`), pieces)
  await writeAtomically(join(directory, `${id}.json`), `${JSON.stringify(about)}\n`)
  return id
}

async function readMetadata(dataDir: string, id: string): Promise<CapturedMessageRecord | undefined> {
  const day = dayOf(id)
  if (day === undefined) return undefined
  const text = await readFile(join(rootOf(dataDir), day, `${id}.json`), 'utf8').catch(() => undefined)
  // Messages captured before there were SMS have no channel.
  return text === undefined ? undefined : { channel: 'email', ...JSON.parse(text) }
}

/** The newest captured messages, newest first; at most 200, whatever `limit` says. */
export async function listCapturedMessages(
  dataDir: string,
  { limit = MAX_LISTED } = {},
): Promise<CapturedMessageRecord[]> {
  const ids: string[] = []
  const most = Math.min(limit, MAX_LISTED)
  for (const day of await daysOf(dataDir)) {
    if (ids.length >= most) break
    ids.push(...(await idsOf(dataDir, day)).slice(0, most - ids.length))
  }
  const found = await Promise.all(ids.map((id) => readMetadata(dataDir, id)))
  return found.filter((one) => one !== undefined)
}

/** One captured message with its bytes; undefined for an unknown id. */
export async function readCapturedMessage(
  dataDir: string,
  id: string,
): Promise<(CapturedMessageRecord & { bytes: Buffer }) | undefined> {
  const about = await readMetadata(dataDir, id)
  if (about === undefined) return undefined
  const file = join(rootOf(dataDir), about.capturedAt.slice(0, 10), `${id}.${suffixes[about.channel]}`)
  const bytes = await readFile(file).catch(() => undefined)
  return bytes === undefined ? undefined : { ...about, bytes }
}

/** Removes the oldest messages beyond `most`, and days that are empty then. Answers how many remain. */
export async function trimCapturedMessages(dataDir: string, most: number): Promise<number> {
  let kept = 0
  for (const day of await daysOf(dataDir)) {
    const directory = join(rootOf(dataDir), day)
    const ids = await idsOf(dataDir, day)
    const over = ids.slice(Math.max(0, most - kept))
    kept += ids.length - over.length
    if (over.length === ids.length) await rm(directory, { recursive: true, force: true })
    else for (const id of over) await removeCaptured(directory, id)
  }
  return kept
}

async function removeCaptured(directory: string, id: string): Promise<void> {
  await rm(join(directory, `${id}.json`), { force: true })
  for (const suffix of Object.values(suffixes)) await rm(join(directory, `${id}.${suffix}`), { force: true })
}

/** The captured messages of an account, by the stamp of their send: their ids. */
export async function listCapturedStamps(dataDir: string, account: number): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>()
  for (const day of await daysOf(dataDir)) {
    for (const id of await idsOf(dataDir, day)) {
      const about = await readMetadata(dataDir, id)
      if (about?.account !== account || about.stamp === null) continue
      ids.set(about.stamp, [...(ids.get(about.stamp) ?? []), id])
    }
  }
  return ids
}

/** Removes captured messages; those that do not exist are skipped. */
export async function deleteCapturedMessages(dataDir: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const day = dayOf(id)
    if (day !== undefined) await removeCaptured(join(rootOf(dataDir), day), id)
  }
}
