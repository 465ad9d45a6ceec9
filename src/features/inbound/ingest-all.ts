import { isDatabaseUnavailable } from '../../database/errors.ts'

/** Ingestion of waiting reports. */
export interface ReportIngestion {
  batchSize: number
  /** Ingests at most `limit` reports in one transaction. Returns their number. */
  ingest(limit: number): Promise<number>
  /** Postpones the first one, which blocks those behind it. */
  postponeFirst(error: unknown): Promise<void>
}

/**
 * Takes reports until none is due, and gives how many. When a batch fails they are taken one by one, so that the one that
 * cannot be recorded is found and postponed. Throws when the database is unavailable.
 */
export async function ingestDueReports({ batchSize, ingest, postponeFirst }: ReportIngestion): Promise<number> {
  let [total, limit] = [0, batchSize]
  for (;;) {
    try {
      const ingestedCount = await ingest(limit)
      total += ingestedCount
      if (ingestedCount < limit) return total
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      if (limit === 1) await postponeFirst(error)
      limit = 1
    }
  }
}
