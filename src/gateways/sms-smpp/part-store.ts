import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../lib/time/clock.ts'

/** One part of a reply that came in several, as it is stored. Octets in base64. */
const SmsReplyPart = Type.Object({
  id: Type.Union([Type.String(), Type.Null()]),
  from: Type.String(),
  to: Type.String(),
  reference: Type.Integer(),
  total: Type.Integer(),
  number: Type.Integer(),
  dataCoding: Type.Integer(),
  octets: Type.String(),
})

export interface SmsReplyPart {
  id: string | null
  from: string
  to: string
  reference: number
  total: number
  number: number
  dataCoding: number
  octets: string
}

/**
 * Stores parts until the message is complete: as files below the data directory, so that parts received by different
 * threads and processes of one machine are joined, and survive a crash.
 */
export interface SmsReplyPartStore {
  directory: string
  clock: Clock
}

/** Handsets send the parts of a message within seconds. An incomplete message is passed on as it is after this time. */
const INCOMPLETE_MS = 3600_000
/** A complete message is passed on within seconds; one taken so long ago was abandoned by a crash. */
const ABANDONED_CLAIM_MS = 600_000

const CLAIMED_SUFFIX = '.taken'

const computeDigest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

/** `centre` identifies a message centre: parts of different ones are never joined. */
export function createSmsReplyPartStore(dataDir: string, centre: readonly unknown[], clock: Clock): SmsReplyPartStore {
  return { directory: join(dataDir, 'reply-parts', computeDigest(centre)), clock }
}

function computeMessageKey({ from, to, reference, total }: SmsReplyPart): string {
  return createHash('sha256')
    .update(JSON.stringify([from, to, reference, total]))
    .digest('hex')
    .slice(0, 32)
}

async function listNames(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}

const filterPartNames = (partNames: readonly string[]): string[] =>
  partNames.filter((name) => /^\d{1,3}\.json$/.test(name))

/** Renaming the directory claims it; undefined: another process was first. */
async function claimDirectory(directory: string): Promise<string | undefined> {
  const claimedPath = `${directory}${CLAIMED_SUFFIX}`
  return rename(directory, claimedPath).then(
    () => claimedPath,
    () => undefined,
  )
}

async function readParts(directory: string): Promise<SmsReplyPart[]> {
  const partNames = filterPartNames(await listNames(directory))
  const parts = await Promise.all(
    partNames.map(async (name) => JSON.parse(await readFile(join(directory, name), 'utf8')) as unknown),
  )
  return parts.filter((part) => Value.Check(SmsReplyPart, part)).sort((a, b) => a.number - b.number)
}

/** Passes claimed parts on, and deletes them; when that fails they are stored again, and the error is thrown. */
async function deliverParts(claimedPath: string, pass: (parts: SmsReplyPart[]) => Promise<void>): Promise<void> {
  try {
    const parts = await readParts(claimedPath)
    if (parts.length > 0) await pass(parts)
  } catch (error) {
    await rename(claimedPath, claimedPath.slice(0, -CLAIMED_SUFFIX.length)).catch(() => undefined)
    throw error
  }
  await rm(claimedPath, { recursive: true, force: true })
}

/**
 * Stores a part, on the disk when this resolves; with the last missing one the message is passed on, in the order of its
 * parts. Rejects with the error of the disk or of `pass`: the part is to be redelivered.
 */
export async function storeSmsReplyPart(
  store: SmsReplyPartStore,
  part: SmsReplyPart,
  pass: (parts: SmsReplyPart[]) => Promise<void>,
): Promise<void> {
  const directory = join(store.directory, computeMessageKey(part))
  const file = join(directory, `${part.number}.json`)
  await mkdir(directory, { recursive: true })
  await writeFile(`${file}.part`, JSON.stringify(part), { flush: true })
  await rename(`${file}.part`, file)
  if (filterPartNames(await listNames(directory)).length < part.total) return
  const claimedPath = await claimDirectory(directory)
  if (claimedPath !== undefined) await deliverParts(claimedPath, pass)
}

/** Returns the time since the last change; `undefined` if it does not exist. */
async function readAgeMs(path: string, clock: Clock): Promise<number | undefined> {
  const fileStats = await stat(path).catch(() => undefined)
  return fileStats && clock.now() - fileStats.mtimeMs
}

/** Passes on messages that stayed incomplete too long, and those a crash left. Rejects with the error of `pass`. */
export async function flushIncompleteReplies(
  store: SmsReplyPartStore,
  pass: (parts: SmsReplyPart[]) => Promise<void>,
): Promise<void> {
  for (const name of await listNames(store.directory)) {
    const path = join(store.directory, name)
    const ageMs = await readAgeMs(path, store.clock)
    const isClaimed = name.endsWith(CLAIMED_SUFFIX)
    if (ageMs === undefined || ageMs < (isClaimed ? ABANDONED_CLAIM_MS : INCOMPLETE_MS)) continue
    const claimedPath = isClaimed ? path : await claimDirectory(path)
    if (claimedPath !== undefined) await deliverParts(claimedPath, pass)
  }
}
