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

/** Sequence of a message's own entry among those of its deliveries: its ending once all were answered. */
export const WHOLE_MESSAGE_SEQUENCE = -1

/** The journal of one batch: one line when a body begins, one when its outcome is known. Both throw once it is closed. */
export interface BatchJournal {
  /** Name that the claims of the batch carry. */
  name: string
  /** Before the bodies of these deliveries begin. On return their lines are in the kernel; throws when they are not. */
  begin(...deliveries: DeliveryKey[]): void
  /** The same of deliveries to a gateway that takes each once however often it is sent. */
  beginIdempotent(...deliveries: DeliveryKey[]): void
  /** On return it is in memory: it is written with what begins next in any batch, or a few milliseconds later. */
  end(key: DeliveryKey, endedOutcome: unknown): void
  /** The outcomes are in the database: nothing here is needed any more. */
  close(): void
}

/** Journals of one sender: one file per batch, so that recorded batches are deleted without rewriting the others. */
export interface SenderJournal {
  open(): BatchJournal
  /** The sender ends: what it left may be recovered. */
  close(): void
}

function getJournalsDirectory(dataDir: string): string {
  return join(dataDir, 'journals')
}

/** Outside of the sender's own directory, where its journals are read: see acquireFileLock. */
function getLockPath(dataDir: string, sender: string): string {
  return join(getJournalsDirectory(dataDir), `${sender}.lock`)
}

/** The lines of one batch: those in its file, and those that still have to be written there. */
interface BatchLines {
  file: string
  /** The file is made with the first line: a batch of which nothing was started leaves nothing to read. */
  descriptor: number | undefined
  /** Octets of the lines in the file. */
  length: number
  unwritten: string
}

function writeLines(lines: BatchLines): void {
  if (lines.unwritten === '') return
  lines.descriptor ??= openSync(lines.file, 'w')
  const octets = Buffer.from(lines.unwritten)
  try {
    for (let writtenOctets = 0; writtenOctets < octets.length; )
      writtenOctets += writeSync(
        lines.descriptor,
        octets,
        writtenOctets,
        octets.length - writtenOctets,
        lines.length + writtenOctets,
      )
  } catch (error) {
    truncatePartialLines(lines)
    throw error
  }
  lines.length += octets.length
  lines.unwritten = ''
}

/** Leaves whole lines alone in a file of which the disk took a part: one that is cut, or empty, counts as damaged. */
function truncatePartialLines(lines: BatchLines): void {
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
interface JournalWriter {
  behind: Set<BatchLines>
  /** Until when what has ended waits for something to begin. */
  timer: NodeJS.Timeout | undefined
}

/** Time that an ended delivery waits for another to begin, to be written with it. */
const WRITE_DELAY_MS = 5

function writePendingLines(writer: JournalWriter): void {
  for (const lines of writer.behind) {
    writeLines(lines)
    writer.behind.delete(lines)
  }
}

function scheduleWrite(writer: JournalWriter): void {
  writer.timer ??= setTimeout(() => {
    writer.timer = undefined
    try {
      writePendingLines(writer)
    } catch {
      // An error of the disk is thrown again by what begins next: that can be put off.
    }
  }, WRITE_DELAY_MS)
}

function openBatch(writer: JournalWriter, file: string, name: string): BatchJournal {
  const lines: BatchLines = { file, descriptor: undefined, length: 0, unwritten: '' }
  let isClosed = false
  function addLine(text: string): void {
    // The number of its file may be that of another batch's by now.
    if (isClosed) throw new Error(`the journal ${name} is closed`)
    lines.unwritten += text
    // Last of all: before what begins here, what has ended elsewhere is written.
    writer.behind.delete(lines)
    writer.behind.add(lines)
  }
  function beginDeliveries(letter: 'b' | 'i', deliveries: readonly DeliveryKey[]): void {
    addLine(deliveries.map((key) => formatJournalLine(name, letter, key)).join(''))
    writePendingLines(writer)
  }
  return {
    name,
    begin: (...deliveries) => beginDeliveries('b', deliveries),
    beginIdempotent: (...deliveries) => beginDeliveries('i', deliveries),
    end(key, endedOutcome) {
      addLine(formatJournalLine(name, 'e', key, endedOutcome))
      scheduleWrite(writer)
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
  const directory = join(getJournalsDirectory(dataDir), sender)
  mkdirSync(getJournalsDirectory(dataDir), { recursive: true })
  // The name first: a journal without a living name is taken for one of the dead.
  const releaseLock = acquireFileLock(getLockPath(dataDir, sender))
  if (!releaseLock) throw new Error(`another sender is named ${sender}`)
  mkdirSync(directory, { recursive: true })
  // Once a sender: it lives no longer than its machine runs.
  writeFileSync(getJournalBootFile(directory), '')
  const writer: JournalWriter = { behind: new Set(), timer: undefined }
  let batches = 0
  return {
    open() {
      const batchNumber = ++batches
      return openBatch(writer, join(directory, `${batchNumber}.log`), getBatchName(sender, batchNumber))
    },
    close() {
      clearTimeout(writer.timer)
      try {
        writePendingLines(writer)
      } finally {
        releaseLock()
      }
    },
  }
}

/** The senders whose journals are in the data directory: the living, and those that left them there. */
export function listJournalSenders(dataDir: string): string[] {
  if (!existsSync(getJournalsDirectory(dataDir))) return []
  return readdirSync(getJournalsDirectory(dataDir), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

/** Journals that a sender left, with its name held until released. */
export interface AbandonedJournals extends ParsedJournals {
  /** All is accounted for, or it is left to another process: lets go. */
  release(accountedFor: boolean): void
}

/** Takes what a sender left; undefined while it lives, while another one takes it, or when it is gone. */
export function claimAbandonedJournals(dataDir: string, sender: string): AbandonedJournals | undefined {
  const directory = join(getJournalsDirectory(dataDir), sender)
  const releaseFileLock = acquireFileLock(getLockPath(dataDir, sender))
  if (!releaseFileLock) return undefined
  function release(accountedFor: boolean): void {
    if (accountedFor) rmSync(directory, { recursive: true, force: true })
    releaseFileLock?.()
    if (accountedFor) rmSync(getLockPath(dataDir, sender), { force: true })
  }
  if (!existsSync(directory)) {
    release(true)
    return undefined
  }
  return { ...readSenderJournals(directory, sender), release }
}
