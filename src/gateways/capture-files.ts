import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OutgoingMail } from './gateway.ts'

/** The page that shows captured mail shows this many at most. */
const MOST_LISTED = 200

/** `20260320T080000123Z-0000012345`: the instant and the message row. Sorts by time, and tells its directory. */
const ID = /^(\d{4})(\d\d)(\d\d)T\d{9}Z-\d{10,16}$/
const DAY = /^\d{4}-\d\d-\d\d$/

/** What stands in the .json beside a captured message. */
export interface Captured {
  id: string
  message: number
  /** ISO 8601, UTC. */
  capturedAt: string
  from: string
  to: string
  account: number | null
  action: number | null
  stamp: string | null
  /** Octets. */
  size: number
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

/** Ids of a day, newest first. The .json comes last, so that where it is the message is whole. */
async function idsOf(dataDir: string, day: string): Promise<string[]> {
  const names = await newestFirst(join(rootOf(dataDir), day))
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
}

async function daysOf(dataDir: string): Promise<string[]> {
  return (await newestFirst(rootOf(dataDir))).filter((name) => DAY.test(name))
}

async function writeWhole(path: string, content: string | readonly Uint8Array[]): Promise<void> {
  const draft = `${path}.part`
  await writeFile(draft, content)
  await rename(draft, path)
}

/** Stores one message as `<dataDir>/captured/<yyyy-mm-dd>/<id>.eml` and `.json`. Answers its id. Throws what the disk says. */
export async function writeCaptured(dataDir: string, mail: OutgoingMail, timeMs: number): Promise<string> {
  const capturedAt = new Date(timeMs).toISOString()
  const id = `${capturedAt.replace(/[-:.]/g, '')}-${String(mail.id).padStart(10, '0')}`
  const directory = join(rootOf(dataDir), capturedAt.slice(0, 10))
  const bytes = mail.bytes instanceof Uint8Array ? [mail.bytes] : mail.bytes
  const about: Captured = {
    id,
    message: mail.id,
    capturedAt,
    from: mail.envelope.from,
    to: mail.envelope.to,
    account: mail.origin?.account ?? null,
    action: mail.origin?.action ?? null,
    stamp: mail.origin?.stamp ?? null,
    size: bytes.reduce((sum, piece) => sum + piece.length, 0),
  }
  await mkdir(directory, { recursive: true })
  await writeWhole(join(directory, `${id}.eml`), bytes)
  await writeWhole(join(directory, `${id}.json`), `${JSON.stringify(about)}\n`)
  return id
}

async function readAbout(dataDir: string, id: string): Promise<Captured | undefined> {
  const day = dayOf(id)
  if (day === undefined) return undefined
  const text = await readFile(join(rootOf(dataDir), day, `${id}.json`), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as Captured)
}

/** The newest captured messages, newest first; at most 200, whatever `limit` says. */
export async function listCaptured(dataDir: string, { limit = MOST_LISTED } = {}): Promise<Captured[]> {
  const ids: string[] = []
  const most = Math.min(limit, MOST_LISTED)
  for (const day of await daysOf(dataDir)) {
    if (ids.length >= most) break
    ids.push(...(await idsOf(dataDir, day)).slice(0, most - ids.length))
  }
  const found = await Promise.all(ids.map((id) => readAbout(dataDir, id)))
  return found.filter((one) => one !== undefined)
}

/** One captured message with its bytes; undefined when there is none of that id, whatever the id looks like. */
export async function readCaptured(dataDir: string, id: string): Promise<(Captured & { bytes: Buffer }) | undefined> {
  const about = await readAbout(dataDir, id)
  if (about === undefined) return undefined
  const bytes = await readFile(join(rootOf(dataDir), about.capturedAt.slice(0, 10), `${id}.eml`)).catch(() => undefined)
  return bytes === undefined ? undefined : { ...about, bytes }
}

/** Removes the oldest messages beyond `most`, and days that are empty then. Answers how many are left. */
export async function pruneCaptured(dataDir: string, most: number): Promise<number> {
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
  await rm(join(directory, `${id}.eml`), { force: true })
}
