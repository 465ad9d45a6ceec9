import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { takeFileLock } from '../../lib/file-lock.ts'
import { batchName } from './sender-names.ts'

/** What a journal says of a message: its body was begun, or it was answered so (whatever the sender kept of the answer). */
export type JournalEntry = { state: 'begun' } | { state: 'ended'; ended: unknown }

/** The journal of one batch: one line when a body begins, one when its outcome is known. Both throw once it is closed. */
export interface BatchJournal {
  /** What the claims of the batch carry. */
  name: string
  begin(id: number): void
  end(id: number, ended: unknown): void
  /** The outcomes are in the database: nothing here is needed any more. */
  close(): void
}

/** Where one sender keeps its journals: a file a batch, so that what is recorded goes without rewriting the rest. */
export interface Journal {
  open(): BatchJournal
  /** The sender ends: what it left may be taken up. */
  close(): void
}

function directoryOf(dataDir: string): string {
  return join(dataDir, 'journals')
}

/** Outside of the sender's own directory, where its journals are read: see takeFileLock. */
function lockOf(dataDir: string, sender: string): string {
  return join(directoryOf(dataDir), `${sender}.lock`)
}

function openBatch(file: string, name: string): BatchJournal {
  // Made with the first line: a batch of which nothing was begun leaves nothing to read.
  let descriptor: number | undefined
  let isClosed = false
  function write(line: string): void {
    // Its number may be that of another batch's file by now.
    if (isClosed) throw new Error(`the journal ${name} is closed`)
    descriptor ??= openSync(file, 'a', 0o600)
    writeSync(descriptor, line)
  }
  return {
    name,
    begin: (id) => write(`b ${id}\n`),
    end: (id, ended) => write(`e ${id} ${JSON.stringify(ended)}\n`),
    close() {
      isClosed = true
      if (descriptor === undefined) return
      closeSync(descriptor)
      unlinkSync(file)
    },
  }
}

/**
 * Starts the journal of a sender, and holds the sender's name: as long as its thread lives nobody who shares the data
 * directory takes it for dead, whatever becomes of its connections. Lines reach the kernel before the call returns, so
 * they outlive the process; they are not flushed to the disk. Throws when another one has the name.
 */
export function startJournal(dataDir: string, sender: string): Journal {
  const directory = join(directoryOf(dataDir), sender)
  mkdirSync(directoryOf(dataDir), { recursive: true, mode: 0o700 })
  // The name first: a journal without a living name is taken for one of the dead.
  const release = takeFileLock(lockOf(dataDir, sender))
  if (!release) throw new Error(`another sender is named ${sender}`)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  let batches = 0
  return {
    open() {
      const number = ++batches
      return openBatch(join(directory, `${number}.log`), batchName(sender, number))
    },
    close: release,
  }
}

/** The senders whose journals are in the data directory: the living, and those that left them there. */
export function journalsIn(dataDir: string): string[] {
  if (!existsSync(directoryOf(dataDir))) return []
  return readdirSync(directoryOf(dataDir), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
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

/** What a dead sender's journals say, by the name of the batch: the last word on each message, by message id. */
function readJournals(dataDir: string, sender: string): Map<string, Map<number, JournalEntry>> {
  const directory = join(directoryOf(dataDir), sender)
  const journals = new Map<string, Map<number, JournalEntry>>()
  for (const file of readdirSync(directory)) {
    const lines = readFileSync(join(directory, file), 'utf8').split('\n')
    journals.set(
      batchName(sender, Number.parseInt(file, 10)),
      new Map(
        lines.flatMap((line) => {
          const entry = readLine(line)
          return entry ? [entry] : []
        }),
      ),
    )
  }
  return journals
}

/** What a sender left, with its name held until it is let go. */
export interface LeftJournals {
  /** What it said last of a message, by the name of the batch that claimed it. */
  wordOn(batch: string, message: number): JournalEntry | undefined
  /** All is accounted for, or it is left to somebody else: lets go. */
  release(accountedFor: boolean): void
}

/** Takes what a sender left; undefined while it lives, while another one takes it, or when it is gone. */
export function takeJournals(dataDir: string, sender: string): LeftJournals | undefined {
  const directory = join(directoryOf(dataDir), sender)
  const letGo = takeFileLock(lockOf(dataDir, sender))
  if (!letGo) return undefined
  function release(accountedFor: boolean): void {
    if (accountedFor) rmSync(directory, { recursive: true, force: true })
    letGo?.()
    if (accountedFor) rmSync(lockOf(dataDir, sender), { force: true })
  }
  if (!existsSync(directory)) {
    release(true)
    return undefined
  }
  const journals = readJournals(dataDir, sender)
  return { wordOn: (batch, message) => journals.get(batch)?.get(message), release }
}
