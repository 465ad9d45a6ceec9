import type { Db } from '../../../database/connection/connect.ts'
import { forecastStaged } from '../../contacts/bulk/staged-stops.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { LineBatch } from '../files/reader.ts'
import { type Counts, type Effects, rejectMet, rejectSuperseded, storeRejects } from './commit.ts'
import { staging } from './staging.ts'

/**
 * Counts what the batch in the staging table would do, as `writeBatch` counts it, and writes no contact: only the rejects of
 * the run, and the keys that it has met.
 */
export async function forecastBatch(
  tx: Db,
  shape: ContactShape,
  { effects, batch }: { effects: Effects; batch: LineBatch },
): Promise<Counts> {
  await storeRejects(tx, effects, batch)
  const isLast = effects.duplicates === 'last'
  const doubled = isLast ? await rejectSuperseded(tx, shape, effects) : await rejectMet(tx, shape, effects)
  const lines = batch.accepted - doubled
  const { empties, redLists, hasMarks, updateExisting } = effects
  const write = { staging, empties, redLists, hasMarks }
  const { created, updated, blocked } = await forecastStaged(tx, shape, write, { updates: updateExisting })
  return {
    created,
    updated,
    rejected: batch.rejected,
    duplicates: batch.duplicates + doubled,
    skipped: lines - created - updated,
    blocked,
  }
}
