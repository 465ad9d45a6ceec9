import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'

/** For how many days samples are kept, and so how far back the rate at which a disk fills is looked at. */
const SAMPLE_RETENTION = sql.lit('7 days')

/** Free bytes of a disk, and the time of the sample. */
export interface DiskSample {
  takenAt: Date
  freeBytes: number
}

/** Keeps how many bytes are free on the disk of a machine's data directory, once a day (UTC), and forgets what is older than a week. */
export async function recordDiskSample(db: Db, machine: string, { takenAt, freeBytes }: DiskSample): Promise<void> {
  await sql`
    with gone as (delete from disk_samples where machine = ${machine} and taken_at < ${takenAt}::timestamptz - interval ${SAMPLE_RETENTION})
    insert into disk_samples (machine, day, taken_at, free_bytes)
    values (${machine}, (${takenAt}::timestamptz at time zone 'UTC')::date, ${takenAt}, ${freeBytes})
    on conflict do nothing`.execute(db)
}

/** The oldest sample of a machine of the last week. */
export async function findOldestDiskSample(db: Db, machine: string, now: Date): Promise<DiskSample | undefined> {
  const { rows } = await sql<DiskSample>`
    select taken_at as "takenAt", free_bytes as "freeBytes" from disk_samples
    where machine = ${machine} and taken_at between ${now}::timestamptz - interval ${SAMPLE_RETENTION} and ${now}
    order by taken_at limit 1`.execute(db)
  return rows[0]
}
