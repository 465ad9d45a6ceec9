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

/** What pipelines are executed with. */
export interface PipelineRunContext {
  db: Db
  sandbox: Pick<Sandbox, 'evaluateEach' | 'openRounds'>
}

/** How a pipeline was executed. */
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
  const over = new AbortController()
  const { meter } = progress
  const leftMs = () => progress.until - performance.now()
  const timer = setTimeout(() => over.abort(), leftMs())
  const { signal } = over
  const charge = (cpuMs: number): void => {
    meter.add(cpuMs)
    if (meter.spentMs() > limitMs) over.abort()
  }
  const place = { sandbox, account, signal, isNested, open: 0, leftMs, meter, charge }
  const evaluateEach: Sandbox['evaluateEach'] = (given, context) =>
    sandbox.evaluateEach(
      given.map((one) => ({ ...one, onSpent: charge })),
      { ...context, signal, isNested: isNested || place.open > 0 },
    )
  const { evaluate, filter } = createScriptEvaluators({ evaluateEach })(account)
  const scripts: ScriptEvaluator = {
    evaluate: (source, scope) => meter.wait(evaluate(source, scope)),
    filter: (call) => meter.wait(filter(call)),
  }
  return {
    executing: { scripts, place, held: createRowMemory(), progress, pushes },
    progress,
    end() {
      clearTimeout(timer)
      over.abort()
    },
  }
}

/** How a pipeline is executed where it is not as usual. */
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
  asked: PipelineExecution,
  { budget, limit, ...options }: PipelineRunOptions,
): Promise<{ rows: PipelineRow[]; plan: PipelineRunPlan }> {
  const { account, pipeline } = asked
  const begun = performance.now()
  const { limitMs } = budget
  const { executing, progress, end } = startPipelineRun(context, account, { limitMs, ...options })
  const reading = await progress.meter.wait(openReadTransaction(context.db, { account, limitMs })).catch((error) => {
    end()
    throw error
  })
  try {
    const { environment, compiling } = await progress.meter.wait(loadPipelineEnvironment(reading.tx, asked, executing))
    const most = Math.min(limit ?? Number.POSITIVE_INFINITY, budget.rows + 1)
    const collected = createRowCollector(budget)
    const all = { ...executing, compiling }
    const pushed = countPushedCursors(pipeline, environment, all)
    if (pushed === pipeline.cursors.length) {
      const rows = await readPushedRows(pipeline, environment, { progress, most })
      if (!rows) throw createResultSizeFailure(budget)
      collected.add(rows)
    } else {
      for await (const { rows } of streamPipelineRows(pipeline, environment, all)) {
        collected.add(rows.slice(0, most - collected.rows.length))
        if (collected.rows.length >= most) break
      }
    }
    const [sql, durationMs] = [Math.max(0, pushed), Math.round(performance.now() - begun)]
    const plan = { sql, memory: pipeline.cursors.length - sql, rowsRead: progress.rowsRead, durationMs }
    return { rows: collected.rows, plan }
  } catch (error) {
    throw toPipelineReadError(error, progress)
  } finally {
    end()
    await reading.end()
  }
}
