import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'
import { type PreludeConfig, preludeText } from './prelude.ts'

/** What the prelude asks of the thread. Throws an error whose message the script may see. */
export type Ask = (operation: string, texts: [string, string, string]) => string

/** An answer that is an error of the script; `capability`: one of what it may do. */
export class Refusal extends Error {
  readonly mark: '-' | '!'
  constructor(message: string, mark: '-' | '!' = '-') {
    super(message)
    this.mark = mark
  }
}

/** A context with the prelude in it. */
export interface Realm {
  context: QuickJSContext
  /** Begins the script; what it settles with is asked as `settle`. Answers the promise of that. */
  drive(initializers: readonly string[], input: string): QuickJSHandle
  deliver(number: number, outcome: string, text: string): void
  /** The JSON of a value; undefined and the error's text when it has none. */
  textOf(value: QuickJSHandle): { text: string } | { error: string }
  /** The text of an error, as the prelude describes it. */
  describe(error: QuickJSHandle): string
  dispose(): void
}

/** The engine failed inside the prelude: out of memory, or its stack, or interrupted. */
export class EngineFailure extends Error {}

function nativeOf(context: QuickJSContext, ask: Ask): QuickJSHandle {
  return context.newFunction('native', (...handles) => {
    const [operation = '', first = '', second = '', third = ''] = handles.map((handle) => context.getString(handle))
    return context.newString(answerOf(ask, operation, [first, second, third]))
  })
}

function answerOf(ask: Ask, operation: string, texts: [string, string, string]): string {
  try {
    return `+${ask(operation, texts)}`
  } catch (error) {
    return error instanceof Refusal ? error.mark + error.message : '-The call failed.'
  }
}

/** The text of a prelude's configuration; `globals` is JSON already. */
export function configText(globals: string, rest: Omit<PreludeConfig, 'globals'>): string {
  return `{"globals":${globals},${JSON.stringify(rest).slice(1)}`
}

export function openRealm(runtime: QuickJSRuntime, ask: Ask, config: string): Realm {
  const context = runtime.newContext()
  const held: QuickJSHandle[] = []
  const hold = (handle: QuickJSHandle) => {
    held.push(handle)
    return handle
  }

  function value(result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
    if (!result.error) return result.value
    const shown = result.error.consume((error) => context.getString(error))
    throw new EngineFailure(shown)
  }
  const call = (target: QuickJSHandle, ...args: QuickJSHandle[]) => {
    const result = context.callFunction(target, context.undefined, ...args)
    for (const handle of args) handle.dispose()
    return result
  }
  const text = (given: string) => context.newString(given)
  const setUp = hold(value(context.evalCode(preludeText, 'prelude')))
  const parts = hold(value(call(setUp, nativeOf(context, ask), text(config))))
  const part = (name: string) => hold(context.getProp(parts, name))
  const [drive, deliver, textOf, describe] = [part('drive'), part('deliver'), part('textOf'), part('describe')]
  const describeError = (error: QuickJSHandle) =>
    value(context.callFunction(describe, context.undefined, error)).consume((shown) => context.getString(shown))

  return {
    context,
    drive: (initializers, input) => hold(value(call(drive, text(JSON.stringify(initializers)), text(input)))),
    deliver(number, outcome, answer) {
      value(call(deliver, text(String(number)), text(outcome), text(answer))).dispose()
    },
    textOf(handle) {
      const result = context.callFunction(textOf, context.undefined, handle)
      if (!result.error) return { text: result.value.consume((shown) => context.getString(shown)) }
      return { error: result.error.consume(describeError) }
    },
    describe: describeError,
    dispose() {
      for (const handle of held) handle.dispose()
      context.dispose()
    },
  }
}
