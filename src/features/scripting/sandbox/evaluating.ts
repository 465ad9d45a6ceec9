import { endedError, resultError, scriptFault, timeoutError } from './faults.ts'
import { crossingText, NotCrossing } from './json.ts'
import { limits } from './limits.ts'
import type { ExpressionOutcome } from './messages.ts'
import type { Ended, Submit } from './pool.ts'
import type { ExpressionResult, RunContext } from './types.ts'

/** After so many expressions that cost a thread the rest of a batch is not tried. */
const LOST_THREADS = 3

function resultOf(outcome: ExpressionOutcome): ExpressionResult {
  return outcome.type === 'error' ? outcome : { type: 'success', value: JSON.parse(outcome.value) }
}

/** Evaluates what is left of a batch in one thread, until one of it costs the thread. */
async function evaluateSome(
  submit: Submit,
  expressions: readonly string[],
  { context, globals }: { context: RunContext; globals: string },
): Promise<{ ended: Ended; results: ExpressionResult[] }> {
  const { account, seed, signal } = context
  const cpuMs = limits.expressionCpuMs
  const results: ExpressionResult[] = []
  const ended = await submit({
    ...{ account, cpuMs, wallMs: Number.POSITIVE_INFINITY, signal },
    work: { type: 'evaluate', expressions, globals, seed, cpuMs },
    onMessage: (message) => {
      if (message.type === 'expression') results.push(resultOf(message.outcome))
    },
    onCalls: () => {},
  })
  return { ended, results }
}

/** Evaluates expressions in the pool. */
export async function evaluateIn(
  submit: Submit,
  expressions: readonly string[],
  context: RunContext,
): Promise<ExpressionResult[]> {
  const results: ExpressionResult[] = []
  const fill = (error: ExpressionResult) => [...results, ...expressions.slice(results.length).map(() => error)]
  const sizes = expressions.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (sizes > limits.sourceBytes)
    return fill({ type: 'error', error: scriptFault(`The expressions are larger than ${limits.sourceBytes} bytes.`) })
  const globals = globalsOf(context)
  if (typeof globals !== 'string') return fill(globals)
  for (let lost = 0; results.length < expressions.length; lost++) {
    if (lost === LOST_THREADS) return fill({ type: 'error', error: timeoutError('budget') })
    const { ended, results: some } = await evaluateSome(submit, expressions.slice(results.length), { context, globals })
    results.push(...some)
    if (ended === 'busy' || ended === 'budget') return fill({ type: 'error', error: endedError(ended) })
    if (ended !== 'done' && ended !== 'spoilt') results.push({ type: 'error', error: endedError(ended) })
  }
  return results.slice(0, expressions.length)
}

function globalsOf({ globals = {} }: RunContext): string | ExpressionResult {
  try {
    return crossingText(globals, limits.inputBytes)
  } catch (error) {
    if (!(error instanceof NotCrossing)) throw error
    return { type: 'error', error: resultError(`What the expressions are given ${error.message}.`) }
  }
}
