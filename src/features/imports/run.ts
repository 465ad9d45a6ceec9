import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { type Db, json } from '../../database/connect.ts'
import { isUnavailable } from '../../database/errors.ts'
import { Problem } from '../../lib/problem.ts'
import { readContactSettings } from '../contacts/settings.ts'
import { writeContacts } from '../contacts/write.ts'
import { loadFields } from '../fields/definitions.ts'
import { type Counts, concludeEffects, type Effects, forgetNotes, surveyKeys, writeBatch } from './commit.ts'
import { wakeRuns } from './executions.ts'
import { featureOf } from './features.ts'
import { NOT_READ } from './import-format-schemas.ts'
import type { ExecutionContent } from './import-schemas.ts'
import type { Batch, ReadTask, TextFormat } from './reader.ts'
import { readInThread } from './reader-thread.ts'
import { takeTurn } from './turns.ts'
import { shelfFolder, UNPACKED_RATIO } from './uploads.ts'

/** Data lines that are committed together. */
const BATCH_LINES = 5000
const MOST_TRIES = 5
const MOST_WARNINGS = 100

/** An execution as a run takes it up. */
interface Run {
  id: number
  account: number
  import: number
  content: ExecutionContent
  is_surveyed: boolean
  surveyed: number
  lines: number
  cancelled: boolean
  path: string | null
  filename: string | null
}

/** Somebody else ended the run, or works on it: this one leaves everything as it is. */
class Superseded extends Error {}

/** An execution that has not ended; undefined otherwise. */
async function openRun(db: Db, execution: number): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    select e.id, e.account, e.import, e.content, e.is_surveyed, e.surveyed, e.lines, e.cancelled, u.path, u.filename
    from import_executions e left join import_uploads u on u.id = e.upload
    where e.id = ${execution} and e.state = 0`.execute(db)
  return rows[0]
}

function effectsOf({ id, account, import: origin, content: { features } }: Run): Effects {
  const segmentation = featureOf(features, 'segmentation')
  const database = featureOf(features, 'database')
  const { last, ignore } = featureOf(features, 'duplicate')?.rules ?? {}
  const { mail, sms } = featureOf(features, 'redList')?.destination ?? {}
  return {
    execution: id,
    account,
    import: origin,
    duplicates: last ? 'last' : ignore ? 'ignore' : 'first',
    updateExisting: database?.updateExisting ?? true,
    empties: database?.crushData ?? false,
    segment: segmentation && { id: segmentation.segmentId, isEmptied: segmentation.emptyExisitingSegment },
    redLists: [...(mail ? (['mail'] as const) : []), ...(sms ? (['sms'] as const) : [])],
  }
}

function formatOf({ bindings }: ExecutionContent): TextFormat {
  return {
    separator: bindings?.separator ? String.fromCharCode(bindings.separator) : undefined,
    encoding: bindings?.encoding ?? 'auto',
    dateOrder: bindings?.dateOrder,
    startAt: bindings?.startAt ?? 1,
    binds:
      bindings?.binds.map(({ columnIndex, fieldId }) => ({
        columnIndex,
        field: fieldId === NOT_READ ? null : fieldId,
      })) ?? null,
  }
}

async function taskOf({ db, config }: Context, run: Run, effects: Effects): Promise<ReadTask> {
  const { account, content, path, filename } = run
  if (path === null || filename === null) {
    throw new Problem(400, 'file-gone', 'The file of this run is no longer kept: upload it again.')
  }
  const { importMaxBytes } = await readContactSettings(db, account)
  const folder = shelfFolder({ dataDir: config.dataDir, account, import: run.import })
  return {
    upload: { path: join(folder, path), name: filename, mostUnpacked: importMaxBytes * UNPACKED_RATIO },
    scratch: join(folder, `unpacked-${run.id}`),
    format: formatOf(content),
    definitions: await loadFields(db, account),
    normalization: featureOf(content.features, 'normalization')?.fields ?? {},
    empties: effects.empties,
    keepsFirst: effects.duplicates !== 'last',
    listsDuplicates: effects.duplicates === 'first',
    passed: 0,
    batchLines: BATCH_LINES,
  }
}

function cancelled(): Problem {
  return new Problem(409, 'cancelled', 'The run was cancelled; the batches before stay.')
}

/** Throws what a run ends with when it may not go on: `row` is that of the execution, if it still stands where it did. */
function requireOpen(row: { cancelled: boolean } | undefined): void {
  if (!row) throw new Superseded()
  if (row.cancelled) throw cancelled()
}

/** Notes the keys of one batch. The position that was reached before must still stand, or someone else works here. */
async function surveyBatch(db: Db, effects: Effects, { batch, from }: { batch: Batch; from: number }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ cancelled: boolean }>`
        update import_executions set surveyed = ${batch.lines}, bytes = ${batch.bytes}
        where id = ${effects.execution} and state = 0 and surveyed = ${from} returning cancelled`.execute(tx)
    requireOpen(rows[0])
    await surveyKeys(tx, effects, batch)
  })
}

/** Writes one batch with its counters and the position, in one transaction. */
async function commitBatch(
  context: Context,
  effects: Effects,
  { batch, from }: { batch: Batch; from: number },
): Promise<void> {
  await writeContacts(context.db, effects.account, async (tx, shape) => {
    const { rows } = await sql<{ cancelled: boolean }>`
        select cancelled from import_executions
        where id = ${effects.execution} and state = 0 and lines = ${from} for no key update`.execute(tx)
    requireOpen(rows[0])
    const counts = await writeBatch(tx, shape, { effects, batch }, context)
    await noteProgress(tx, effects.execution, batch, counts)
  })
}

async function noteProgress(tx: Db, execution: number, batch: Batch, counts: Counts): Promise<void> {
  await sql`
    update import_executions set lines = ${batch.lines}, bytes = ${batch.bytes},
      created = created + ${counts.created}, updated = updated + ${counts.updated},
      rejected = rejected + ${counts.rejected}, duplicates = duplicates + ${counts.duplicates},
      skipped = skipped + ${counts.skipped},
      warnings = (
        select coalesce(jsonb_agg(w order by n), '[]') from (
          select w, min(n) as n from jsonb_array_elements(warnings || ${json(batch.warnings)}::jsonb)
            with ordinality as a(w, n)
          group by w order by n limit ${MOST_WARNINGS}) as kept)
    where id = ${execution}`.execute(tx)
}

/** Tries a batch again when it fails; the fifth failure ends the run. What is no fault of the batch is thrown on. */
async function persist(work: () => Promise<void>, { log }: Context, batch: Batch): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Superseded || error instanceof Problem || isUnavailable(error)) throw error
      log.warn({ err: error, tries }, 'a batch of an import failed')
      if (tries >= MOST_TRIES) {
        const detail = `The batch that ends with data line ${batch.lines} failed ${MOST_TRIES} times; those before it stay.`
        throw new Problem(500, 'batch-failed', detail, { cause: error })
      }
      await delay(20 * 2 ** tries)
    }
  }
}

/** Reads the file from where the run stands and writes it, batch by batch; false when it was interrupted. */
async function pass(
  context: Context,
  task: ReadTask,
  { effects, signal, isSurvey }: { effects: Effects; signal: AbortSignal | undefined; isSurvey: boolean },
): Promise<boolean> {
  let from = task.passed
  for await (const batch of readInThread(task)) {
    if (signal?.aborted) return false
    const place = { batch, from }
    await persist(
      () => (isSurvey ? surveyBatch(context.db, effects, place) : commitBatch(context, effects, place)),
      context,
      batch,
    )
    from = batch.lines
  }
  return !signal?.aborted
}

async function work(context: Context, run: Run, signal: AbortSignal | undefined): Promise<void> {
  const { db, clock } = context
  const effects = effectsOf(run)
  if (run.cancelled) throw cancelled()
  const task = await taskOf(context, run, effects)
  try {
    if (effects.duplicates === 'last' && !run.is_surveyed) {
      const isRead = await pass(context, { ...task, passed: run.surveyed }, { effects, signal, isSurvey: true })
      if (!isRead) return
      await sql`update import_executions set is_surveyed = true where id = ${run.id}`.execute(db)
    }
    if (!(await pass(context, { ...task, passed: run.lines }, { effects, signal, isSurvey: false }))) return
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ cancelled: boolean }>`
          update import_executions set state = 1, ended_at = ${new Date(clock.now())}, bytes = total
          where id = ${run.id} and state = 0 returning cancelled`.execute(tx)
    requireOpen(rows[0])
      await concludeEffects(tx, effects)
    })
  } finally {
    await rm(task.scratch, { recursive: true, force: true })
  }
}

async function fail({ db, clock }: Context, execution: number, { kind, detail }: Problem): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`
      update import_executions
      set state = 2, ended_at = ${new Date(clock.now())}, error = ${json({ type: kind, detail })}::jsonb
      where id = ${execution} and state = 0`.execute(tx)
    await forgetNotes(tx, execution)
  })
}

/**
 * Runs an import from where it stands until its file is done, it is cancelled, or `signal` tells it to stop, which it
 * does between two batches. Does nothing when the execution has ended, when another process works on it, or when the
 * account has two runs under way: then it is started when one of them ends.
 */
export async function runImport(
  context: Context,
  { execution }: { execution: number },
  signal?: AbortSignal,
): Promise<void> {
  const { db, pool } = context
  const found = await openRun(db, execution)
  if (!found) return
  const turn = await takeTurn(pool, found)
  if (!turn) return
  try {
    const run = await openRun(db, execution)
    if (run) await work(context, run, signal)
  } catch (error) {
    if (error instanceof Superseded) return
    if (!(error instanceof Problem)) throw error
    await fail(context, execution, error)
  } finally {
    await turn.end()
    if (!signal?.aborted) await wakeRuns(db, found.account)
  }
}
