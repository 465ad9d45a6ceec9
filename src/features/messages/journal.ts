import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** What a journal says of a message: its body was begun, or it was answered so (whatever the sender kept of the answer). */
export type JournalEntry = { state: 'begun' } | { state: 'ended'; ended: unknown }

/** The journal of one batch: one line when a body begins, one when its outcome is known. */
export interface BatchJournal {
  begin(id: number): void
  end(id: number, ended: unknown): void
  /** The outcomes are in the database: nothing here is needed any more. */
  close(): void
}

/** Where one sender keeps its journals: a file a batch, so that what is recorded goes without rewriting the rest. */
export interface Journal {
  open(): BatchJournal
  /** The sender ends: its place goes, unless a batch that failed has left its journal there for the next one. */
  remove(): void
}

function directoryOf(dataDir: string): string {
  return join(dataDir, 'journals')
}

/**
 * Starts the journal of a sender. Lines reach the kernel before the call returns, so they outlive the process; they are
 * not flushed to the disk, as the messages they speak of have left the machine by then.
 */
export function startJournal(dataDir: string, sender: string): Journal {
  const directory = join(directoryOf(dataDir), sender)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let batches = 0
  return {
    open() {
      const file = join(directory, `${++batches}.log`)
      const descriptor = openSync(file, 'a', 0o600)
      return {
        begin: (id) => void writeSync(descriptor, `b ${id}\n`),
        end: (id, ended) => void writeSync(descriptor, `e ${id} ${JSON.stringify(ended)}\n`),
        close() {
          closeSync(descriptor)
          unlinkSync(file)
        },
      }
    },
    remove() {
      if (readdirSync(directory).length === 0) rmdirSync(directory)
    },
  }
}

/** The senders that left journals in the data directory. */
export function journalsLeft(dataDir: string): string[] {
  try {
    return readdirSync(directoryOf(dataDir))
  } catch {
    return []
  }
}

function readLine(line: string): [number, JournalEntry] | undefined {
  const [word, id, ...rest] = line.split(' ')
  if (word === 'b') return [Number(id), { state: 'begun' }]
  if (word !== 'e') return undefined
  try {
    return [Number(id), { state: 'ended', ended: JSON.parse(rest.join(' ')) }]
  } catch {
    // The line was being written when the process died: the message was begun, and its answer is not known.
    return undefined
  }
}

/** The last word of a dead sender's journals on each message, by message id. */
export function readJournals(dataDir: string, sender: string): Map<number, JournalEntry> {
  const directory = join(directoryOf(dataDir), sender)
  const entries = new Map<number, JournalEntry>()
  for (const file of readdirSync(directory)) {
    for (const line of readFileSync(join(directory, file), 'utf8').split('\n')) {
      const entry = readLine(line)
      if (entry) entries.set(...entry)
    }
  }
  return entries
}

/** Deletes the journals of a sender whose messages are all accounted for. */
export function dropJournals(dataDir: string, sender: string): void {
  rmSync(join(directoryOf(dataDir), sender), { recursive: true, force: true })
}
