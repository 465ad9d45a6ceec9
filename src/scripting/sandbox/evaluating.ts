import { endedError, resultError, scriptFault, timeoutError } from './faults.ts'
import { limits } from './limits.ts'
import type { ExpressionOutcome, Work } from './messages.ts'
import { crossingText, NotCrossing } from './realm/json.ts'
import type { Ended, Submit } from './task.ts'
import type { ExpressionResult, GivenExpression, RunContext } from './types.ts'

/** After so many expressions that cost a thread the rest of a batch is not tried. */
const LOST_THREADS = 3
/** What crosses together: expressions, and characters of their constants. */
const MOST = { expressions: 100, globals: 4 * limits.inputBytes }

type Caller = Pick<RunContext, 'account' | 'signal' | 'isNested'>
type Globals = Readonly<Record<string, unknown>>

const NO_GLOBALS: Globals = {}

function resultOf(outcome: ExpressionOutcome): ExpressionResult {
  return outcome.type === 'error' ? outcome : { type: 'success', value: JSON.parse(outcome.value) }
}

/** Texts of constants, each made once. */
function openTexts() {
  const made = new Map<Globals, string | ExpressionResult>()
  return ({ globals = NO_GLOBALS }: GivenExpression): string | ExpressionResult => {
    const text = made.get(globals) ?? globalsOf(globals)
    made.set(globals, text)
    return text
  }
}

type Texts = ReturnType<typeof openTexts>

/** The first of the expressions that cross together, as work for a thread. */
function workOf(expressions: readonly GivenExpression[], textOf: Texts): Extract<Work, { type: 'evaluate' }> {
  const globals: string[] = []
  const given: Extract<Work, { type: 'evaluate' }>['expressions'][number][] = []
  let size = 0
  for (const one of expressions.slice(0, MOST.expressions)) {
    const text = textOf(one)
    if (typeof text !== 'string') break
    const found = globals.indexOf(text)
    if (found < 0) size += text.length
    if (given.length > 0 && size > MOST.globals) break
    given.push({ text: one.source, seed: one.seed, globals: found < 0 ? globals.push(text) - 1 : found })
  }
  return { type: 'evaluate', expressions: given, globals, cpuMs: limits.expressionCpuMs }
}

/** Evaluates in one thread, until one of the expressions costs the thread. */
async function evaluateSome(
  submit: Submit,
  { account, signal, isNested = false }: Caller,
  { work, expressions }: { work: Extract<Work, { type: 'evaluate' }>; expressions: readonly GivenExpression[] },
): Promise<{ ended: Ended; results: ExpressionResult[] }> {
  const results: ExpressionResult[] = []
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
export async function evaluateEachIn(
  submit: Submit,
  expressions: readonly GivenExpression[],
  caller: Caller,
): Promise<ExpressionResult[]> {
  const textOf = openTexts()
  const results: ExpressionResult[] = []
  const fill = (error: ExpressionResult) => [...results, ...expressions.slice(results.length).map(() => error)]
  /** The index of the expression whose thread was terminated: it is tried once more before it fails. */
  let suspect = -1
  for (let lost = 0; results.length < expressions.length; ) {
    const text = textOf(expressions[results.length]!)
    if (typeof text !== 'string') {
      results.push(text)
      continue
    }
    if (lost === LOST_THREADS) return fill({ type: 'error', error: timeoutError('budget') })
    const left = expressions.slice(results.length)
    const work = workOf(left, textOf)
    const { ended, results: some } = await evaluateSome(submit, caller, { work, expressions: left })
    if (ended === 'cpu') left[some.length]?.onSpent?.(work.cpuMs)
    results.push(...some.slice(0, work.expressions.length))
    if (ended === 'busy' || ended === 'budget') return fill({ type: 'error', error: endedError(ended) })
    if (ended === 'cpu' && suspect !== results.length) {
      suspect = results.length
      continue
    }
    if (ended !== 'done') lost++
    if (ended !== 'done' && ended !== 'spoilt') results.push({ type: 'error', error: endedError(ended) })
  }
  return results.slice(0, expressions.length)
}

/** Evaluates expressions in the pool, all with the same constants. */
export async function evaluateIn(
  submit: Submit,
  expressions: readonly string[],
  { globals = NO_GLOBALS, seed, ...caller }: RunContext,
): Promise<ExpressionResult[]> {
  const sizes = expressions.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (sizes > limits.sourceBytes) {
    const error = scriptFault(`The expressions are larger than ${limits.sourceBytes} bytes.`)
    return expressions.map(() => ({ type: 'error', error }))
  }
  return evaluateEachIn(
    submit,
    expressions.map((source) => ({ source, globals, seed })),
    caller,
  )
}

function globalsOf(globals: Globals): string | ExpressionResult {
  try {
    return crossingText(globals, limits.inputBytes)
  } catch (error) {
    if (!(error instanceof NotCrossing)) throw error
    return { type: 'error', error: resultError(`What the expressions are given ${error.message}.`) }
  }
}
