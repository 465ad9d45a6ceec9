import { type FileHandle, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from './clock.ts'
import { uuidV7 } from './ids.ts'

/** Where records wait on the disk until they can be stored; they outlive the process. */
export interface Spool {
  /** Appends records; they are on the disk when it resolves. False when they would not fit; rejects when the disk refuses. */
  append(records: readonly unknown[]): Promise<boolean>
  /** Names of the files that nobody writes to any more, oldest first: ours, and those that dead processes left behind. */
  finished(): Promise<string[]>
  /** The records of a file, in order; what was being written when its process died is left out. */
  read(file: string): Promise<unknown[]>
  remove(file: string): Promise<void>
  /** Bytes on the disk, as far as this process knows. */
  size(): number
  close(): Promise<void>
}

/** Files are short-lived, so that nobody has to ask whether their writers live: one that rests this long is left behind. */
const SEGMENT_MS = 1000
const ABANDONED_MS = 5 * SEGMENT_MS

interface Segment {
  name: string
  handle: FileHandle
  openedAt: number
}

/** What the parts of a spool share. */
interface Spooling {
  directory: string
  limit: number
  bytes: number
  /** Files of ours that nobody writes to any more. */
  own: Set<string>
  segment: Segment | undefined
}

/** Opens the spool of a directory, which several processes may share. `limit`: bytes it may take. */
export async function openSpool(directory: string, limit: number): Promise<Spool> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const bytes = total(await filesOf(directory))
  const spooling: Spooling = { directory, limit, bytes, own: new Set(), segment: undefined }
  let last: Promise<unknown> = Promise.resolve()

  /** One after the other: no line is written into another. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    append: (records) => inTurn(() => append(spooling, records)),
    finished: () => inTurn(() => finished(spooling)),
    async read(file) {
      const text = await readFile(join(directory, file), 'utf8').catch(emptyIfGone)
      return text.split('\n').flatMap(readLine)
    },
    async remove(file) {
      await rm(join(directory, file), { force: true })
      spooling.own.delete(file)
    },
    size: () => spooling.bytes,
    close: () => inTurn(() => finishSegment(spooling)),
  }
}

async function append(spooling: Spooling, records: readonly unknown[]): Promise<boolean> {
  const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  if (spooling.bytes + lines.length > spooling.limit) return false
  const { handle } = await currentSegment(spooling)
  try {
    await handle.appendFile(lines)
    await handle.datasync()
  } catch (error) {
    // Half a line may be there: nothing is written behind it.
    await finishSegment(spooling).catch(() => undefined)
    throw error
  }
  spooling.bytes += lines.length
  return true
}

async function currentSegment(spooling: Spooling): Promise<Segment> {
  const now = systemClock.now()
  const { segment, directory } = spooling
  if (segment && now - segment.openedAt < SEGMENT_MS) return segment
  await finishSegment(spooling)
  // Names begin with the time: they sort as the files were begun.
  const name = `${uuidV7(now)}.ndjson`
  const handle = await open(join(directory, name), 'a', 0o600)
  const begun = { name, handle, openedAt: now }
  spooling.segment = begun
  await flushDirectory(directory)
  return begun
}

async function finishSegment(spooling: Spooling): Promise<void> {
  const { segment } = spooling
  spooling.segment = undefined
  if (!segment) return
  spooling.own.add(segment.name)
  await segment.handle.close()
}

async function finished(spooling: Spooling): Promise<string[]> {
  await finishSegment(spooling)
  const files = await filesOf(spooling.directory)
  const now = systemClock.now()
  spooling.bytes = total(files)
  return files
    .filter(({ name, writtenAt }) => spooling.own.has(name) || now - writtenAt >= ABANDONED_MS)
    .map(({ name }) => name)
}

interface SpoolFile {
  name: string
  bytes: number
  /** Milliseconds. */
  writtenAt: number
}

function total(files: readonly SpoolFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** The files of a spool by name; one that another process removes meanwhile counts as empty and just written. */
async function filesOf(directory: string): Promise<SpoolFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.ndjson')).sort()
  return Promise.all(
    names.map(async (name) => {
      const found = await stat(join(directory, name)).catch(() => undefined)
      return { name, bytes: found?.size ?? 0, writtenAt: found?.mtimeMs ?? systemClock.now() }
    }),
  )
}

/** Another process has stored the file, and removed it. */
function emptyIfGone(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
  throw error
}

/** A record; none for a line that was cut short. */
function readLine(line: string): unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

/** Makes the name of a new file outlive a loss of power; where directories cannot be opened there is no way to. */
async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
