import { createResultError, createScriptError, createTimeoutError, toWorkEndError } from './faults.ts'
import { sandboxLimits } from './limits.ts'
import type { SandboxExpressionOutcome, SandboxWork } from './messages.ts'
import { JsonTransferError, toTransferableJson } from './realm/json.ts'
import type { SandboxWorkEnd, SubmitSandboxTask } from './task.ts'
import type { ExpressionWithGlobals, SandboxExpressionResult, SandboxRunContext } from './types.ts'

/** Number of expressions that cost a thread after which the rest of a batch is not evaluated. */
const MAX_LOST_THREADS = 3
/** Limits of a batch: expressions, and characters of their constants. */
const BATCH_LIMITS = { expressions: 100, globals: 4 * sandboxLimits.inputBytes }

type EvaluationCaller = Pick<SandboxRunContext, 'account' | 'signal' | 'isNested'>
type ExpressionGlobals = Readonly<Record<string, unknown>>

const NO_GLOBALS: ExpressionGlobals = {}

function toExpressionResult(outcome: SandboxExpressionOutcome): SandboxExpressionResult {
  return outcome.type === 'error' ? outcome : { type: 'success', value: JSON.parse(outcome.value) }
}

/** Texts of constants, each made once. */
function createGlobalsTexts() {
  const textsByGlobals = new Map<ExpressionGlobals, string | SandboxExpressionResult>()
  return ({ globals = NO_GLOBALS }: ExpressionWithGlobals): string | SandboxExpressionResult => {
    const text = textsByGlobals.get(globals) ?? serializeGlobals(globals)
    textsByGlobals.set(globals, text)
    return text
  }
}

type GlobalsTexts = ReturnType<typeof createGlobalsTexts>

/** The first of the expressions that cross together, as work for a thread. */
function buildBatchWork(
  expressions: readonly ExpressionWithGlobals[],
  textOf: GlobalsTexts,
): Extract<SandboxWork, { type: 'evaluate' }> {
  const globals: string[] = []
  const batchExpressions: Extract<SandboxWork, { type: 'evaluate' }>['expressions'][number][] = []
  let batchSize = 0
  for (const nextExpression of expressions.slice(0, BATCH_LIMITS.expressions)) {
    const text = textOf(nextExpression)
    if (typeof text !== 'string') break
    const globalsIndex = globals.indexOf(text)
    if (globalsIndex < 0) batchSize += text.length
    if (batchExpressions.length > 0 && batchSize > BATCH_LIMITS.globals) break
    batchExpressions.push({
      text: nextExpression.source,
      seed: nextExpression.seed,
      globals: globalsIndex < 0 ? globals.push(text) - 1 : globalsIndex,
    })
  }
  return { type: 'evaluate', expressions: batchExpressions, globals, cpuMs: sandboxLimits.expressionCpuMs }
}

/** Evaluates in one thread, until one of the expressions costs the thread. */
async function evaluateBatch(
  submit: SubmitSandboxTask,
  { account, signal, isNested = false }: EvaluationCaller,
  {
    work: batchWork,
    expressions,
  }: { work: Extract<SandboxWork, { type: 'evaluate' }>; expressions: readonly ExpressionWithGlobals[] },
): Promise<{ ended: SandboxWorkEnd; results: SandboxExpressionResult[] }> {
  const results: SandboxExpressionResult[] = []
  const workEnd = await submit({
    account,
    cpuMs: batchWork.cpuMs,
    wallMs: Number.POSITIVE_INFINITY,
    signal,
    isNested,
    work: batchWork,
    onMessage: (message) => {
      if (message.type !== 'expression') return
      expressions[results.length]?.onSpent?.(message.cpuMs)
      results.push(toExpressionResult(message.outcome))
    },
    onCalls: () => {},
  })
  return { ended: workEnd, results }
}

/** Evaluates expressions in the pool, each with its own constants. */
export async function evaluateEachInPool(
  submit: SubmitSandboxTask,
  expressions: readonly ExpressionWithGlobals[],
  caller: EvaluationCaller,
): Promise<SandboxExpressionResult[]> {
  const textOf = createGlobalsTexts()
  const results: SandboxExpressionResult[] = []
  const fillRemaining = (error: SandboxExpressionResult) => [
    ...results,
    ...expressions.slice(results.length).map(() => error),
  ]
  /** The index of the expression whose thread was terminated: it is tried once more before it fails. */
  let suspectIndex = -1
  for (let lostThreads = 0; results.length < expressions.length; ) {
    const text = textOf(expressions[results.length]!)
    if (typeof text !== 'string') {
      results.push(text)
      continue
    }
    if (lostThreads === MAX_LOST_THREADS) return fillRemaining({ type: 'error', error: createTimeoutError('budget') })
    const remainingExpressions = expressions.slice(results.length)
    const batchWork = buildBatchWork(remainingExpressions, textOf)
    const { ended: workEnd, results: batchResults } = await evaluateBatch(submit, caller, {
      work: batchWork,
      expressions: remainingExpressions,
    })
    if (workEnd === 'cpu') remainingExpressions[batchResults.length]?.onSpent?.(batchWork.cpuMs)
    results.push(...batchResults.slice(0, batchWork.expressions.length))
    if (workEnd === 'busy' || workEnd === 'budget')
      return fillRemaining({ type: 'error', error: toWorkEndError(workEnd) })
    if (workEnd === 'cpu' && suspectIndex !== results.length) {
      suspectIndex = results.length
      continue
    }
    if (workEnd !== 'done') lostThreads++
    if (workEnd !== 'done' && workEnd !== 'spoilt') results.push({ type: 'error', error: toWorkEndError(workEnd) })
  }
  return results.slice(0, expressions.length)
}

/** Evaluates expressions in the pool, all with the same constants. */
export async function evaluateAllInPool(
  submit: SubmitSandboxTask,
  expressions: readonly string[],
  { globals = NO_GLOBALS, seed, ...caller }: SandboxRunContext,
): Promise<SandboxExpressionResult[]> {
  const totalBytes = expressions.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (totalBytes > sandboxLimits.sourceBytes) {
    const error = createScriptError(`The expressions are larger than ${sandboxLimits.sourceBytes} bytes.`)
    return expressions.map(() => ({ type: 'error', error }))
  }
  return evaluateEachInPool(
    submit,
    expressions.map((source) => ({ source, globals, seed })),
    caller,
  )
}

function serializeGlobals(globals: ExpressionGlobals): string | SandboxExpressionResult {
  try {
    return toTransferableJson(globals, sandboxLimits.inputBytes)
  } catch (error) {
    if (!(error instanceof JsonTransferError)) throw error
    return { type: 'error', error: createResultError(`The input of the expressions ${error.message}.`) }
  }
}
