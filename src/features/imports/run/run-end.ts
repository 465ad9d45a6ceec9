import type { Db } from '../../../database/connection/connect.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import { writeNotices } from '../../notices/notices.ts'
import { findFeatureByType } from '../definitions/features.ts'
import type { ImportRun } from './run-task.ts'
import { enqueueImportPull } from './starts.ts'

const MAX_REPORT_TRIES = 8

/** The part of a run with which its end is reported. */
type EndedRun = Pick<ImportRun, 'id' | 'account' | 'import' | 'content'>

async function isReportQueued(tx: Db, { id, content }: EndedRun, state: 1 | 2): Promise<boolean> {
  const reportFeature = findFeatureByType(content.features, 'report')
  if (!reportFeature) return false
  if (reportFeature.sendFinalReport) return true
  if (!reportFeature.sendErrorReport) return false
  if (state === 2) return true
  const row = tx.selectFrom('import_executions').select('rejected').where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).rejected > 0
}

/** Queues the report, the next pull and the notice of a run that has ended, in the transaction that ends it. */
export async function recordImportRunEnd(tx: Db, run: EndedRun, state: 1 | 2): Promise<void> {
  const { account, import: importId, content } = run
  if (await isReportQueued(tx, run, state)) {
    await enqueueTask(tx, 'imports.report', { execution: run.id }, { maxAttempts: MAX_REPORT_TRIES })
  }
  if (content.source.type === 'ftp') await enqueueImportPull(tx, { account, import: importId })
  const counterColumns = ['created', 'updated', 'rejected', 'duplicates', 'skipped'] as const
  const runCounts = tx.selectFrom('import_executions').select(counterColumns).where('id', '=', run.id)
  const eventData = { import: importId, execution: run.id, state, ...(await runCounts.executeTakeFirstOrThrow()) }
  await writeNotices(tx, account, [{ type: 'import.completed', contact: null, data: eventData }])
}
