import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ServiceContext } from '../../../context.ts'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import { correctRowEstimate } from '../../../database/rows/row-estimates.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import { type BackoffPolicy, computeBackoffDelay, NO_JITTER } from '../../../lib/time/backoff.ts'
import type { ContactDefinitions } from '../../contacts/fields/definitions.ts'
import { runContactWrite } from '../../contacts/records/write.ts'
import type { ImportReadTask, LineBatch } from '../files/reader.ts'
import { readImportBatches } from '../files/reader-thread.ts'
import { discardUpload } from '../upload/uploads.ts'
import {
  finalizeImportEffects,
  type ImportBatchCounts,
  type ImportRunEffects,
  purgeRunNotes,
  recordStagedKeys,
  writeContactBatch,
} from './commit.ts'
import { purgeDryRunFile } from './dry-runs.ts'
import { enqueueUnfinishedRuns } from './executions.ts'
import { forecastBatch } from './forecast.ts'
import { recordImportRunEnd } from './run-end.ts'
import { lockImportRun } from './run-lock.ts'
import { buildImportReadTask, buildImportRunEffects, findActiveImportRun, type ImportRun } from './run-task.ts'
import { openStagingConnection, type StagingConnection } from './staging.ts'

const MAX_STEP_TRIES = 5
const retryBackoff: BackoffPolicy = { firstMs: 40, maxMs: 320, jitter: NO_JITTER }
const MAX_WARNINGS = 100

/** The connection that a run is worked on, and what stops it. */
interface RunContext {
  context: ServiceContext
  staging: StagingConnection
  signal: AbortSignal | undefined
  /** Data lines that are committed together. */
  batchLines: number
}

/** Effects and input of a run. */
interface ImportWork extends RunContext {
  effects: ImportRunEffects
  task: ImportReadTask
  /** True if the previous batch contained new contacts only: then those of the next one are not looked up first. */
  expectsNew: boolean
}

/** A batch, and the data lines before it. */
interface BatchStep {
  batch: LineBatch
  from: number
}

/** The run was ended, or is worked on, by another process: nothing is changed. */
class RunSuperseded extends Error {}

/** Fields, lists or settings changed after the lines were read: they are read again. */
class DefinitionsChanged extends Error {}

function buildCancelledProblem(): Problem {
  return new Problem(409, 'cancelled', 'The run was cancelled. Batches written before are retained.')
}

/** Throws when the run may not go on; there is a row if the execution still stands where it did. */
function requireActiveRun([row]: readonly { cancelled: boolean }[]): void {
  if (!row) throw new RunSuperseded()
  if (row.cancelled) throw buildCancelledProblem()
}

function requireSameDefinitions(now: ContactDefinitions, readDefinitions: ContactDefinitions): void {
  if (now.version !== readDefinitions.version) throw new DefinitionsChanged()
}

/** Writes the keys of one batch, and the position of the first pass. */
async function surveyBatch({ effects, staging }: ImportWork, { batch, from }: BatchStep): Promise<void> {
  await inTransaction(staging.db, async (tx) => {
    const { rows } = await sql<{ cancelled: boolean }>`
      update import_executions set surveyed = ${batch.lines}, bytes = ${batch.bytes}
      where id = ${effects.execution} and state = 0 and surveyed = ${from} returning cancelled`.execute(tx)
    requireActiveRun(rows)
    await staging.fill(batch.rows, effects.hasMarks)
    await recordStagedKeys(tx, effects)
  })
}

/** Writes one batch with its counters and the position, of a dry run those alone: all of it, or nothing. */
async function commitBatch(work: ImportWork, { batch, from }: BatchStep): Promise<void> {
  const { context, effects, task, staging, expectsNew } = work
  work.expectsNew = await runContactWrite(staging.db, effects.account, async (tx, shape) => {
    const { rows } = await sql<{ cancelled: boolean }>`
      select cancelled from import_executions
      where id = ${effects.execution} and state = 0 and lines = ${from} for no key update`.execute(tx)
    requireActiveRun(rows)
    requireSameDefinitions(shape, task.definitions)
    await staging.fill(batch.rows, effects.hasMarks)
    if (effects.dryRun) {
      await recordProgress(tx, effects, batch, await forecastBatch(tx, shape, { effects, batch }))
      return false
    }
    const batchResult = await writeContactBatch(tx, shape, { effects, batch, expectsNew }, context)
    await recordProgress(tx, effects, batch, batchResult.counts)
    return batchResult.isNew
  })
}

async function recordProgress(
  tx: Db,
  { execution }: ImportRunEffects,
  batch: LineBatch,
  counts: ImportBatchCounts,
): Promise<void> {
  const warnings = sql`
    select coalesce(jsonb_agg(w order by n), '[]') from (
      select w, min(n) as n from jsonb_array_elements(warnings || ${toJsonbText(batch.warnings)}::jsonb) with ordinality as a(w, n)
      group by w order by n limit ${MAX_WARNINGS}) as kept`
  await sql`
    update import_executions set
      lines = ${batch.lines}, bytes = ${batch.bytes}, warnings = (${warnings}),
      created = created + ${counts.created}, updated = updated + ${counts.updated},
      rejected = rejected + ${counts.rejected}, duplicates = duplicates + ${counts.duplicates},
      skipped = skipped + ${counts.skipped}, blocked = blocked + ${counts.blocked}
    where id = ${execution}`.execute(tx)
}

/** Retries a failed step; the fifth failure ends the run. Errors from outside the step are rethrown. */
async function retryStep(
  { context: { log } }: ImportWork,
  { batch }: BatchStep,
  attempt: () => Promise<void>,
): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      const isOutside =
        error instanceof RunSuperseded || error instanceof DefinitionsChanged || isDatabaseUnavailable(error)
      if (isOutside || error instanceof Problem) throw error
      log.warn({ err: error, tries: attempts, lines: batch.lines }, 'import batch failed')
      if (attempts === MAX_STEP_TRIES) {
        const detail = `The batch up to data line ${batch.lines} failed ${MAX_STEP_TRIES} times. Earlier batches are retained.`
        throw new Problem(500, 'batch-failed', detail, { cause: error })
      }
      await delay(computeBackoffDelay(retryBackoff, attempts - 1))
    }
  }
}

async function* readBatches({ context: { log }, task }: ImportWork, passed: number): AsyncGenerator<LineBatch> {
  try {
    yield* readImportBatches({ ...task, passed })
  } catch (error) {
    if (error instanceof Problem) throw error
    log.error({ err: error }, 'cannot read import file')
    throw new Problem(500, 'file-unreadable', 'The file cannot be read. Upload it again.', { cause: error })
  }
}

/** Takes one step for every batch behind the given data line; false when the signal stopped it before the end. */
async function processBatches(
  work: ImportWork,
  passed: number,
  take: (work: ImportWork, step: BatchStep) => Promise<void>,
): Promise<boolean> {
  let committedLines = passed
  for await (const batch of readBatches(work, passed)) {
    if (work.signal?.aborted) return false
    const step = { batch, from: committedLines }
    await retryStep(work, step, () => take(work, step))
    committedLines = batch.lines
    // Freed at once: the garbage collector does not count its size.
    batch.rows.buffer.transfer(0)
  }
  return true
}

/**
 * Ends a run: completed, or with the problem that stopped it. One transaction covers everything that follows from the end, including
 * reports and notices. A dry run does not have any.
 */
async function concludeRun({ db, clock, config }: ServiceContext, run: ImportRun, problem?: Problem): Promise<void> {
  const state = problem ? 2 : 1
  const error = problem ? toJsonbText({ type: problem.kind, detail: problem.detail }) : null
  const trialPath = await inTransaction(db, async (tx) => {
    const { rows } = await sql<{ cancelled: boolean }>`
      update import_executions set state = ${state}, ended_at = ${new Date(clock.now())}, error = ${error}::jsonb,
        bytes = case when ${problem === undefined} then total else bytes end
      where id = ${run.id} and state = 0 returning cancelled`.execute(tx)
    if (problem && rows.length === 0) return undefined
    if (problem) await purgeRunNotes(tx, run.id)
    else {
      requireActiveRun(rows)
      await finalizeImportEffects(tx, buildImportRunEffects(run))
    }
    if (run.dry_run) return purgeDryRunFile(tx, run.id)
    await recordImportRunEnd(tx, run, state)
  })
  const { account, import: importId } = run
  if (trialPath !== undefined) await discardUpload({ config, account, import: importId }, { path: trialPath })
}

/** Lets the planner know of the contacts and members that an import has added. */
async function correctEstimates(
  { db, log }: ServiceContext,
  { execution, account, segment }: ImportRunEffects,
): Promise<void> {
  try {
    const executionCounts = db
      .selectFrom('import_executions')
      .select(['created', 'updated', 'skipped'])
      .where('id', '=', execution)
    const { created, updated, skipped } = await executionCounts.executeTakeFirstOrThrow()
    await correctRowEstimate(db, { table: 'contacts', column: 'account', value: account }, created)
    if (!segment) return
    const memberTable = { table: 'segment_members', column: 'segment', value: segment.id } as const
    await correctRowEstimate(db, memberTable, created + updated + skipped)
  } catch (error) {
    log.warn({ err: error }, 'cannot update row estimates after an import')
  }
}

/** Reads and writes the file from where the run stands. */
async function processRun({ context, staging, signal, batchLines }: RunContext, run: ImportRun): Promise<void> {
  const effects = buildImportRunEffects(run)
  if (run.cancelled) throw buildCancelledProblem()
  const task = { ...(await buildImportReadTask(context, run, effects, signal)), batchLines }
  const importWork = { context, effects, task, staging, signal, batchLines, expectsNew: false }
  try {
    if (effects.duplicates === 'last' && !run.is_surveyed) {
      if (!(await processBatches(importWork, run.surveyed, surveyBatch))) return
      await sql`update import_executions set is_surveyed = true where id = ${run.id}`.execute(context.db)
    }
    if (!(await processBatches(importWork, run.lines, commitBatch))) return
    await concludeRun(context, run)
    if (!run.dry_run) await correctEstimates(context, effects)
  } finally {
    await rm(task.scratch, { recursive: true, force: true })
  }
}

/** Keys noted by former definitions are void: the first pass is repeated. */
async function clearSurvey(db: Db, execution: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`update import_executions set surveyed = 0, is_surveyed = false where id = ${execution}`.execute(tx)
    await tx.deleteFrom('import_keys').where('execution', '=', execution).execute()
  })
}

/** Works on a locked execution until it has ended or must wait. */
async function processUntilEnd(runContext: RunContext, execution: number): Promise<void> {
  const { context } = runContext
  for (
    let activeRun = await findActiveImportRun(context.db, execution);
    activeRun;
    activeRun = await findActiveImportRun(context.db, execution)
  ) {
    try {
      return await processRun(runContext, activeRun)
    } catch (error) {
      if (error instanceof RunSuperseded) return
      if (error instanceof Problem) return concludeRun(context, activeRun, error)
      if (!(error instanceof DefinitionsChanged)) throw error
      if (buildImportRunEffects(activeRun).duplicates === 'last') await clearSurvey(context.db, execution)
    }
  }
}

/** An execution to run; `batchLines`: data lines that are committed together, 5,000 unless it says otherwise. */
interface RunRequest {
  execution: number
  batchLines?: number
}

/**
 * Runs an import from where it stands until its file is done or it is cancelled. `signal` stops it after the current
 * batch; `enqueueUnfinishedRuns` resumes it. Does nothing when the execution has ended, when another process works on it, or when its
 * account has two runs under way: the one that ends first wakes those that wait.
 */
export async function runImport(
  context: ServiceContext,
  { execution, batchLines = 5000 }: RunRequest,
  signal?: AbortSignal,
): Promise<void> {
  const { db, pool } = context
  const run = await findActiveImportRun(db, execution)
  const runLock = run && (await lockImportRun(pool, run))
  if (!runLock) return
  try {
    const staging = await openStagingConnection(runLock.client)
    await processUntilEnd({ context, staging, signal, batchLines }, execution)
    await staging.close()
  } finally {
    await runLock.release()
  }
  if (!signal?.aborted) await enqueueUnfinishedRuns(db, run.account)
}
