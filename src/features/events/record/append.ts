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
  const rows = laidOut(events)
  if (rows.length === 0) return events.map(() => undefined)
  const written = (await write(db, rows)) ?? (await createPartitionAndWrite(db, rows))
  return events.map((_, n) => written.get(n))
}

/** Writes the rows and answers by their place; undefined, with nothing written, when no partition takes them. */
async function write(db: Db, rows: readonly AppendedEventRow[]): Promise<Map<number, WrittenEvent> | undefined> {
  const { rows: answer } = await buildAppendStatement(rows).execute(db)
  if (answer[0]?.ready !== true) return undefined
  return new Map(answer.flatMap(({ n, id, ms }) => (id === null ? [] : [[n, { id, timestamp: ms }]])))
}

/** Partitions are created months ahead; a missing one is created now. */
async function createPartitionAndWrite(db: Db, rows: readonly AppendedEventRow[]): Promise<Map<number, WrittenEvent>> {
  await ensureEventPartitions(db, 1)
  const written = await write(db, rows)
  if (!written) throw new Error('there is no partition for the events of this month')
  return written
}

/** One row per event; of events with the same natural key the first only. */
function laidOut(events: readonly NewEvent[]): AppendedEventRow[] {
  const seen = new Set<string>()
  const activations = new Map<string, number>()
  const rows: AppendedEventRow[] = []
  const random = randomBytes(16 * events.length)
  for (const [n, event] of events.entries()) {
    const digest = event.key === null ? undefined : naturalKey(event, event.key)
    const key = digest ? formatUuid(digest.subarray(0, 16)) : null
    if (key !== null && seen.size === seen.add(key).size) continue
    const isKept = key !== null && event.isOnce !== true
    const send = `${event.account} ${event.stamp} ${event.subscription ?? ''} ${event.isFallback ?? false}`
    if (event.kind === 'activations') activations.set(send, n)
    const parent = isReactionKind(event.kind) && event.stamp !== null ? activations.get(send) : undefined
    const activation = parent === undefined ? undefined : events[parent]?.detail['activation']
    const detail = toPostgresJson(activation === undefined ? event.detail : { activation, ...event.detail })
    rows.push({
      event,
      n,
      key: isKept ? key : null,
      seed: seed(digest ?? random.subarray(16 * n, 16 * n + 16)),
      parent: parent ?? null,
      detail,
    })
  }
  return rows
}

/** SHA-256 of account, channel, kind and key: its first 16 bytes are kept as the key, 74 bits of them make the id. */
function naturalKey({ account, channel, kind }: NewEvent, key: string): Buffer {
  return hash('sha256', [account, channel, kind, key].join('\0'), 'buffer')
}

/** A UUID version 7 (RFC 9562, 5.7) but for its time, which the database adds. */
function seed(bytes: Buffer): string {
  const bits = Buffer.from(bytes.subarray(0, 16))
  bits[6] = (bits[6]! & 0x0f) | 0x70
  bits[8] = (bits[8]! & 0x3f) | 0x80
  return formatUuid(bits)
}

/** JSON that PostgreSQL takes: it refuses halves of surrogate pairs, and NUL where it reads a text. */
export function toPostgresJson(value: unknown): string {
  const text = JSON.stringify(value)
  if (!/\\u(?:0000|d[89a-f])/.test(text)) return text
  return JSON.stringify(toStorableJson(JSON.parse(text)))
}
