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
import type { DeliveryKey } from '../gateways/gateway.ts'
import { takeFileLock } from '../lib/file-lock.ts'
import { batchName } from './sender-names.ts'

/**
 * What a journal says of a delivery: its body was started, or its outcome is known (whatever the sender kept of it).
 * `isIdempotent`: its gateway takes it once however often it is sent; `isPart`: its message may have others.
 */
export type JournalEntry = { state: 'started'; isIdempotent?: true; isPart?: true } | { state: 'ended'; ended: unknown }

/** Where the entry of a message is among those of its deliveries: what it came to once all were answered. */
export const WHOLE = -1

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
export interface Journal {
  open(): BatchJournal
  /** The sender ends: what it left may be recovered. */
  close(): void
}

function directoryOf(dataDir: string): string {
  return join(dataDir, 'journals')
}

/** Outside of the sender's own directory, where its journals are read: see takeFileLock. */
function lockOf(dataDir: string, sender: string): string {
  return join(directoryOf(dataDir), `${sender}.lock`)
}

/** The lines of one batch: those in its file, and those that still have to be written there. */
interface Lines {
  file: string
  /** The file is made with the first line: a batch of which nothing was started leaves nothing to read. */
  descriptor: number | undefined
  unwritten: string
}

function write(lines: Lines): void {
  if (lines.unwritten === '') return
  lines.descriptor ??= openSync(lines.file, 'a')
  const octets = Buffer.from(lines.unwritten)
  // If the disk takes them in part or not at all, they are all written again, and the line that was cut is none.
  lines.unwritten = `?\n${lines.unwritten}`
  for (let at = 0; at < octets.length; ) at += writeSync(lines.descriptor, octets, at)
  lines.unwritten = ''
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

/** How lines name a delivery; the only one of a message by the message alone. */
function placeOf(key: DeliveryKey): string {
  return typeof key === 'number' ? String(key) : `${key.id}.${key.sequence}`
}

function openBatch(writer: Writer, file: string, name: string): BatchJournal {
  const lines: Lines = { file, descriptor: undefined, unwritten: '' }
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
    add(deliveries.map((key) => `${letter} ${placeOf(key)}\n`).join(''))
    catchUp(writer)
  }
  return {
    name,
    begin: (...deliveries) => begin('b', deliveries),
    beginIdempotent: (...deliveries) => begin('i', deliveries),
    end(key, ended) {
      add(`e ${placeOf(key)} ${JSON.stringify(ended)}\n`)
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
 * they are not flushed to the disk. Throws when another one has the name.
 */
export function startJournal(dataDir: string, sender: string): Journal {
  const directory = join(directoryOf(dataDir), sender)
  mkdirSync(directoryOf(dataDir), { recursive: true })
  // The name first: a journal without a living name is taken for one of the dead.
  const release = takeFileLock(lockOf(dataDir, sender))
  if (!release) throw new Error(`another sender is named ${sender}`)
  mkdirSync(directory, { recursive: true })
  const writer: Writer = { behind: new Set(), timer: undefined }
  let batches = 0
  return {
    open() {
      const number = ++batches
      return openBatch(writer, join(directory, `${number}.log`), batchName(sender, number))
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
export function journalsIn(dataDir: string): string[] {
  if (!existsSync(directoryOf(dataDir))) return []
  return readdirSync(directoryOf(dataDir), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

/** Ids may be below zero, and so is the sequence of a message as a whole. */
const LINE = /^([bie]) (-?\d+)(?:\.(-?\d+))?(?: (\{.*\}))?$/s

type Line = [id: number, sequence: number, entry: JournalEntry]

function readLine(line: string): Line | undefined {
  const [, letter, id, sequence, outcome] = LINE.exec(line) ?? []
  if (letter === undefined || (letter === 'e') === (outcome === undefined)) return undefined
  const at = [Number(id), Number(sequence ?? 0)] as const
  const marks = { ...(letter === 'i' && { isIdempotent: true as const }), ...(sequence && { isPart: true as const }) }
  if (outcome === undefined) return [...at, { state: 'started', ...marks }]
  try {
    return [...at, { state: 'ended', ended: JSON.parse(outcome) }]
  } catch {
    // Cut off: the message was started, and its outcome is unknown.
    return undefined
  }
}

/** The last entry of each delivery, by sequence. */
export type JournalEntries = ReadonlyMap<number, JournalEntry>

/** The last entries of a journal by message. */
function entriesOf(lines: readonly string[]): Map<number, JournalEntries> {
  const messages = new Map<number, Map<number, JournalEntry>>()
  for (const line of lines) {
    const [id, sequence, entry] = readLine(line) ?? []
    if (id === undefined || sequence === undefined || entry === undefined) continue
    const known = messages.get(id)
    if (known) known.set(sequence, entry)
    else messages.set(id, new Map([[sequence, entry]]))
  }
  return messages
}

/** The journals of a dead sender, by the name of the batch. */
function readJournals(dataDir: string, sender: string): Map<string, Map<number, JournalEntries>> {
  const directory = join(directoryOf(dataDir), sender)
  const journals = new Map<string, Map<number, JournalEntries>>()
  for (const file of readdirSync(directory)) {
    // What follows the last line end was being written when the process died.
    const lines = readFileSync(join(directory, file), 'utf8').split('\n').slice(0, -1)
    journals.set(batchName(sender, Number.parseInt(file, 10)), entriesOf(lines))
  }
  return journals
}

/** What a sender left, with its name held until it is let go. */
export interface LeftJournals {
  /** The last entries of a message's deliveries, by the name of the batch that claimed it. */
  entriesOf(batch: string, message: number): JournalEntries | undefined
  /** All is accounted for, or it is left to another process: lets go. */
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
  return { entriesOf: (batch, message) => journals.get(batch)?.get(message), release }
}
