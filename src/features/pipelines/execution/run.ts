import type { Db } from '../../../database/connection/connect.ts'
import type { ScriptEvaluator } from '../../../scripting/expressions/scripts-port.ts'
import type { Sandbox } from '../../../scripting/sandbox/sandbox.ts'
import { createScriptEvaluators } from '../../../scripting/script-port.ts'
import { createRowMemory } from '../memory/held.ts'
import type { PipelineRow } from '../values/values.ts'
import { loadPipelineEnvironment, type PipelineExecution } from './environment.ts'
import { countPushedCursors, type PipelineExecutionState, readPushedRows, streamPipelineRows } from './pipelines.ts'
import { type ReadProgress, startReadProgress } from './reader.ts'
import { createResultSizeFailure, createRowCollector, type ExecutionBudget } from './results.ts'
import { openReadTransaction, toPipelineReadError } from './transaction.ts'

/** Context of executing pipelines. */
export interface PipelineRunContext {
  db: Db
  sandbox: Pick<Sandbox, 'evaluateEach' | 'openRounds'>
}

/** Plan by which a pipeline was executed. */
export interface PipelineRunPlan {
  /** Cursors that the database did, and that were done in memory. */
  sql: number
  memory: number
  rowsRead: number
  durationMs: number
}

/** An execution that can be ended at any time. */
export interface StartedPipelineRun {
  executing: Omit<PipelineExecutionState, 'compiling'>
  progress: ReadProgress
  end(): void
}

/** Starts the clock of an execution: its scripts end with it, and their processor time counts towards its limit. */
export function startPipelineRun(
  { sandbox }: PipelineRunContext,
  account: number,
  { limitMs, pushes = true, isNested = false }: { limitMs: number; pushes?: boolean; isNested?: boolean },
): StartedPipelineRun {
  const progress = startReadProgress(limitMs)
  const runEnded = new AbortController()
  const { meter } = progress
  const leftMs = () => progress.until - performance.now()
  const timer = setTimeout(() => runEnded.abort(), leftMs())
  const { signal } = runEnded
  const chargeCpu = (cpuMs: number): void => {
    meter.add(cpuMs)
    if (meter.spentMs() > limitMs) runEnded.abort()
  }
  const scriptContext = { sandbox, account, signal, isNested, open: 0, leftMs, meter, charge: chargeCpu }
  const evaluateEach: Sandbox['evaluateEach'] = (evaluations, context) =>
    sandbox.evaluateEach(
      evaluations.map((evaluation) => ({ ...evaluation, onSpent: chargeCpu })),
      { ...context, signal, isNested: isNested || scriptContext.open > 0 },
    )
  const { evaluate, filter } = createScriptEvaluators({ evaluateEach })(account)
  const scripts: ScriptEvaluator = {
    evaluate: (source, scope) => meter.wait(evaluate(source, scope)),
    filter: (call) => meter.wait(filter(call)),
  }
  return {
    executing: { scripts, place: scriptContext, held: createRowMemory(), progress, pushes },
    progress,
    end() {
      clearTimeout(timer)
      runEnded.abort()
    },
  }
}

/** Options of executing a pipeline that differ from the defaults. */
export interface PipelineRunOptions {
  budget: ExecutionBudget
  /** Rows that are wanted at most. */
  limit?: number
  /** False: every cursor is done in memory. */
  pushes?: boolean
  /** A script waits for it. */
  isNested?: boolean
}

/** Executes a pipeline. Throws 400 for arguments, 503 when four are under way, and ExecutionFailure. */
export async function runPipeline(
  context: PipelineRunContext,
  pipelineExecution: PipelineExecution,
  { budget, limit, ...options }: PipelineRunOptions,
): Promise<{ rows: PipelineRow[]; plan: PipelineRunPlan }> {
  const { account, pipeline } = pipelineExecution
  const startedAtMs = performance.now()
  const { limitMs } = budget
  const { executing, progress, end: endRun } = startPipelineRun(context, account, { limitMs, ...options })
  const readTransaction = await progress.meter
    .wait(openReadTransaction(context.db, { account, limitMs }))
    .catch((error) => {
      endRun()
      throw error
    })
  try {
    const { environment, compiling } = await progress.meter.wait(
      loadPipelineEnvironment(readTransaction.tx, pipelineExecution, executing),
    )
    const maxRows = Math.min(limit ?? Number.POSITIVE_INFINITY, budget.rows + 1)
    const collected = createRowCollector(budget)
    const executionState = { ...executing, compiling }
    const pushedCount = countPushedCursors(pipeline, environment, executionState)
    if (pushedCount === pipeline.cursors.length) {
      const rows = await readPushedRows(pipeline, environment, { progress, most: maxRows })
      if (!rows) throw createResultSizeFailure(budget)
      collected.add(rows)
    } else {
      for await (const { rows } of streamPipelineRows(pipeline, environment, executionState)) {
        collected.add(rows.slice(0, maxRows - collected.rows.length))
        if (collected.rows.length >= maxRows) break
      }
    }
    const [sql, durationMs] = [Math.max(0, pushedCount), Math.round(performance.now() - startedAtMs)]
    const plan = { sql, memory: pipeline.cursors.length - sql, rowsRead: progress.rowsRead, durationMs }
    return { rows: collected.rows, plan }
  } catch (error) {
    throw toPipelineReadError(error, progress)
  } finally {
    endRun()
    await readTransaction.end()
  }
}
