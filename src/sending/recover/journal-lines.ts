import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DeliveryKey } from '../../gateways/gateway.ts'
import { readBootId } from '../../lib/boot-id.ts'
import { getBatchName } from '../senders/sender-names.ts'

/**
 * What a journal says of a delivery: its body was started, or its outcome is known (whatever the sender kept of it).
 * `isIdempotent`: its gateway takes it once however often it is sent; `isPart`: its message may have others.
 */
export type JournalEntry = { state: 'started'; isIdempotent?: true; isPart?: true } | { state: 'ended'; ended: unknown }

/** The last entry of each delivery, by sequence. */
export type JournalEntries = ReadonlyMap<number, JournalEntry>

/**
 * The empty file beside the journals of a sender whose name is the boot id under which they are written: a name takes no
 * space of a full disk, and a power cut does not leave half of it.
 */
export function getJournalBootFile(directory: string): string {
  return join(directory, `boot-${readBootId()}`)
}

/** Why claims without an entry are in doubt: their journal was written under another boot id, or an unknown one. */
const RESTARTED = 'the machine restarted and the journal of the sender may lack lines'
/** The same of a journal that does not read whole. */
const DAMAGED = 'the journal of the sender is damaged'

/** Eight hexadecimal digits: of the line and of the batch, so that a line of another file's does not pass. */
function checksum(batch: string, text: string): string {
  return crc32(text, crc32(batch)).toString(16).padStart(8, '0')
}

/** How lines name a delivery; the only one of a message by the message alone. */
function placeOf(key: DeliveryKey): string {
  return typeof key === 'number' ? String(key) : `${key.id}.${key.sequence}`
}

/** A line of a batch's journal: a body begins (`b`; `i` where its gateway takes it once), or its outcome is known (`e`). */
export function formatJournalLine(batch: string, letter: 'b' | 'i' | 'e', key: DeliveryKey, ended?: unknown): string {
  const text = `${letter} ${placeOf(key)}${letter === 'e' ? ` ${JSON.stringify(ended)}` : ''}`
  return `${text} ${checksum(batch, text)}\n`
}

/** Ids may be below zero, and so is the sequence of a message as a whole. */
const LINE = /^([bie]) (-?\d+)(?:\.(-?\d+))?(?: (\{.*\}))?$/s

type Line = [id: number, sequence: number, entry: JournalEntry]

function readText(text: string): Line | undefined {
  const [, letter, id, sequence, outcome] = LINE.exec(text) ?? []
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

const CHECKSUM_LENGTH = ' 01234567'.length

/** The entry of a line; undefined when the line is not as it was written. */
function readLine(batch: string, line: string): Line | undefined {
  const text = line.slice(0, -CHECKSUM_LENGTH)
  return line === `${text} ${checksum(batch, text)}` ? readText(text) : undefined
}

/** What the journal of one batch says, and whether all that was written of it is there to be read. */
interface ReadJournal {
  entries: Map<number, JournalEntries>
  isWhole: boolean
}

function readJournal(content: string, read: (line: string) => Line | undefined): ReadJournal {
  const lines = content.split('\n')
  const entries = new Map<number, Map<number, JournalEntry>>()
  // Nothing follows the last line end. A file without a line was never left by a process that died.
  let isWhole = lines.pop() === '' && lines.length > 0
  for (const line of lines) {
    const [id, sequence, entry] = read(line) ?? []
    if (id === undefined || sequence === undefined || entry === undefined) {
      isWhole = false
      continue
    }
    const known = entries.get(id)
    if (known) known.set(sequence, entry)
    else entries.set(id, new Map([[sequence, entry]]))
  }
  return { entries, isWhole }
}

/** Empty when the disk does not give it. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** What the journals of a dead sender say. */
export interface ParsedJournals {
  /** The last entries of a message's deliveries, by the name of the batch that claimed it. */
  entriesOf(batch: string, message: number): JournalEntries | undefined
  /** Why a claim of the batch without an entry may have been begun all the same; undefined when it was not. */
  doubtOf(batch: string): string | undefined
}

/** Reads the journals in the directory of a dead sender. One that does not read whole leaves its own batch in doubt alone. */
export function readSenderJournals(directory: string, sender: string): ParsedJournals {
  const isSameBoot = existsSync(getJournalBootFile(directory))
  const journals = new Map<string, ReadJournal>()
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.log'))) {
    const batch = getBatchName(sender, Number.parseInt(file, 10))
    // Earlier versions named no boot id and wrote no checksums: their lines count, and their silence proves nothing.
    const read = (line: string) => readLine(batch, line) ?? (isSameBoot ? undefined : readText(line))
    journals.set(batch, readJournal(contentOf(join(directory, file)), read))
  }
  return {
    entriesOf: (batch, message) => journals.get(batch)?.entries.get(message),
    doubtOf(batch) {
      if (!isSameBoot) return RESTARTED
      return journals.get(batch)?.isWhole === false ? DAMAGED : undefined
    },
  }
}
