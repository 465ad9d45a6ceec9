import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { DeliveryKey } from '../../gateways/gateway.ts'
import { readBootId } from '../../lib/boot-id.ts'
import { getBatchName } from '../senders/sender-names.ts'

/**
 * State of a delivery in a journal: its body was started, or its outcome is known (as the sender stored it). `isIdempotent`: its gateway
 * accepts it once however often it is sent; `isPart`: its message may have others.
 */
export type JournalEntry = { state: 'started'; isIdempotent?: true; isPart?: true } | { state: 'ended'; ended: unknown }

/** The last entry of each delivery, by sequence. */
export type JournalEntries = ReadonlyMap<number, JournalEntry>

/**
 * Returns the path of the empty file next to the journals of a sender whose name is the boot id they are written under: a name takes no
 * space on a full disk, and a power cut does not leave half of it.
 */
export function getJournalBootFile(directory: string): string {
  return join(directory, `boot-${readBootId()}`)
}

/** Why claims without an entry are in doubt: their journal was written under another boot id, or an unknown one. */
const RESTART_REASON = 'the machine restarted and the journal of the sender may lack lines'
/** The same of a journal that does not read whole. */
const DAMAGE_REASON = 'the journal of the sender is damaged'

/** Eight hexadecimal digits: of the line and of the batch, so that a line of another file's does not pass. */
function computeChecksum(batch: string, text: string): string {
  return crc32(text, crc32(batch)).toString(16).padStart(8, '0')
}

/** Formats a delivery as lines name it; the only delivery of a message by the message alone. */
function formatDeliveryKey(key: DeliveryKey): string {
  return typeof key === 'number' ? String(key) : `${key.id}.${key.sequence}`
}

/** A line of a batch's journal: a body begins (`b`; `i` where its gateway takes it once), or its outcome is known (`e`). */
export function formatJournalLine(
  batch: string,
  letter: 'b' | 'i' | 'e',
  key: DeliveryKey,
  endedOutcome?: unknown,
): string {
  const text = `${letter} ${formatDeliveryKey(key)}${letter === 'e' ? ` ${JSON.stringify(endedOutcome)}` : ''}`
  return `${text} ${computeChecksum(batch, text)}\n`
}

/** Ids may be below zero, and so is the sequence of a message as a whole. */
const LINE_PATTERN = /^([bie]) (-?\d+)(?:\.(-?\d+))?(?: (\{.*\}))?$/s

type JournalLine = [id: number, sequence: number, entry: JournalEntry]

function parseLineText(text: string): JournalLine | undefined {
  const [, letter, id, sequence, outcome] = LINE_PATTERN.exec(text) ?? []
  if (letter === undefined || (letter === 'e') === (outcome === undefined)) return undefined
  const deliveryKey = [Number(id), Number(sequence ?? 0)] as const
  const marks = { ...(letter === 'i' && { isIdempotent: true as const }), ...(sequence && { isPart: true as const }) }
  if (outcome === undefined) return [...deliveryKey, { state: 'started', ...marks }]
  try {
    return [...deliveryKey, { state: 'ended', ended: JSON.parse(outcome) }]
  } catch {
    // Cut off: the message was started, and its outcome is unknown.
    return undefined
  }
}

const CHECKSUM_LENGTH = ' 01234567'.length

/** The entry of a line; undefined when the line is not as it was written. */
function parseLine(batch: string, line: string): JournalLine | undefined {
  const text = line.slice(0, -CHECKSUM_LENGTH)
  return line === `${text} ${computeChecksum(batch, text)}` ? parseLineText(text) : undefined
}

/** Content of the journal of one batch; `isWhole` is true if everything that was written can be read. */
interface ParsedJournal {
  entries: Map<number, JournalEntries>
  isWhole: boolean
}

function parseJournal(content: string, parseEntry: (line: string) => JournalLine | undefined): ParsedJournal {
  const lines = content.split('\n')
  const entries = new Map<number, Map<number, JournalEntry>>()
  // Nothing follows the last line end. A file without a line was never left by a process that died.
  let isWhole = lines.pop() === '' && lines.length > 0
  for (const line of lines) {
    const [id, sequence, entry] = parseEntry(line) ?? []
    if (id === undefined || sequence === undefined || entry === undefined) {
      isWhole = false
      continue
    }
    const messageEntries = entries.get(id)
    if (messageEntries) messageEntries.set(sequence, entry)
    else entries.set(id, new Map([[sequence, entry]]))
  }
  return { entries, isWhole }
}

/** Empty when the disk does not give it. */
function readContent(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Content of the journals of a dead sender. */
export interface ParsedJournals {
  /** The last entries of a message's deliveries, by the name of the batch that claimed it. */
  entriesOf(batch: string, message: number): JournalEntries | undefined
  /** Why a claim of the batch without an entry may have been begun all the same; undefined when it was not. */
  doubtOf(batch: string): string | undefined
}

/** Reads the journals in the directory of a dead sender. One that does not read whole leaves its own batch in doubt alone. */
export function readSenderJournals(directory: string, sender: string): ParsedJournals {
  const isSameBoot = existsSync(getJournalBootFile(directory))
  const journals = new Map<string, ParsedJournal>()
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.log'))) {
    const batch = getBatchName(sender, Number.parseInt(file, 10))
    // Earlier versions named no boot id and wrote no checksums: their lines count, and their silence proves nothing.
    const parseJournalLine = (line: string) => parseLine(batch, line) ?? (isSameBoot ? undefined : parseLineText(line))
    journals.set(batch, parseJournal(readContent(join(directory, file)), parseJournalLine))
  }
  return {
    entriesOf: (batch, message) => journals.get(batch)?.entries.get(message),
    doubtOf(batch) {
      if (!isSameBoot) return RESTART_REASON
      return journals.get(batch)?.isWhole === false ? DAMAGE_REASON : undefined
    },
  }
}
