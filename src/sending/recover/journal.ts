import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { DeliveryKey } from '../../gateways/gateway.ts'
import { acquireFileLock } from '../../lib/files/file-lock.ts'
import { getBatchName } from '../senders/sender-names.ts'
import { formatJournalLine, getJournalBootFile, type ParsedJournals, readSenderJournals } from './journal-lines.ts'

/** Where the entry of a message is among those of its deliveries: what it came to once all were answered. */
export const WHOLE_MESSAGE_SEQUENCE = -1

/** The journal of one batch: one line when a body begins, one when its outcome is known. Both throw once it is closed. */
export interface BatchJournal {
  /** What the claims of the batch carry. */
  name: string
  /** Before the bodies of these deliveries begin. On return their lines are in the kernel; throws when they are not. */
  begin(...deliveries: DeliveryKey[]): void
  /** The same of deliveries to a gateway that takes each once however often it is sent. */
  beginIdempotent(...deliveries: DeliveryKey[]): void
  /** On return it is in memory: it is written with what begins next in any batch, or a few milliseconds later. */
  end(key: DeliveryKey, ended: unknown): void
  /** The outcomes are in the database: nothing here is needed any more. */
  close(): void
}

/** Where one sender keeps its journals: a file a batch, so that what is recorded goes without rewriting the rest. */
export interface SenderJournal {
  open(): BatchJournal
  /** The sender ends: what it left may be recovered. */
  close(): void
}

function directoryOf(dataDir: string): string {
  return join(dataDir, 'journals')
}

/** Outside of the sender's own directory, where its journals are read: see acquireFileLock. */
function lockOf(dataDir: string, sender: string): string {
  return join(directoryOf(dataDir), `${sender}.lock`)
}

/** The lines of one batch: those in its file, and those that still have to be written there. */
interface Lines {
  file: string
  /** The file is made with the first line: a batch of which nothing was started leaves nothing to read. */
  descriptor: number | undefined
  /** Octets of the lines in the file. */
  length: number
  unwritten: string
}

function write(lines: Lines): void {
  if (lines.unwritten === '') return
  lines.descriptor ??= openSync(lines.file, 'w')
  const octets = Buffer.from(lines.unwritten)
  try {
    for (let at = 0; at < octets.length; )
      at += writeSync(lines.descriptor, octets, at, octets.length - at, lines.length + at)
  } catch (error) {
    takeBack(lines)
    throw error
  }
  lines.length += octets.length
  lines.unwritten = ''
}

/** Leaves whole lines alone in a file of which the disk took a part: one that is cut, or empty, counts as damaged. */
function takeBack(lines: Lines): void {
  if (lines.descriptor === undefined) return
  if (lines.length > 0) ftruncateSync(lines.descriptor, lines.length)
  else {
    closeSync(lines.descriptor)
    lines.descriptor = undefined
    unlinkSync(lines.file)
  }
}

/**
 * The batches of a sender with lines to be written. What ended is always written before anything else begins: so a
 * connection, which begins a body when the one before it has ended, has at most one that is started and not ended.
 */
interface Writer {
  behind: Set<Lines>
  /** Until when what has ended waits for something to begin. */
  timer: NodeJS.Timeout | undefined
}

/** What has ended waits so long for something to begin, to be written with it. */
const WAIT_MS = 5

function catchUp(writer: Writer): void {
  for (const lines of writer.behind) {
    write(lines)
    writer.behind.delete(lines)
  }
}

function catchUpLater(writer: Writer): void {
  writer.timer ??= setTimeout(() => {
    writer.timer = undefined
    try {
      catchUp(writer)
    } catch {
      // An error of the disk is thrown again by what begins next: that can be put off.
    }
  }, WAIT_MS)
}

function openBatch(writer: Writer, file: string, name: string): BatchJournal {
  const lines: Lines = { file, descriptor: undefined, length: 0, unwritten: '' }
  let isClosed = false
  function add(text: string): void {
    // The number of its file may be that of another batch's by now.
    if (isClosed) throw new Error(`the journal ${name} is closed`)
    lines.unwritten += text
    // Last of all: before what begins here, what has ended elsewhere is written.
    writer.behind.delete(lines)
    writer.behind.add(lines)
  }
  function begin(letter: 'b' | 'i', deliveries: readonly DeliveryKey[]): void {
    add(deliveries.map((key) => formatJournalLine(name, letter, key)).join(''))
    catchUp(writer)
  }
  return {
    name,
    begin: (...deliveries) => begin('b', deliveries),
    beginIdempotent: (...deliveries) => begin('i', deliveries),
    end(key, ended) {
      add(formatJournalLine(name, 'e', key, ended))
      catchUpLater(writer)
    },
    close() {
      isClosed = true
      writer.behind.delete(lines)
      if (lines.descriptor === undefined) return
      closeSync(lines.descriptor)
      unlinkSync(file)
    },
  }
}

/**
 * Starts the journal of a sender, and holds the sender's name: as long as its thread lives no process on the same data
 * directory takes it for dead, whatever becomes of its connections. Lines that reached the kernel outlive the process;
 * they are not flushed to the disk, so that a journal of before the machine restarted may lack some. Throws when another one has the name.
 */
export function startSenderJournal(dataDir: string, sender: string): SenderJournal {
  const directory = join(directoryOf(dataDir), sender)
  mkdirSync(directoryOf(dataDir), { recursive: true })
  // The name first: a journal without a living name is taken for one of the dead.
  const release = acquireFileLock(lockOf(dataDir, sender))
  if (!release) throw new Error(`another sender is named ${sender}`)
  mkdirSync(directory, { recursive: true })
  // Once a sender: it lives no longer than its machine runs.
  writeFileSync(getJournalBootFile(directory), '')
  const writer: Writer = { behind: new Set(), timer: undefined }
  let batches = 0
  return {
    open() {
      const number = ++batches
      return openBatch(writer, join(directory, `${number}.log`), getBatchName(sender, number))
    },
    close() {
      clearTimeout(writer.timer)
      try {
        catchUp(writer)
      } finally {
        release()
      }
    },
  }
}

/** The senders whose journals are in the data directory: the living, and those that left them there. */
export function listJournalSenders(dataDir: string): string[] {
  if (!existsSync(directoryOf(dataDir))) return []
  return readdirSync(directoryOf(dataDir), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

/** What a sender left, with its name held until it is let go. */
export interface AbandonedJournals extends ParsedJournals {
  /** All is accounted for, or it is left to another process: lets go. */
  release(accountedFor: boolean): void
}

/** Takes what a sender left; undefined while it lives, while another one takes it, or when it is gone. */
export function claimAbandonedJournals(dataDir: string, sender: string): AbandonedJournals | undefined {
  const directory = join(directoryOf(dataDir), sender)
  const letGo = acquireFileLock(lockOf(dataDir, sender))
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
  return { ...readSenderJournals(directory, sender), release }
}
