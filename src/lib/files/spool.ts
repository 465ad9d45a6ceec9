import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatErrorReason } from '../errors/reason.ts'
import { createUuidV7 } from '../ids.ts'
import { systemClock } from '../time/clock.ts'

/** Records on the disk that wait to be stored; they outlive the process. */
export interface DiskSpool {
  /** Appends records; they are on the disk when it resolves. False when they exceed the limit; rejects when the disk fails. */
  append(records: readonly unknown[]): Promise<boolean>
  /** Names of the files that are complete, oldest first: our own, and those abandoned by dead processes. */
  finished(): Promise<string[]>
  /**
   * The records of a file, in order, without a line that was cut short when its process died. `fault`: why not all of it
   * are records, or none of it can be read. Rejects when it may be readable later.
   */
  read<Record>(file: string, isRecord: (value: unknown) => value is Record): Promise<SpoolFileContent<Record>>
  remove(file: string): Promise<void>
  /** Keeps a file with a fault under another name, for operators: it is not read again. */
  setAside(file: string): Promise<void>
  /** Names of the files that are set aside, by this process or another. */
  listSetAside(): Promise<string[]>
  /** Bytes on the disk, as far as this process knows. */
  size(): number
  close(): Promise<void>
}

/** The content of a spool file. */
export interface SpoolFileContent<Record> {
  records: Record[]
  fault: string | undefined
}

/** The suffix of a quarantined file. */
const QUARANTINE_SUFFIX = '.unreadable'

/** Returns true if the name of a spool file marks it as quarantined: nothing in it is waiting. */
export function isQuarantinedSpoolFile(name: string): boolean {
  return name.endsWith(QUARANTINE_SUFFIX)
}

/** Names of the files of a spool that are set aside; none when there is no such directory. */
export async function listQuarantinedSpoolFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.filter(isQuarantinedSpoolFile).sort()
}

/** Codes of errors that pass: too many open files, no memory. */
const TRANSIENT_CODES: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']

/** Files are short-lived, so a file that has not been written to for this long is abandoned, whatever its writer does. */
const SEGMENT_LIFETIME_MS = 1000
const ABANDONED_AFTER_MS = 5 * SEGMENT_LIFETIME_MS

/** An empty spool is looked through so often for what others abandon. */
const SCAN_INTERVAL_MS = 1000

interface SpoolSegment {
  name: string
  handle: FileHandle
  openedAt: number
}

/** The state of an open spool. */
interface SpoolState {
  directory: string
  limit: number
  bytes: number
  /** Our own files that are complete. */
  own: Set<string>
  /** Files to be set aside that could not be renamed. */
  stuck: Set<string>
  segment: SpoolSegment | undefined
  /** The time of the last scan of the directory. */
  lookedAt: number
}

/** Opens the spool of a directory, which several processes may share. `limit`: bytes it may take. */
export async function openDiskSpool(directory: string, limit: number): Promise<DiskSpool> {
  await mkdir(directory, { recursive: true })
  const bytes = sumBytes(await listSpoolFiles(directory))
  const state: SpoolState = {
    directory,
    limit,
    bytes,
    own: new Set(),
    stuck: new Set(),
    segment: undefined,
    lookedAt: 0,
  }
  let lastOperation: Promise<unknown> = Promise.resolve()

  /** Runs one operation after the other: lines do not mix. */
  function serialised<T>(work: () => Promise<T>): Promise<T> {
    const result = lastOperation.then(work)
    lastOperation = result.catch(() => undefined)
    return result
  }

  return {
    append: (records) => serialised(() => appendRecords(state, records)),
    finished: () => serialised(() => listFinishedFiles(state)),
    read: (file, isRecord) => readRecords(join(directory, file), isRecord),
    async remove(file) {
      await rm(join(directory, file), { force: true })
      state.own.delete(file)
    },
    async setAside(file) {
      await rename(join(directory, file), join(directory, `${file}${QUARANTINE_SUFFIX}`)).catch(() =>
        state.stuck.add(file),
      )
      state.own.delete(file)
    },
    listSetAside: async () => [...(await listQuarantinedSpoolFiles(directory)), ...state.stuck],
    size: () => state.bytes,
    close: () => serialised(() => finishSegment(state)),
  }
}

async function appendRecords(state: SpoolState, records: readonly unknown[]): Promise<boolean> {
  const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  if (state.bytes + lines.length > state.limit) return false
  const { handle } = await openCurrentSegment(state)
  try {
    await handle.appendFile(lines)
    await handle.datasync()
  } catch (error) {
    // Half a line may have been written: the file is closed.
    await finishSegment(state).catch(() => undefined)
    throw error
  }
  state.bytes += lines.length
  return true
}

async function openCurrentSegment(state: SpoolState): Promise<SpoolSegment> {
  const now = systemClock.now()
  const { segment, directory } = state
  if (segment && now - segment.openedAt < SEGMENT_LIFETIME_MS) return segment
  await finishSegment(state)
  // Names begin with the time: they sort by age.
  const name = `${createUuidV7(now)}.ndjson`
  const handle = await open(join(directory, name), 'a')
  const newSegment = { name, handle, openedAt: now }
  state.segment = newSegment
  await flushDirectory(directory)
  return newSegment
}

async function finishSegment(state: SpoolState): Promise<void> {
  const { segment } = state
  state.segment = undefined
  if (!segment) return
  state.own.add(segment.name)
  await segment.handle.close()
}

async function listFinishedFiles(state: SpoolState): Promise<string[]> {
  await finishSegment(state)
  const now = systemClock.now()
  if (state.bytes === 0 && state.own.size === 0 && now - state.lookedAt < SCAN_INTERVAL_MS) return []
  state.lookedAt = now
  const files = await listSpoolFiles(state.directory)
  state.bytes = sumBytes(files)
  return files
    .filter(({ name }) => !state.stuck.has(name))
    .filter(({ name, writtenAt }) => state.own.has(name) || now - writtenAt >= ABANDONED_AFTER_MS)
    .map(({ name }) => name)
}

interface SpoolFile {
  name: string
  bytes: number
  /** Milliseconds. */
  writtenAt: number
}

function sumBytes(files: readonly SpoolFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** The files of a spool by name; one that another process removes meanwhile counts as empty and just written. */
async function listSpoolFiles(directory: string): Promise<SpoolFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.ndjson')).sort()
  return Promise.all(
    names.map(async (name) => {
      const fileStats = await stat(join(directory, name)).catch(() => undefined)
      return { name, bytes: fileStats?.size ?? 0, writtenAt: fileStats?.mtimeMs ?? systemClock.now() }
    }),
  )
}

/** The text of a file, empty when another process has stored and removed it; or why it cannot be read. */
async function readSpoolText(path: string): Promise<{ text: string; fault?: string }> {
  try {
    return { text: await readFile(path, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return { text: '' }
    if (TRANSIENT_CODES.includes(code)) throw error
    return { text: '', fault: formatErrorReason(error) }
  }
}

async function readRecords<Record>(
  path: string,
  isRecord: (value: unknown) => value is Record,
): Promise<SpoolFileContent<Record>> {
  const { text, fault } = await readSpoolText(path)
  const lines = text.split('\n')
  // A record was being written when its process died: nobody was notified that it is on the disk.
  const lastLine = lines.at(-1) ?? ''
  if (lastLine.startsWith('{') && parseLine(lastLine) === undefined) lines.pop()
  const values = lines.filter((line) => line !== '').map(parseLine)
  const records = values.filter(isRecord)
  return { records, fault: fault ?? describeFault(values.length - records.length) }
}

/** The fault of a file with this number of lines that are not records; absent when there are none. */
function describeFault(unreadable: number): string | undefined {
  if (unreadable === 0) return undefined
  return unreadable === 1 ? '1 line is not a record' : `${unreadable} lines are not records`
}

/** The value of a line; undefined when it is not JSON. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Flushes the name of a new file to the disk, where the system can open directories. */
async function flushDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
