import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core'
import { sandboxLimits } from '../limits.ts'
import { createQuickJsRuntime } from './engine.ts'
import { captureMemoryImage } from './image.ts'
import { toAuthorModuleName } from './modules.ts'
import { type PreludeConfig, preludeText } from './prelude.ts'

/** Fraction of the heap above which it counts as full. */
const FULL_HEAP_RATIO = 0.9

/** Handles the prelude's requests to the thread. Throws an error whose message the script may read. */
export type PreludeHandler = (operation: string, texts: [string, string, string]) => string

/** An answer that is an error of the script; `capability`: one of what it may do. */
export class PreludeRefusal extends Error {
  readonly mark: '-' | '!'
  constructor(message: string, mark: '-' | '!' = '-') {
    super(message)
    this.mark = mark
  }
}

/** Handlers that a run provides to a realm. */
export interface RealmVisit {
  ask: PreludeHandler
  /** Returns true if the run is over its limits. */
  interrupt(): boolean
  /** Loads the text of a module by the name that `resolve` returned. Returns `undefined` if there is no such module. */
  load?(name: string): string | undefined
  resolve?(base: string, requested: string): string
}

/**
 * A runtime and a context with the prelude in it. Each run has it as if it had been made for that run: when the run is over, all of the
 * memory that they are in is put back.
 */
export interface Realm {
  runtime: QuickJSRuntime
  context: QuickJSContext
  /** A run begins. */
  enter(currentVisit: RealmVisit): void
  /** Defines constants and the functions that are granted: a text of `formatPreludeConfig`. */
  configure(config: string): void
  /**
   * Begins the script; what it settles with is asked as `settle`. In rounds scripts are called again and again: each round is asked for
   * as `next`, and there is no input. Answers the promise of the end.
   */
  drive(initializers: readonly string[], input: string, inRounds: boolean): QuickJSHandle
  deliver(number: number, outcome: string, text: string): void
  /** Converts a value to JSON. Returns the error's text if the value has no JSON. */
  textOf(value: QuickJSHandle): { text: string } | { error: string }
  /** The text of an error, as the prelude describes it. */
  describe(error: QuickJSHandle): string
  /** Returns true if the run has used so much memory that a failure is most likely a memory failure. */
  isFull(): boolean
  /** The run is over: handles of it mean nothing any more. */
  leave(): void
}

/** The engine failed inside the prelude: out of memory, or its stack, or interrupted. */
export class SandboxEngineFailure extends Error {}

/** Nothing may be asked where no script runs. */
const REFUSING_VISIT: RealmVisit = {
  ask() {
    throw new PreludeRefusal('There is no such function.')
  },
  interrupt: () => false,
}

function formatAnswer(ask: PreludeHandler, operation: string, texts: [string, string, string]): string {
  try {
    return `+${ask(operation, texts)}`
  } catch (error) {
    return error instanceof PreludeRefusal ? error.mark + error.message : '-The call failed.'
  }
}

/** The text of a prelude's configuration; `globals` is JSON already. */
export function formatPreludeConfig(globals: string, otherConfig: Omit<PreludeConfig, 'globals'>): string {
  return `{"globals":${globals},${JSON.stringify(otherConfig).slice(1)}`
}

/** A function of the context that asks whoever is there. */
function createNativeFunction(context: QuickJSContext, currentVisit: () => RealmVisit): QuickJSHandle {
  return context.newFunction('native', (...handles) => {
    const [operation = '', first = '', second = '', third = ''] = handles.map((handle) => context.getString(handle))
    return context.newString(formatAnswer(currentVisit().ask, operation, [first, second, third]))
  })
}

/** Lets a runtime ask whoever is there: whether to stop, and for modules. */
function connectRuntime(runtime: QuickJSRuntime, currentVisit: () => RealmVisit): void {
  runtime.setInterruptHandler(() => currentVisit().interrupt())
  runtime.setModuleLoader(
    (name) => currentVisit().load?.(name) ?? { error: new Error(`There is no import "${toAuthorModuleName(name)}".`) },
    (base, requested) => currentVisit().resolve?.(base, requested) ?? requested,
  )
}

function requireSuccess(context: QuickJSContext, result: ReturnType<QuickJSContext['callFunction']>): QuickJSHandle {
  if (!result.error) return result.value
  throw new SandboxEngineFailure(result.error.consume((error) => context.getString(error)))
}

export function createRealm(engine: QuickJSWASMModule): Realm {
  let currentVisit = REFUSING_VISIT
  const runtime = createQuickJsRuntime(engine)
  const context = runtime.newContext()
  connectRuntime(runtime, () => currentVisit)
  function callPrelude(target: QuickJSHandle, ...texts: string[]): QuickJSHandle {
    const handles = texts.map((text) => context.newString(text))
    const value = requireSuccess(context, context.callFunction(target, context.undefined, ...handles))
    for (const handle of handles) handle.dispose()
    return value
  }
  const setUpHandle = requireSuccess(context, context.evalCode(preludeText, 'prelude'))
  const nativeHandle = createNativeFunction(context, () => currentVisit)
  const parts = requireSuccess(context, context.callFunction(setUpHandle, context.undefined, nativeHandle))
  const part = (name: string) => context.getProp(parts, name)
  const [configure, drive, deliver] = [part('configure'), part('drive'), part('deliver')]
  const [textOf, describe] = [part('textOf'), part('describe')]
  const image = captureMemoryImage(engine.getWasmMemory(), (bytes) => context.newArrayBuffer(new ArrayBuffer(bytes)))
  const describeError = (error: QuickJSHandle) =>
    requireSuccess(context, context.callFunction(describe, context.undefined, error)).consume((text) =>
      context.getString(text),
    )

  return {
    runtime,
    context,
    enter(entering) {
      currentVisit = entering
    },
    configure: (config) => callPrelude(configure, config).dispose(),
    drive: (initializers, input, inRounds) => callPrelude(drive, JSON.stringify(initializers), input, String(inRounds)),
    deliver: (number, outcome, text) => callPrelude(deliver, String(number), outcome, text).dispose(),
    textOf(handle) {
      const result = context.callFunction(textOf, context.undefined, handle)
      if (!result.error) return { text: result.value.consume((jsonHandle) => context.getString(jsonHandle)) }
      return { error: result.error.consume(describeError) }
    },
    describe: describeError,
    isFull: () => image.taken() > sandboxLimits.heapBytes * FULL_HEAP_RATIO,
    leave() {
      currentVisit = REFUSING_VISIT
      image.restore()
    },
  }
}
