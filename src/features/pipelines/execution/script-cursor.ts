import { randomUUID } from 'node:crypto'
import type { WorkCpuMeter } from '../../../lib/concurrency/thread-limit.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { ScriptRoundFailure, type ScriptRounds, ScriptRoundTooLarge } from '../../../scripting/sandbox/rounds.ts'
import type { Sandbox } from '../../../scripting/sandbox/sandbox.ts'
import type { PipelineDefinition } from '../definition/definition.ts'
import { batchRows, type RowBatch, type RowBatches, type RowTransform } from '../memory/batches.ts'
import type { MemoryScope } from '../memory/scope.ts'
import type { PipelineRow } from '../values/values.ts'
import { createLimitFailure, ExecutionFailure } from './failures.ts'

/** CPU of one batch, in milliseconds. */
const BATCH_CPU_MS = 1000
/** Rows that may come out of one that goes in. */
const MAX_ROW_GROWTH = 10

/** Environment in which the scripts of an execution run. */
export interface PipelineScriptContext {
  sandbox: Pick<Sandbox, 'openRounds'>
  account: number
  /** Milliseconds left until the last stop. */
  leftMs(): number
  /** The meter of the execution. */
  meter: WorkCpuMeter
  /** Receives the processor time of scripts, in milliseconds. */
  charge(cpuMs: number): void
  signal: AbortSignal
  /** Runtimes that are open: others of the execution wait with them. */
  open: number
  /** A script waits for the execution. */
  isNested: boolean
}

/** The scripts of the cursors of one pipeline, in one runtime that is opened with the first batch. */
export interface PipelineScripts {
  round(script: number, rows: readonly PipelineRow[], context: object): Promise<unknown>
  end(): Promise<void>
}

/** Opens the scripts of a pipeline. */
export function openPipelineScripts({ cursors }: PipelineDefinition, place: PipelineScriptContext): PipelineScripts {
  const sources = cursors.flatMap((cursor) => (cursor.type === 'script' ? (cursor.value ?? '') : []))
  let rounds: ScriptRounds | undefined
  return {
    round(script, rows, context) {
      if (!rounds) {
        const { sandbox, account, signal, leftMs, charge } = place
        const isNested = place.isNested || place.open > 0
        const options = {
          account,
          seed: randomUUID(),
          cpuMs: BATCH_CPU_MS,
          wallMs: Math.max(1, leftMs()),
          signal,
          isNested,
          onSpent: charge,
        }
        rounds = sandbox.openRounds(sources, options)
        place.open++
      }
      return place.meter.wait(rounds.round(script, rows, context))
    },
    async end() {
      if (!rounds) return
      await place.meter.wait(rounds.end())
      place.open--
    },
  }
}

/** Batches without those that are empty, each with whether it is the last one. */
async function* skipEmptyBatches(
  batches: RowBatches,
): AsyncGenerator<{ rows: readonly PipelineRow[]; isLast: boolean }, void> {
  let pendingRows: readonly PipelineRow[] | undefined
  for await (const { rows, more: moreState } of batches) {
    if (rows.length > 0) {
      if (pendingRows) yield { rows: pendingRows, isLast: false }
      pendingRows = rows
    }
    if (!pendingRows || moreState === 'maybe') continue
    yield { rows: pendingRows, isLast: moreState === 'no' }
    pendingRows = undefined
    if (moreState === 'no') return
  }
  if (pendingRows) yield { rows: pendingRows, isLast: true }
}

function requireRows(scriptOutput: unknown, most: number): PipelineRow[] {
  if (!Array.isArray(scriptOutput))
    throw new ExecutionFailure({ type: 'result', message: 'The script of a cursor must return an array of rows.' })
  if (scriptOutput.length > most)
    throw createLimitFailure(
      `The script of a cursor returned ${scriptOutput.length} rows for a batch; at most ${most} are allowed.`,
    )
  return scriptOutput.map((row) => (isJsonObject(row) ? row : { value: row }))
}

interface RoundContext {
  arguments: unknown
  now: string
  first: boolean
  last: boolean
}

type ScriptRound = (rows: readonly PipelineRow[], context: RoundContext) => Promise<unknown>

/** Has rows go through a script; what is too large to cross at once goes in halves. */
async function transformRows(
  round: ScriptRound,
  rows: readonly PipelineRow[],
  context: RoundContext,
): Promise<PipelineRow[]> {
  try {
    return requireRows(await round(rows, context), MAX_ROW_GROWTH * rows.length)
  } catch (error) {
    if (error instanceof ScriptRoundFailure) throw new ExecutionFailure(error.error)
    if (!(error instanceof ScriptRoundTooLarge)) throw error
    if (rows.length === 1)
      throw createLimitFailure(`A row is too large for the script of a cursor: it ${error.message}.`)
    const middle = Math.ceil(rows.length / 2)
    const firstHalf = await transformRows(round, rows.slice(0, middle), { ...context, last: false })
    return [...firstHalf, ...(await transformRows(round, rows.slice(middle), { ...context, first: false }))]
  }
}

/** Has rows go through one of the scripts of a pipeline. */
export function runScriptOnRows(script: number, scripts: PipelineScripts, scope: MemoryScope): RowTransform {
  const sharedContext = { arguments: scope.arguments, now: scope.now }
  const runRound: ScriptRound = (rows, context) => scripts.round(script, rows, context)
  return async function* (batches): AsyncGenerator<RowBatch, void> {
    let isFirstRound = true
    for await (const { rows, isLast } of skipEmptyBatches(batches)) {
      const transformedRows = await transformRows(runRound, rows, {
        ...sharedContext,
        first: isFirstRound,
        last: isLast,
      })
      isFirstRound = false
      if (transformedRows.length > 0) yield* batchRows(transformedRows, isLast ? 'no' : 'maybe')
    }
  }
}
