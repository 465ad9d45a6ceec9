import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../lib/clock.ts'

/** One part of a reply that came in several, as it is kept. Octets in base64. */
const ReplyPart = Type.Object({
  id: Type.Union([Type.String(), Type.Null()]),
  from: Type.String(),
  to: Type.String(),
  reference: Type.Integer(),
  total: Type.Integer(),
  number: Type.Integer(),
  dataCoding: Type.Integer(),
  octets: Type.String(),
})

export interface ReplyPart {
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
 * Where parts wait for each other: files below the data directory, so that parts which come over binds of different
 * threads and processes of one machine meet, and outlive a crash.
 */
export interface PartStore {
  directory: string
  clock: Clock
}

/** Handsets send the parts of a message within seconds. What is not complete after this is passed on as it is. */
const INCOMPLETE_MS = 3600_000
/** A whole message is passed on within seconds; one that was taken so long ago was left by a crash. */
const TAKEN_MS = 600_000

const TAKEN = '.taken'

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)

/** `centre` tells one message centre from the others: parts of different ones never meet. */
export function partStore(dataDir: string, centre: readonly unknown[], clock: Clock): PartStore {
  return { directory: join(dataDir, 'reply-parts', digest(centre)), clock }
}

function keyOf({ from, to, reference, total }: ReplyPart): string {
  return createHash('sha256')
    .update(JSON.stringify([from, to, reference, total]))
    .digest('hex')
    .slice(0, 32)
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}

const numbersIn = (names: readonly string[]): string[] => names.filter((name) => /^\d{1,3}\.json$/.test(name))

/** Whoever renames the directory has it for himself; undefined: another one was first. */
async function take(directory: string): Promise<string | undefined> {
  const taken = `${directory}${TAKEN}`
  return rename(directory, taken).then(
    () => taken,
    () => undefined,
  )
}

async function readParts(directory: string): Promise<ReplyPart[]> {
  const names = numbersIn(await namesIn(directory))
  const parts = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(directory, name), 'utf8')) as unknown),
  )
  return parts.filter((part) => Value.Check(ReplyPart, part)).sort((a, b) => a.number - b.number)
}

/** Passes taken parts on, and forgets them; they go back to the shelf when that fails, and the failure is thrown. */
async function passOn(taken: string, pass: (parts: ReplyPart[]) => Promise<void>): Promise<void> {
  try {
    const parts = await readParts(taken)
    if (parts.length > 0) await pass(parts)
  } catch (error) {
    await rename(taken, taken.slice(0, -TAKEN.length)).catch(() => undefined)
    throw error
  }
  await rm(taken, { recursive: true, force: true })
}

/**
 * Puts a part on the shelf, on the disk when this resolves; with the last missing one the message is passed on, in the
 * order of its parts. Rejects with what the disk or `pass` says: the part is to come again.
 */
export async function storePart(
  store: PartStore,
  part: ReplyPart,
  pass: (parts: ReplyPart[]) => Promise<void>,
): Promise<void> {
  const directory = join(store.directory, keyOf(part))
  const file = join(directory, `${part.number}.json`)
  await mkdir(directory, { recursive: true })
  await writeFile(`${file}.part`, JSON.stringify(part), { flush: true })
  await rename(`${file}.part`, file)
  if (numbersIn(await namesIn(directory)).length < part.total) return
  const taken = await take(directory)
  if (taken !== undefined) await passOn(taken, pass)
}

/** How long ago something changed there; undefined: it is gone. */
async function ageOf(path: string, clock: Clock): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found && clock.now() - found.mtimeMs
}

/** Passes on what has waited too long for its other parts, and what a crash left. Rejects with what `pass` says. */
export async function passOnIncomplete(store: PartStore, pass: (parts: ReplyPart[]) => Promise<void>): Promise<void> {
  for (const name of await namesIn(store.directory)) {
    const path = join(store.directory, name)
    const age = await ageOf(path, store.clock)
    const isTaken = name.endsWith(TAKEN)
    if (age === undefined || age < (isTaken ? TAKEN_MS : INCOMPLETE_MS)) continue
    const taken = isTaken ? path : await take(path)
    if (taken !== undefined) await passOn(taken, pass)
  }
}
