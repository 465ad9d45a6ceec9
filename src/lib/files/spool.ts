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

/** What a file of a spool holds. */
export interface SpoolFileContent<Record> {
  records: Record[]
  fault: string | undefined
}

/** What the name of a file ends in that is set aside. */
const ASIDE = '.unreadable'

/** Whether a file of a spool is set aside, by its name: nothing of it waits. */
export function isQuarantinedSpoolFile(name: string): boolean {
  return name.endsWith(ASIDE)
}

/** Names of the files of a spool that are set aside; none when there is no such directory. */
export async function listQuarantinedSpoolFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  return names.filter(isQuarantinedSpoolFile).sort()
}

/** Codes of errors that pass: too many open files, no memory. */
const PASSING: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR']

/** Files are short-lived, so a file that has not been written to for this long is abandoned, whatever its writer does. */
const SEGMENT_MS = 1000
const ABANDONED_MS = 5 * SEGMENT_MS

/** An empty spool is looked through so often for what others abandon. */
const LOOK_MS = 1000

interface Segment {
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
  segment: Segment | undefined
  /** When the directory was read last. */
  lookedAt: number
}

/** Opens the spool of a directory, which several processes may share. `limit`: bytes it may take. */
export async function openDiskSpool(directory: string, limit: number): Promise<DiskSpool> {
  await mkdir(directory, { recursive: true })
  const bytes = total(await filesOf(directory))
  const state: SpoolState = {
    directory,
    limit,
    bytes,
    own: new Set(),
    stuck: new Set(),
    segment: undefined,
    lookedAt: 0,
  }
  let last: Promise<unknown> = Promise.resolve()

  /** Runs one operation after the other: lines do not mix. */
  function serialised<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  return {
    append: (records) => serialised(() => append(state, records)),
    finished: () => serialised(() => finished(state)),
    read: (file, isRecord) => readRecords(join(directory, file), isRecord),
    async remove(file) {
      await rm(join(directory, file), { force: true })
      state.own.delete(file)
    },
    async setAside(file) {
      await rename(join(directory, file), join(directory, `${file}${ASIDE}`)).catch(() => state.stuck.add(file))
      state.own.delete(file)
    },
    listSetAside: async () => [...(await listQuarantinedSpoolFiles(directory)), ...state.stuck],
    size: () => state.bytes,
    close: () => serialised(() => finishSegment(state)),
  }
}

async function append(state: SpoolState, records: readonly unknown[]): Promise<boolean> {
  const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  if (state.bytes + lines.length > state.limit) return false
  const { handle } = await currentSegment(state)
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

async function currentSegment(state: SpoolState): Promise<Segment> {
  const now = systemClock.now()
  const { segment, directory } = state
  if (segment && now - segment.openedAt < SEGMENT_MS) return segment
  await finishSegment(state)
  // Names begin with the time: they sort by age.
  const name = `${createUuidV7(now)}.ndjson`
  const handle = await open(join(directory, name), 'a')
  const opened = { name, handle, openedAt: now }
  state.segment = opened
  await flushDirectory(directory)
  return opened
}

async function finishSegment(state: SpoolState): Promise<void> {
  const { segment } = state
  state.segment = undefined
  if (!segment) return
  state.own.add(segment.name)
  await segment.handle.close()
}

async function finished(state: SpoolState): Promise<string[]> {
  await finishSegment(state)
  const now = systemClock.now()
  if (state.bytes === 0 && state.own.size === 0 && now - state.lookedAt < LOOK_MS) return []
  state.lookedAt = now
  const files = await filesOf(state.directory)
  state.bytes = total(files)
  return files
    .filter(({ name }) => !state.stuck.has(name))
    .filter(({ name, writtenAt }) => state.own.has(name) || now - writtenAt >= ABANDONED_MS)
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

/** The text of a file, empty when another process has stored and removed it; or why it cannot be read. */
async function textOf(path: string): Promise<{ text: string; fault?: string }> {
  try {
    return { text: await readFile(path, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return { text: '' }
    if (PASSING.includes(code)) throw error
    return { text: '', fault: formatErrorReason(error) }
  }
}

async function readRecords<Record>(
  path: string,
  isRecord: (value: unknown) => value is Record,
): Promise<SpoolFileContent<Record>> {
  const { text, fault } = await textOf(path)
  const lines = text.split('\n')
  // A record was being written when its process died: nobody was told that it is on the disk.
  const last = lines.at(-1) ?? ''
  if (last.startsWith('{') && readLine(last) === undefined) lines.pop()
  const values = lines.filter((line) => line !== '').map(readLine)
  const records = values.filter(isRecord)
  return { records, fault: fault ?? faultOf(values.length - records.length) }
}

/** The fault of a file with this number of lines that are not records; absent when there are none. */
function faultOf(unreadable: number): string | undefined {
  if (unreadable === 0) return undefined
  return unreadable === 1 ? '1 line is not a record' : `${unreadable} lines are not records`
}

/** The value of a line; undefined when it is not JSON. */
function readLine(line: string): unknown {
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
