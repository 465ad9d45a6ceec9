import type { Db } from '../../../database/connection/connect.ts'
import type { ScriptPort } from '../../../scripting/expressions/scripts-port.ts'
import type { Sandbox } from '../../../scripting/sandbox/sandbox.ts'
import { openScripts } from '../../../scripting/script-port.ts'
import { openHeld } from '../memory/held.ts'
import type { Row } from '../values/values.ts'
import { type Asked, loadEnvironment } from './environment.ts'
import { type Executing, pushedCursors, readAtOnce, rowsOf } from './pipelines.ts'
import { openProgress, type Progress } from './reader.ts'
import { type Budget, openRows, sizeFailure } from './results.ts'
import { openReading, readingError } from './transaction.ts'

/** What pipelines are executed with. */
export interface RunContext {
  db: Db
  sandbox: Pick<Sandbox, 'evaluateEach' | 'openRounds'>
}

/** How a pipeline was executed. */
export interface Plan {
  /** Cursors that the database did, and that were done in memory. */
  sql: number
  memory: number
  rowsRead: number
  durationMs: number
}

/** An execution that can be ended at any time. */
export interface Started {
  executing: Omit<Executing, 'compiling'>
  progress: Progress
  end(): void
}

/** Starts the clock of an execution: its scripts end with it, and their processor time counts towards its limit. */
export function startExecution(
  { sandbox }: RunContext,
  account: number,
  { limitMs, pushes = true, isNested = false }: { limitMs: number; pushes?: boolean; isNested?: boolean },
): Started {
  const progress = openProgress(limitMs)
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
  const { evaluate, filter } = openScripts({ evaluateEach })(account)
  const scripts: ScriptPort = {
    evaluate: (source, scope) => meter.wait(evaluate(source, scope)),
    filter: (call) => meter.wait(filter(call)),
  }
  return {
    executing: { scripts, place, held: openHeld(), progress, pushes },
    progress,
    end() {
      clearTimeout(timer)
      over.abort()
    },
  }
}

/** How a pipeline is executed where it is not as usual. */
export interface RunOptions {
  budget: Budget
  /** Rows that are wanted at most. */
  limit?: number
  /** False: every cursor is done in memory. */
  pushes?: boolean
  /** A script waits for it. */
  isNested?: boolean
}

/** Executes a pipeline. Throws 400 for arguments, 503 when four are under way, and ExecutionFailure. */
export async function runPipeline(
  context: RunContext,
  asked: Asked,
  { budget, limit, ...options }: RunOptions,
): Promise<{ rows: Row[]; plan: Plan }> {
  const { account, pipeline } = asked
  const begun = performance.now()
  const { limitMs } = budget
  const { executing, progress, end } = startExecution(context, account, { limitMs, ...options })
  const reading = await progress.meter.wait(openReading(context.db, { account, limitMs })).catch((error) => {
    end()
    throw error
  })
  try {
    const { environment, compiling } = await progress.meter.wait(loadEnvironment(reading.tx, asked, executing))
    const most = Math.min(limit ?? Number.POSITIVE_INFINITY, budget.rows + 1)
    const collected = openRows(budget)
    const all = { ...executing, compiling }
    const pushed = pushedCursors(pipeline, environment, all)
    if (pushed === pipeline.cursors.length) {
      const rows = await readAtOnce(pipeline, environment, { progress, most })
      if (!rows) throw sizeFailure(budget)
      collected.add(rows)
    } else {
      for await (const { rows } of rowsOf(pipeline, environment, all)) {
        collected.add(rows.slice(0, most - collected.rows.length))
        if (collected.rows.length >= most) break
      }
    }
    const [sql, durationMs] = [Math.max(0, pushed), Math.round(performance.now() - begun)]
    const plan = { sql, memory: pipeline.cursors.length - sql, rowsRead: progress.rowsRead, durationMs }
    return { rows: collected.rows, plan }
  } catch (error) {
    throw readingError(error, progress)
  } finally {
    end()
    await reading.end()
  }
}
