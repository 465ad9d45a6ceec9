import { createResultError, createScriptError, createTimeoutError, toWorkEndError } from './faults.ts'
import { sandboxLimits } from './limits.ts'
import type { SandboxExpressionOutcome, SandboxWork } from './messages.ts'
import { JsonTransferError, toTransferableJson } from './realm/json.ts'
import type { SandboxWorkEnd, SubmitSandboxTask } from './task.ts'
import type { ExpressionWithGlobals, SandboxExpressionResult, SandboxRunContext } from './types.ts'

/** After so many expressions that cost a thread the rest of a batch is not tried. */
const LOST_THREADS = 3
/** What crosses together: expressions, and characters of their constants. */
const MOST = { expressions: 100, globals: 4 * sandboxLimits.inputBytes }

type Caller = Pick<SandboxRunContext, 'account' | 'signal' | 'isNested'>
type Globals = Readonly<Record<string, unknown>>

const NO_GLOBALS: Globals = {}

function resultOf(outcome: SandboxExpressionOutcome): SandboxExpressionResult {
  return outcome.type === 'error' ? outcome : { type: 'success', value: JSON.parse(outcome.value) }
}

/** Texts of constants, each made once. */
function openTexts() {
  const made = new Map<Globals, string | SandboxExpressionResult>()
  return ({ globals = NO_GLOBALS }: ExpressionWithGlobals): string | SandboxExpressionResult => {
    const text = made.get(globals) ?? globalsOf(globals)
    made.set(globals, text)
    return text
  }
}

type Texts = ReturnType<typeof openTexts>

/** The first of the expressions that cross together, as work for a thread. */
function workOf(
  expressions: readonly ExpressionWithGlobals[],
  textOf: Texts,
): Extract<SandboxWork, { type: 'evaluate' }> {
  const globals: string[] = []
  const given: Extract<SandboxWork, { type: 'evaluate' }>['expressions'][number][] = []
  let size = 0
  for (const one of expressions.slice(0, MOST.expressions)) {
    const text = textOf(one)
    if (typeof text !== 'string') break
    const found = globals.indexOf(text)
    if (found < 0) size += text.length
    if (given.length > 0 && size > MOST.globals) break
    given.push({ text: one.source, seed: one.seed, globals: found < 0 ? globals.push(text) - 1 : found })
  }
  return { type: 'evaluate', expressions: given, globals, cpuMs: sandboxLimits.expressionCpuMs }
}

/** Evaluates in one thread, until one of the expressions costs the thread. */
async function evaluateSome(
  submit: SubmitSandboxTask,
  { account, signal, isNested = false }: Caller,
  {
    work,
    expressions,
  }: { work: Extract<SandboxWork, { type: 'evaluate' }>; expressions: readonly ExpressionWithGlobals[] },
): Promise<{ ended: SandboxWorkEnd; results: SandboxExpressionResult[] }> {
  const results: SandboxExpressionResult[] = []
  const ended = await submit({
    ...{ account, cpuMs: work.cpuMs, wallMs: Number.POSITIVE_INFINITY, signal, isNested, work },
    onMessage: (message) => {
      if (message.type !== 'expression') return
      expressions[results.length]?.onSpent?.(message.cpuMs)
      results.push(resultOf(message.outcome))
    },
    onCalls: () => {},
  })
  return { ended, results }
}

/** Evaluates expressions in the pool, each with its own constants. */
export async function evaluateEachInPool(
  submit: SubmitSandboxTask,
  expressions: readonly ExpressionWithGlobals[],
  caller: Caller,
): Promise<SandboxExpressionResult[]> {
  const textOf = openTexts()
  const results: SandboxExpressionResult[] = []
  const fill = (error: SandboxExpressionResult) => [...results, ...expressions.slice(results.length).map(() => error)]
  /** The index of the expression whose thread was terminated: it is tried once more before it fails. */
  let suspect = -1
  for (let lost = 0; results.length < expressions.length; ) {
    const text = textOf(expressions[results.length]!)
    if (typeof text !== 'string') {
      results.push(text)
      continue
    }
    if (lost === LOST_THREADS) return fill({ type: 'error', error: createTimeoutError('budget') })
    const left = expressions.slice(results.length)
    const work = workOf(left, textOf)
    const { ended, results: some } = await evaluateSome(submit, caller, { work, expressions: left })
    if (ended === 'cpu') left[some.length]?.onSpent?.(work.cpuMs)
    results.push(...some.slice(0, work.expressions.length))
    if (ended === 'busy' || ended === 'budget') return fill({ type: 'error', error: toWorkEndError(ended) })
    if (ended === 'cpu' && suspect !== results.length) {
      suspect = results.length
      continue
    }
    if (ended !== 'done') lost++
    if (ended !== 'done' && ended !== 'spoilt') results.push({ type: 'error', error: toWorkEndError(ended) })
  }
  return results.slice(0, expressions.length)
}

/** Evaluates expressions in the pool, all with the same constants. */
export async function evaluateAllInPool(
  submit: SubmitSandboxTask,
  expressions: readonly string[],
  { globals = NO_GLOBALS, seed, ...caller }: SandboxRunContext,
): Promise<SandboxExpressionResult[]> {
  const sizes = expressions.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (sizes > sandboxLimits.sourceBytes) {
    const error = createScriptError(`The expressions are larger than ${sandboxLimits.sourceBytes} bytes.`)
    return expressions.map(() => ({ type: 'error', error }))
  }
  return evaluateEachInPool(
    submit,
    expressions.map((source) => ({ source, globals, seed })),
    caller,
  )
}

function globalsOf(globals: Globals): string | SandboxExpressionResult {
  try {
    return toTransferableJson(globals, sandboxLimits.inputBytes)
  } catch (error) {
    if (!(error instanceof JsonTransferError)) throw error
    return { type: 'error', error: createResultError(`What the expressions are given ${error.message}.`) }
  }
}
