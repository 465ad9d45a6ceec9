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

/** What is parsed of an expression. Between other brackets it ends where it should, too: `1); f(2` is no expression. */
export function wrapExpressionSource(text: string): string[] {
  return [`(\n${text}\n)`, `[\n${text}\n]`]
}

/** Parses without running. The error's handle, undefined when there is none. */
export function findParseError(context: QuickJSContext, text: string): QuickJSHandle | undefined {
  const result = context.evalCode(text, 'expression', { type: 'global', strict: true, compileOnly: true })
  if (result.error) return result.error
  result.value.dispose()
  return undefined
}

function valueIn(realm: Realm, text: string): { value: string } | { error: ScriptError } {
  const { context } = realm
  const [code = '', other = ''] = wrapExpressionSource(text)
  const fault = findParseError(context, other)
  if (fault) return { error: parseScriptError(fault.consume(realm.describe), realm.isFull()) }
  const result = context.evalCode(code, 'expression', { type: 'global', strict: true })
  if (result.error) return { error: parseScriptError(result.error.consume(realm.describe), realm.isFull()) }
  const shown = result.value.consume(realm.textOf)
  if ('text' in shown) return { value: sanitizeJson(shown.text, sandboxLimits.expressionResultBytes) }
  const error = parseScriptError(shown.error, realm.isFull())
  return { error: isEngineExhausted(error) ? error : createResultError(`The result is no JSON: ${error.message}.`) }
}

type Evaluation = Extract<SandboxWork, { type: 'evaluate' }>

const errorOutcome = (error: ScriptError): SandboxExpressionOutcome => ({ type: 'error', error })

/** One expression in a realm that nothing was in before. `isSpoilt`: the engine failed, or was left without memory. */
function outcomeIn(
  realm: Realm,
  { text, globals, seed }: SandboxExpression,
  { work, clock }: { work: Evaluation; clock: CpuClock },
): { outcome: SandboxExpressionOutcome; isSpoilt: boolean } {
  const { ask } = createPreludeHandler({ account: 0, seed, functions: new Map(), contactIds: [], elapsedMs: () => 0 })
  let isOver = false
  realm.enter({ ask, interrupt: () => (isOver ||= clock.isOver()) })
  clock.begin()
  try {
    realm.configure(formatPreludeConfig(work.globals[globals] ?? '{}', { functions: [], seed: createRandomSeed(seed) }))
    const shown = valueIn(realm, text)
    if (isOver) return { outcome: errorOutcome(createTimeoutError('cpu')), isSpoilt: false }
    if ('value' in shown) return { outcome: { type: 'success', value: shown.value }, isSpoilt: false }
    return { outcome: errorOutcome(shown.error), isSpoilt: isEngineExhausted(shown.error) }
  } catch (error) {
    if (error instanceof JsonTransferError)
      return { outcome: errorOutcome(createResultError(`The result ${error.message}.`)), isSpoilt: false }
    // The engine failed where it can no longer say why.
    return { outcome: errorOutcome(isOver ? createTimeoutError('cpu') : createMemoryError()), isSpoilt: true }
  }
}

/** Evaluates expressions one by one and posts each outcome. True when the engine has to be thrown away: the rest is left. */
export function evaluateInRealm(realm: Realm, work: Evaluation, post: PostThreadMessage): boolean {
  for (const expression of work.expressions) {
    const clock = startCpuClock(work.cpuMs)
    const { outcome, isSpoilt } = outcomeIn(realm, expression, { work, clock })
    clock.pause()
    post({ type: 'expression', outcome, cpuMs: clock.cpuMs() })
    if (isSpoilt) return true
    realm.leave()
  }
  return false
}
