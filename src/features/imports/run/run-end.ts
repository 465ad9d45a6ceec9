import type { Db } from '../../../database/connection/connect.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import { writeNotices } from '../../notices/notices.ts'
import { findFeatureByType } from '../definitions/features.ts'
import type { ImportRun } from './run-task.ts'
import { enqueueImportPull } from './starts.ts'

const REPORT_TRIES = 8

/** What an end is reported by. */
type EndedRun = Pick<ImportRun, 'id' | 'account' | 'import' | 'content'>

async function isReported(tx: Db, { id, content }: EndedRun, state: 1 | 2): Promise<boolean> {
  const report = findFeatureByType(content.features, 'report')
  if (!report) return false
  if (report.sendFinalReport) return true
  if (!report.sendErrorReport) return false
  if (state === 2) return true
  const row = tx.selectFrom('import_executions').select('rejected').where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).rejected > 0
}

/** Queues the report, the next pull and the notice of a run that has ended, in the transaction that ends it. */
export async function recordImportRunEnd(tx: Db, run: EndedRun, state: 1 | 2): Promise<void> {
  const { account, import: of, content } = run
  if (await isReported(tx, run, state)) {
    await enqueueTask(tx, 'imports.report', { execution: run.id }, { maxAttempts: REPORT_TRIES })
  }
  if (content.source.type === 'ftp') await enqueueImportPull(tx, { account, import: of })
  const counters = ['created', 'updated', 'rejected', 'duplicates', 'skipped'] as const
  const counts = tx.selectFrom('import_executions').select(counters).where('id', '=', run.id)
  const data = { import: of, execution: run.id, state, ...(await counts.executeTakeFirstOrThrow()) }
  await writeNotices(tx, account, [{ type: 'import.completed', contact: null, data }])
}
