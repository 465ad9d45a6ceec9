import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { isExhausted, memoryError, resultError, scriptError, timeoutError } from '../faults.ts'
import { limits } from '../limits.ts'
import type { ExpressionOutcome, Work, WorkExpression } from '../messages.ts'
import type { ScriptError } from '../types.ts'
import { askingOf } from './calls.ts'
import { type Clock, startClock } from './clock.ts'
import { cleanJson, NotCrossing } from './json.ts'
import { randomSeed } from './natives.ts'
import type { Post } from './program.ts'
import { configText, type Realm } from './realm.ts'

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

function valueIn(realm: Realm, text: string): { value: string } | { error: ScriptError } {
  const { context } = realm
  const [code = '', other = ''] = wrappings(text)
  const fault = parseError(context, other)
  if (fault) return { error: scriptError(fault.consume(realm.describe), realm.isFull()) }
  const result = context.evalCode(code, 'expression', { type: 'global', strict: true })
  if (result.error) return { error: scriptError(result.error.consume(realm.describe), realm.isFull()) }
  const shown = result.value.consume(realm.textOf)
  if ('text' in shown) return { value: cleanJson(shown.text, limits.expressionResultBytes) }
  const error = scriptError(shown.error, realm.isFull())
  return { error: isExhausted(error) ? error : resultError(`The result is no JSON: ${error.message}.`) }
}

type Evaluation = Extract<Work, { type: 'evaluate' }>

const errorOutcome = (error: ScriptError): ExpressionOutcome => ({ type: 'error', error })

/** One expression in a realm that nothing was in before. `isSpoilt`: the engine failed, or was left without memory. */
function outcomeIn(
  realm: Realm,
  { text, globals, seed }: WorkExpression,
  { work, clock }: { work: Evaluation; clock: Clock },
): { outcome: ExpressionOutcome; isSpoilt: boolean } {
  const { ask } = askingOf({ account: 0, seed, functions: new Map(), contactIds: [], elapsedMs: () => 0 })
  let isOver = false
  realm.enter({ ask, interrupt: () => (isOver ||= clock.isOver()) })
  clock.begin()
  try {
    realm.configure(configText(work.globals[globals] ?? '{}', { functions: [], seed: randomSeed(seed) }))
    const shown = valueIn(realm, text)
    if (isOver) return { outcome: errorOutcome(timeoutError('cpu')), isSpoilt: false }
    if ('value' in shown) return { outcome: { type: 'success', value: shown.value }, isSpoilt: false }
    return { outcome: errorOutcome(shown.error), isSpoilt: isExhausted(shown.error) }
  } catch (error) {
    if (error instanceof NotCrossing)
      return { outcome: errorOutcome(resultError(`The result ${error.message}.`)), isSpoilt: false }
    // The engine failed where it can no longer say why.
    return { outcome: errorOutcome(isOver ? timeoutError('cpu') : memoryError()), isSpoilt: true }
  }
}

/** Evaluates expressions one by one and posts each outcome. True when the engine has to be thrown away: the rest is left. */
export function evaluateAll(realm: Realm, work: Evaluation, post: Post): boolean {
  for (const expression of work.expressions) {
    const clock = startClock(work.cpuMs)
    const { outcome, isSpoilt } = outcomeIn(realm, expression, { work, clock })
    clock.pause()
    post({ type: 'expression', outcome, cpuMs: clock.cpuMs() })
    if (isSpoilt) return true
    realm.leave()
  }
  return false
}
