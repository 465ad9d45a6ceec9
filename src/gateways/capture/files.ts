import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SentSourceKind } from '../../lib/sources.ts'
import { decodeEncodedWords, findMailField, type MailField, parseMailFields } from '../../lib/text/mail/fields.ts'
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
const CAPTURE_ID_PATTERN = /^(\d{4})(\d\d)(\d\d)T\d{9}Z--?\d{10,16}(-\d{1,6})?$/
const DAY_PATTERN = /^\d{4}-\d\d-\d\d$/

/** Content of the .json file stored with a captured message. */
export interface CapturedMessageRecord {
  id: string
  channel: GatewayChannelName
  message: number
  /** ISO 8601, UTC. */
  capturedAt: string
  from: string
  to: string
  /** Subject of a mail; for other messages, their beginning. Absent in messages captured by older versions. */
  subject?: string
  account: number | null
  sourceKind: SentSourceKind | null
  source: number | null
  stamp: string | null
  /** Octets. */
  size: number
  /** SMS only. */
  encoding?: OutgoingSms['encoding']
  segments?: number
  /** Operators alone see it. */
  confidential?: true
}

const getCaptureRoot = (dataDir: string): string => join(dataDir, 'captured')

function parseCaptureDay(id: string): string | undefined {
  const match = CAPTURE_ID_PATTERN.exec(id)
  return match ? `${match[1]}-${match[2]}-${match[3]}` : undefined
}

/** Names in a directory, newest first; none when it is not there. */
async function listNewestFirst(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.sort().reverse()
}

/** Ids of a day, newest first. The .json comes last, so that where it exists the message is complete. */
async function listDayIds(dataDir: string, day: string): Promise<string[]> {
  const names = await listNewestFirst(join(getCaptureRoot(dataDir), day))
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
}

async function listDays(dataDir: string): Promise<string[]> {
  return (await listNewestFirst(getCaptureRoot(dataDir))).filter((name) => DAY_PATTERN.test(name))
}

async function writeAtomically(path: string, content: string | readonly Uint8Array[]): Promise<void> {
  const temporaryPath = `${path}.part`
  await writeFile(temporaryPath, content)
  await rename(temporaryPath, path)
}

/** File suffixes of captured messages, by channel. */
const fileSuffixes = { email: 'eml', sms: 'txt', rcs: 'rcs', notification: 'push' } as const

interface CapturedContent {
  channel: CapturedMessageRecord['channel']
  from: string
  to: string
  subject: string
  pieces: readonly Uint8Array[]
  encoding?: OutgoingSms['encoding']
  segments?: number
  confidential?: true
}

/** The sender and the subject are among the first fields. */
const MAX_HEAD_BYTES = 32 * 1024
const MAX_SUBJECT_LENGTH = 300

const shortenSubject = (text: string): string => text.slice(0, MAX_SUBJECT_LENGTH)

/** The fields at the beginning of a mail. */
function readMailHead(pieces: readonly Uint8Array[]): MailField[] {
  const firstBytes = Buffer.concat(pieces.slice(0, 64).map((piece) => piece.subarray(0, MAX_HEAD_BYTES))).subarray(
    0,
    MAX_HEAD_BYTES,
  )
  const [head = ''] = decodeMailBytes(firstBytes, undefined).split('\n\n', 1)
  return parseMailFields(head)
}

const FROM_ADDRESS_PATTERN = /<([^<>]*)>$/

/** The address in the `From` field, which recipients see. Bounces go to that of the envelope, and mails of accounts have none there. */
function findFromAddress(head: readonly MailField[]): string | undefined {
  const from = findMailField(head, 'from')
  return from && (FROM_ADDRESS_PATTERN.exec(from)?.[1] ?? from)
}

function buildMailContent({ envelope, bytes, isConfidential }: OutgoingMail): CapturedContent {
  const pieces = bytes instanceof Uint8Array ? [bytes] : bytes
  const head = readMailHead(pieces)
  const subject = shortenSubject(decodeEncodedWords(findMailField(head, 'subject') ?? ''))
  return {
    channel: 'email',
    from: findFromAddress(head) ?? envelope.from,
    to: envelope.to,
    subject,
    pieces,
    ...(isConfidential && { confidential: true }),
  }
}

function buildSmsContent({ from, to, text, encoding }: OutgoingSms): CapturedContent {
  const segments = splitSmsText(text, encoding).length
  return { channel: 'sms', from, to, subject: shortenSubject(text), pieces: [Buffer.from(text)], encoding, segments }
}

/** The first words that a rich message shows: its text, or the title of its first card. */
const FIRST_TEXT_PATTERN = /"(?:text|title|description)":("(?:[^"\\]|\\.)*")/

function buildRcsContent({ agent, to, contentMessage }: OutgoingRcs): CapturedContent {
  const firstText = FIRST_TEXT_PATTERN.exec(contentMessage)?.[1]
  const subject = firstText === undefined ? '' : shortenSubject(JSON.parse(firstText))
  return { channel: 'rcs', from: agent, to, subject, pieces: [Buffer.from(contentMessage)] }
}

function buildPushContent({ device, meta, render, tracking, expiresAt, urgent }: OutgoingPush): CapturedContent {
  const text = JSON.stringify({ device, meta, render, tracking, expiresAt: new Date(expiresAt).toISOString(), urgent })
  const { application: from, subscription: to } = meta
  return { channel: 'notification', from, to, subject: shortenSubject(render.title), pieces: [Buffer.from(text)] }
}

function buildCapturedContent(message: OutgoingMessage): CapturedContent {
  if ('device' in message) return buildPushContent(message)
  if ('envelope' in message) return buildMailContent(message)
  return 'contentMessage' in message ? buildRcsContent(message) : buildSmsContent(message)
}

/**
 * Stores one message as `<dataDir>/captured/<yyyy-mm-dd>/<id>.eml` (mail), `.txt` (the text of an SMS, UTF-8), `.rcs` (the
 * JSON of a rich message) or `.push` (of a push), and `.json`. Answers its id. Throws what the disk says.
 */
export async function writeCapturedMessage(dataDir: string, message: OutgoingMessage, timeMs: number): Promise<string> {
  const capturedAt = new Date(timeMs).toISOString()
  const sign = message.id < 0 ? '-' : ''
  const id = `${capturedAt.replace(/[-:.]/g, '')}-${sign}${String(Math.abs(message.id)).padStart(10, '0')}${message.sequence ? `-${message.sequence}` : ''}`
  const directory = join(getCaptureRoot(dataDir), capturedAt.slice(0, 10))
  const { pieces, ...content } = buildCapturedContent(message)
  const metadata: CapturedMessageRecord = {
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
  await writeAtomically(join(directory, `${id}.${fileSuffixes[content.channel]}`), pieces)
  await writeAtomically(join(directory, `${id}.json`), `${JSON.stringify(metadata)}\n`)
  return id
}

async function readMetadata(dataDir: string, id: string): Promise<CapturedMessageRecord | undefined> {
  const day = parseCaptureDay(id)
  if (day === undefined) return undefined
  const text = await readFile(join(getCaptureRoot(dataDir), day, `${id}.json`), 'utf8').catch(() => undefined)
  // Messages captured before there were SMS have no channel.
  return text === undefined ? undefined : { channel: 'email', ...JSON.parse(text) }
}

/** The newest captured messages, newest first; at most 200, whatever `limit` says. */
export async function listCapturedMessages(
  dataDir: string,
  { limit = MAX_LISTED } = {},
): Promise<CapturedMessageRecord[]> {
  const ids: string[] = []
  const maxCount = Math.min(limit, MAX_LISTED)
  for (const day of await listDays(dataDir)) {
    if (ids.length >= maxCount) break
    ids.push(...(await listDayIds(dataDir, day)).slice(0, maxCount - ids.length))
  }
  const capturedRecords = await Promise.all(ids.map((id) => readMetadata(dataDir, id)))
  return capturedRecords.filter((capturedRecord) => capturedRecord !== undefined)
}

/** One captured message with its bytes; undefined for an unknown id. */
export async function readCapturedMessage(
  dataDir: string,
  id: string,
): Promise<(CapturedMessageRecord & { bytes: Buffer }) | undefined> {
  const metadata = await readMetadata(dataDir, id)
  if (metadata === undefined) return undefined
  const file = join(
    getCaptureRoot(dataDir),
    metadata.capturedAt.slice(0, 10),
    `${id}.${fileSuffixes[metadata.channel]}`,
  )
  const bytes = await readFile(file).catch(() => undefined)
  return bytes === undefined ? undefined : { ...metadata, bytes }
}

/** Removes the oldest messages beyond `most`, and days that are empty then. Answers how many remain. */
export async function trimCapturedMessages(dataDir: string, most: number): Promise<number> {
  let storedCount = 0
  for (const day of await listDays(dataDir)) {
    const directory = join(getCaptureRoot(dataDir), day)
    const ids = await listDayIds(dataDir, day)
    const excessIds = ids.slice(Math.max(0, most - storedCount))
    storedCount += ids.length - excessIds.length
    if (excessIds.length === ids.length) await rm(directory, { recursive: true, force: true })
    else for (const id of excessIds) await removeCaptured(directory, id)
  }
  return storedCount
}

async function removeCaptured(directory: string, id: string): Promise<void> {
  await rm(join(directory, `${id}.json`), { force: true })
  for (const suffix of Object.values(fileSuffixes)) await rm(join(directory, `${id}.${suffix}`), { force: true })
}

/** The captured messages of an account, by the stamp of their send: their ids. */
export async function listCapturedStamps(dataDir: string, account: number): Promise<Map<string, string[]>> {
  const idsByStamp = new Map<string, string[]>()
  for (const day of await listDays(dataDir)) {
    for (const id of await listDayIds(dataDir, day)) {
      const metadata = await readMetadata(dataDir, id)
      if (metadata?.account !== account || metadata.stamp === null) continue
      idsByStamp.set(metadata.stamp, [...(idsByStamp.get(metadata.stamp) ?? []), id])
    }
  }
  return idsByStamp
}

/** Removes captured messages; those that do not exist are skipped. */
export async function deleteCapturedMessages(dataDir: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const day = parseCaptureDay(id)
    if (day !== undefined) await removeCaptured(join(getCaptureRoot(dataDir), day), id)
  }
}
