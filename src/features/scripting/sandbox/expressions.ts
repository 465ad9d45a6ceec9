import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { askingOf } from './asks.ts'
import { startClock } from './clock.ts'
import { openRuntime } from './engine.ts'
import { isExhausted, memoryError, resultError, scriptError, timeoutError } from './faults.ts'
import { cleanJson, NotCrossing } from './json.ts'
import { limits } from './limits.ts'
import type { ExpressionOutcome, Work, WorkExpression } from './messages.ts'
import { randomSeed } from './natives.ts'
import type { Post } from './program.ts'
import { configText, openRealm, type Realm } from './realm.ts'
import type { ScriptError } from './types.ts'

/** What is parsed of an expression. Between other brackets it ends where it should, too: `1); f(2` is no expression. */
export function wrappings(text: string): string[] {
  return [`(\n${text}\n)`, `[\n${text}\n]`]
}

/** Parses without running. The error's handle, undefined when there is none. */
export function parseError(context: QuickJSContext, text: string): QuickJSHandle | undefined {
  const result = context.evalCode(text, 'expression', { type: 'global', strict: true, compileOnly: true })
  if (result.error) return result.error
  result.value.dispose()
  return undefined
}

interface Guard {
  passed(): 'cpu' | 'wall' | undefined
}

function valueIn(realm: Realm, text: string): { value: string } | { error: ScriptError } {
  const { context } = realm
  const [code = '', other = ''] = wrappings(text)
  const fault = parseError(context, other)
  if (fault) return { error: scriptError(fault.consume(realm.describe)) }
  const result = context.evalCode(code, 'expression', { type: 'global', strict: true })
  if (result.error) return { error: scriptError(result.error.consume(realm.describe)) }
  const shown = result.value.consume(realm.textOf)
  if ('text' in shown) return { value: cleanJson(shown.text, limits.expressionResultBytes) }
  const error = scriptError(shown.error)
  return { error: isExhausted(error) ? error : resultError(`The result is no JSON: ${error.message}.`) }
}

/** One expression in a context of its own. Throws what the engine throws when it fails. */
function outcomeIn(
  runtime: QuickJSRuntime,
  { text, globals, seed }: WorkExpression,
  { work, guard }: { work: Evaluation; guard: Guard },
) {
  const { ask } = askingOf({ account: 0, seed, functions: new Map(), contactIds: [], elapsedMs: () => 0 })
  const config = configText(work.globals[globals] ?? '{}', { functions: [], seed: randomSeed(seed) })
  const realm = openRealm(runtime, ask, config)
  try {
    const shown = valueIn(realm, text)
    const limit = guard.passed()
    if (limit) return errorOutcome(timeoutError(limit))
    return 'value' in shown ? ({ type: 'success', value: shown.value } as const) : errorOutcome(shown.error)
  } catch (error) {
    if (error instanceof NotCrossing) return errorOutcome(resultError(`The result ${error.message}.`))
    throw error
  } finally {
    realm.dispose()
  }
}

const errorOutcome = (error: ScriptError): ExpressionOutcome => ({ type: 'error', error })

type Evaluation = Extract<Work, { type: 'evaluate' }>

/** Evaluates expressions one by one and posts each outcome. True when the engine has to be thrown away: the rest is left. */
export function evaluateAll(engine: QuickJSWASMModule, work: Evaluation, post: Post): boolean {
  let limit: 'cpu' | 'wall' | undefined
  let clock = startClock({ cpuMs: work.cpuMs, wallMs: Number.POSITIVE_INFINITY })
  const guard: Guard = { passed: () => limit }
  const runtime = openRuntime(engine, () => (limit ??= clock.passed()) !== undefined)
  for (const expression of work.expressions) {
    limit = undefined
    clock = startClock({ cpuMs: work.cpuMs, wallMs: Number.POSITIVE_INFINITY })
    clock.begin()
    try {
      const outcome = outcomeIn(runtime, expression, { work, guard })
      post({ type: 'expression', outcome })
      if (outcome.type === 'error' && isExhausted(outcome.error)) return true
    } catch {
      // The engine failed where it can no longer say why.
      post({ type: 'expression', outcome: errorOutcome(limit ? timeoutError(limit) : memoryError()) })
      return true
    }
  }
  try {
    runtime.dispose()
    return false
  } catch {
    return true
  }
}
