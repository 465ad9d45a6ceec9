import { sql } from 'kysely'
import type { Db } from '../../../database/connection/connect.ts'
import type { CountedMessages } from '../pressure-schemas.ts'
import { unpackPressureBuckets } from './buckets.ts'
import { type PressureContactKey, readPressureCounters } from './counters.ts'

/** Reads the stored counts of a contact, oldest first. Deleted topics still have their label. */
export async function readCountedMessages(
  db: Db,
  { account, contact }: PressureContactKey,
): Promise<CountedMessages[]> {
  const buckets = unpackPressureBuckets(await readPressureCounters(db, { account, contact }))
  if (buckets.length === 0) return []
  const { rows } = await sql<{ number: number; id: string; label: string }>`
    select number, id, label from pressure_topics
    where account = ${account} and number = any(${buckets.map(({ topic }) => topic)}::smallint[])`.execute(db)
  const topics = new Map(rows.map(({ number, id, label }) => [number, { id, label }]))
  return buckets.map(({ at, channel, purpose, topic, count }) => {
    return { start: new Date(at).toISOString(), channel, purpose, topic: topics.get(topic) ?? null, count }
  })
}
