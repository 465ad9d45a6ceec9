import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import {
  createMemoryError,
  createResultError,
  createTimeoutError,
  isEngineExhausted,
  parseScriptError,
} from '../faults.ts'
import { sandboxLimits } from '../limits.ts'
import type { SandboxExpression, SandboxExpressionOutcome, SandboxWork } from '../messages.ts'
import type { ScriptError } from '../types.ts'
import { createPreludeHandler } from './calls.ts'
import { type CpuClock, startCpuClock } from './clock.ts'
import { JsonTransferError, sanitizeJson } from './json.ts'
import { createRandomSeed } from './natives.ts'
import type { PostThreadMessage } from './program.ts'
import { formatPreludeConfig, type Realm } from './realm.ts'

/**
 * Wraps an expression in the texts that are parsed. The second text, with other brackets, verifies that the expression is complete: `1);
 * f(2` is not an expression.
 */
export function wrapExpressionSource(text: string): string[] {
  return [`(\n${text}\n)`, `[\n${text}\n]`]
}

/** Parses without running. Returns the handle of the error, or `undefined` if there is no error. */
export function findParseError(context: QuickJSContext, text: string): QuickJSHandle | undefined {
  const result = context.evalCode(text, 'expression', { type: 'global', strict: true, compileOnly: true })
  if (result.error) return result.error
  result.value.dispose()
  return undefined
}

function evaluateText(realm: Realm, text: string): { value: string } | { error: ScriptError } {
  const { context } = realm
  const [code = '', alternativeCode = ''] = wrapExpressionSource(text)
  const fault = findParseError(context, alternativeCode)
  if (fault) return { error: parseScriptError(fault.consume(realm.describe), realm.isFull()) }
  const result = context.evalCode(code, 'expression', { type: 'global', strict: true })
  if (result.error) return { error: parseScriptError(result.error.consume(realm.describe), realm.isFull()) }
  const jsonResult = result.value.consume(realm.textOf)
  if ('text' in jsonResult) return { value: sanitizeJson(jsonResult.text, sandboxLimits.expressionResultBytes) }
  const error = parseScriptError(jsonResult.error, realm.isFull())
  return { error: isEngineExhausted(error) ? error : createResultError(`The result is not JSON: ${error.message}.`) }
}

type EvaluateWork = Extract<SandboxWork, { type: 'evaluate' }>

const toErrorOutcome = (error: ScriptError): SandboxExpressionOutcome => ({ type: 'error', error })

/** One expression in a realm that nothing was in before. `isSpoilt`: the engine failed, or was left without memory. */
function evaluateExpression(
  realm: Realm,
  { text, globals, seed }: SandboxExpression,
  { work, clock }: { work: EvaluateWork; clock: CpuClock },
): { outcome: SandboxExpressionOutcome; isSpoilt: boolean } {
  const { ask } = createPreludeHandler({ account: 0, seed, functions: new Map(), contactIds: [], elapsedMs: () => 0 })
  let isOver = false
  realm.enter({ ask, interrupt: () => (isOver ||= clock.isOver()) })
  clock.begin()
  try {
    realm.configure(formatPreludeConfig(work.globals[globals] ?? '{}', { functions: [], seed: createRandomSeed(seed) }))
    const evaluatedValue = evaluateText(realm, text)
    if (isOver) return { outcome: toErrorOutcome(createTimeoutError('cpu')), isSpoilt: false }
    if ('value' in evaluatedValue) return { outcome: { type: 'success', value: evaluatedValue.value }, isSpoilt: false }
    return { outcome: toErrorOutcome(evaluatedValue.error), isSpoilt: isEngineExhausted(evaluatedValue.error) }
  } catch (error) {
    if (error instanceof JsonTransferError)
      return { outcome: toErrorOutcome(createResultError(`The result ${error.message}.`)), isSpoilt: false }
    // The engine failed where it can no longer say why.
    return { outcome: toErrorOutcome(isOver ? createTimeoutError('cpu') : createMemoryError()), isSpoilt: true }
  }
}

/** Evaluates expressions one by one and posts each outcome. True when the engine has to be thrown away: the rest is left. */
export function evaluateInRealm(realm: Realm, work: EvaluateWork, post: PostThreadMessage): boolean {
  for (const expression of work.expressions) {
    const clock = startCpuClock(work.cpuMs)
    const { outcome, isSpoilt } = evaluateExpression(realm, expression, { work, clock })
    clock.pause()
    post({ type: 'expression', outcome, cpuMs: clock.cpuMs() })
    if (isSpoilt) return true
    realm.leave()
  }
  return false
}
