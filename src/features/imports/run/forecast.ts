import type { Db } from '../../../database/connection/connect.ts'
import { forecastStagedWrite } from '../../contacts/bulk/staged-stops.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { LineBatch } from '../files/reader.ts'
import {
  type ImportBatchCounts,
  type ImportRunEffects,
  rejectRepeatedContacts,
  rejectSupersededLines,
  storeLineRejects,
} from './commit.ts'
import { importStagingTable } from './staging.ts'

/**
 * Counts what the batch in the staging table would do, as `writeContactBatch` counts it, and writes no contact: only the rejects of
 * the run, and the keys that it has met.
 */
export async function forecastBatch(
  tx: Db,
  shape: ContactShape,
  { effects, batch }: { effects: ImportRunEffects; batch: LineBatch },
): Promise<ImportBatchCounts> {
  await storeLineRejects(tx, effects, batch)
  const retainsLastLine = effects.duplicates === 'last'
  const duplicateCount = retainsLastLine
    ? await rejectSupersededLines(tx, shape, effects)
    : await rejectRepeatedContacts(tx, shape, effects)
  const lines = batch.accepted - duplicateCount
  const { empties, redLists, hasMarks, updateExisting } = effects
  const stagedWrite = { staging: importStagingTable, empties, redLists, hasMarks }
  const {
    created: createdCount,
    updated: updatedCount,
    blocked: blockedCount,
  } = await forecastStagedWrite(tx, shape, stagedWrite, { updates: updateExisting })
  return {
    created: createdCount,
    updated: updatedCount,
    rejected: batch.rejected,
    duplicates: batch.duplicates + duplicateCount,
    skipped: lines - createdCount - updatedCount,
    blocked: blockedCount,
  }
}
