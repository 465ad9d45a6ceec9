import { hash, randomBytes } from 'node:crypto'
import type { Db } from '../../../database/connection/connect.ts'
import { formatUuid } from '../../../lib/ids.ts'
import { toStorableJson } from '../../../lib/text/storable.ts'
import { isReactionKind } from '../kinds/event-kinds.ts'
import { ensureEventPartitions } from '../partitions.ts'
import { type AppendedEventRow, buildAppendStatement } from './append-statement.ts'
import type { NewEvent, WrittenEvent } from './new-event.ts'

/**
 * Writes events and gives, in their order, the outcome of each: undefined when its natural key is known, or when it is
 * a hit of an erased contact, and nothing was written. Ids and timestamps are the database's; those of one stamp rise in
 * the order given, so an activation goes before its bounce. A reaction embeds the activation given before it in the
 * list, else the stored one of its stamp, else its fallback.
 *
 * To be the last work of its transaction, which the database ends 20 s later: the caller then gives the events again.
 */
export async function appendEvents(db: Db, events: readonly NewEvent[]): Promise<(WrittenEvent | undefined)[]> {
  const rows = buildRows(events)
  if (rows.length === 0) return events.map(() => undefined)
  const writtenEvents = (await writeEvents(db, rows)) ?? (await createPartitionAndWrite(db, rows))
  return events.map((_, n) => writtenEvents.get(n))
}

/** Writes the rows and answers by their place; undefined, with nothing written, when no partition takes them. */
async function writeEvents(db: Db, rows: readonly AppendedEventRow[]): Promise<Map<number, WrittenEvent> | undefined> {
  const { rows: answerRows } = await buildAppendStatement(rows).execute(db)
  if (answerRows[0]?.ready !== true) return undefined
  return new Map(answerRows.flatMap(({ n, id, ms }) => (id === null ? [] : [[n, { id, timestamp: ms }]])))
}

/** Partitions are created months ahead; a missing one is created now. */
async function createPartitionAndWrite(db: Db, rows: readonly AppendedEventRow[]): Promise<Map<number, WrittenEvent>> {
  await ensureEventPartitions(db, 1)
  const writtenEvents = await writeEvents(db, rows)
  if (!writtenEvents) throw new Error('no partition for the events of this month')
  return writtenEvents
}

/** One row per event; of events with the same natural key the first only. */
function buildRows(events: readonly NewEvent[]): AppendedEventRow[] {
  const seenKeys = new Set<string>()
  const activations = new Map<string, number>()
  const rows: AppendedEventRow[] = []
  const randomBits = randomBytes(16 * events.length)
  for (const [eventIndex, event] of events.entries()) {
    const digest = event.key === null ? undefined : hashNaturalKey(event, event.key)
    const key = digest ? formatUuid(digest.subarray(0, 16)) : null
    if (key !== null && seenKeys.size === seenKeys.add(key).size) continue
    const isKeyStored = key !== null && event.isOnce !== true
    const sendKey = `${event.account} ${event.stamp} ${event.subscription ?? ''} ${event.isFallback ?? false}`
    if (event.kind === 'activations') activations.set(sendKey, eventIndex)
    const parent = isReactionKind(event.kind) && event.stamp !== null ? activations.get(sendKey) : undefined
    const activation = parent === undefined ? undefined : events[parent]?.detail['activation']
    const detailText = toPostgresJson(activation === undefined ? event.detail : { activation, ...event.detail })
    rows.push({
      event,
      n: eventIndex,
      key: isKeyStored ? key : null,
      seed: buildIdSeed(digest ?? randomBits.subarray(16 * eventIndex, 16 * eventIndex + 16)),
      parent: parent ?? null,
      detail: detailText,
    })
  }
  return rows
}

/** SHA-256 of account, channel, kind and key: its first 16 bytes are kept as the key, 74 bits of them make the id. */
function hashNaturalKey({ account, channel, kind }: NewEvent, key: string): Buffer {
  return hash('sha256', [account, channel, kind, key].join('\0'), 'buffer')
}

/** A UUID version 7 (RFC 9562, 5.7) but for its time, which the database adds. */
function buildIdSeed(bytes: Buffer): string {
  const seedBytes = Buffer.from(bytes.subarray(0, 16))
  seedBytes[6] = (seedBytes[6]! & 0x0f) | 0x70
  seedBytes[8] = (seedBytes[8]! & 0x3f) | 0x80
  return formatUuid(seedBytes)
}

/** JSON that PostgreSQL takes: it refuses halves of surrogate pairs, and NUL where it reads a text. */
export function toPostgresJson(value: unknown): string {
  const text = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(toStorableJson(JSON.parse(text)))
}
