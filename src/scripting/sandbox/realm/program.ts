import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { isExhausted, memoryError, resultError, scriptError, timeoutError } from '../faults.ts'
import { limits } from '../limits.ts'
import type { CallAnswer, FromThread, RunOutcome, Work } from '../messages.ts'
import type { LogLine, ScriptError } from '../types.ts'
import { type Asked, askingOf } from './calls.ts'
import { type Clock, startClock } from './clock.ts'
import { cleanJson, NotCrossing } from './json.ts'
import { modulesOf } from './modules.ts'
import { randomSeed } from './natives.ts'
import { configText, type Realm } from './realm.ts'

/** A run in the engine. Each step computes until the run waits for the host or is over. */
export interface ProgramRun {
  begin(): void
  deliver(answers: readonly CallAnswer[]): void
  stop(): void
}

/** What a run tells. */
export type Post = (message: FromThread) => void

interface State {
  promise: QuickJSHandle | undefined
  /** True once it has computed for too long. */
  isOver: boolean
  /** Calls that were handed over and are not answered yet. */
  waiting: number
}

type Conclusion = { value: string } | { error: ScriptError }

function concludeSettled({ kind, text }: { kind: string; text: string }, isFull: boolean): Conclusion {
  if (kind === 'error') return { error: scriptError(text, isFull) }
  if (kind === 'result') {
    const error = scriptError(text, isFull)
    return { error: isExhausted(error) ? error : resultError(`The result is no JSON: ${error.message}.`) }
  }
  try {
    return { value: cleanJson(text, limits.resultBytes) }
  } catch (error) {
    if (error instanceof NotCrossing) return { error: resultError(`The result ${error.message}.`) }
    throw error
  }
}

/** Lets jobs run until the script has settled, is over its limits, or nothing is left to do. */
function drain({ runtime }: Realm, asked: Asked, isOver: () => boolean): void {
  while (asked.settled === undefined && !isOver()) {
    const result = runtime.executePendingJobs(1)
    if (result.error) result.error.dispose()
    else if (result.value === 0) return
  }
}

/** How a run ended in which nothing is left to do. */
function stuck({ context, isFull }: Realm, { promise }: State): ScriptError {
  const failed = promise !== undefined && context.getPromiseState(promise).type !== 'pending'
  if (failed || isFull()) return memoryError()
  return { type: 'script', message: 'The script waits for a promise that nothing will settle.' }
}

/** A run of a script in a realm. It posts `done` once, when the realm is free again or has to be thrown away. */
export function programRun(realm: Realm, work: Extract<Work, { type: 'run' }>, post: Post): ProgramRun {
  const clock: Clock = startClock(work.cpuMs)
  const functions = new Map(work.functions)
  const onLog = work.isFollowed ? (line: LogLine) => post({ type: 'log', line }) : undefined
  const { asked, ask } = askingOf({ ...work, functions, elapsedMs: clock.elapsedMs, onLog })
  const interrupt = () => (state.isOver ||= clock.isOver())
  const state: State = { promise: undefined, isOver: false, waiting: 0 }
  let isOver = false

  function finish(conclusion: Conclusion, spoilt = false): void {
    if (isOver) return
    isOver = true
    const { logs, writes } = asked
    const cpuMs = clock.cpuMs()
    const outcome: RunOutcome =
      'value' in conclusion
        ? { type: 'success', value: conclusion.value, logs, writes, cpuMs }
        : { type: 'error', error: conclusion.error, logs, cpuMs }
    const isSpoilt = spoilt || ('error' in conclusion && isExhausted(conclusion.error))
    if (!isSpoilt) realm.leave()
    post({ type: 'done', spoilt: isSpoilt, outcome })
  }

  function step(work: () => void): void {
    if (isOver) return
    clock.begin()
    let isFailed = false
    try {
      work()
      drain(realm, asked, interrupt)
    } catch {
      isFailed = true
    }
    clock.pause()
    if (isFailed) finish({ error: state.isOver ? timeoutError('cpu') : memoryError() }, true)
    else goOn()
  }

  function goOn(): void {
    const calls = asked.calls.splice(0)
    state.waiting += calls.length
    if (state.isOver) finish({ error: timeoutError('cpu') })
    else if (asked.settled) finish(concludeSettled(asked.settled, realm.isFull()))
    else if (state.waiting === 0) finish({ error: stuck(realm, state) })
    else {
      post({ type: 'waits', calls, cpuMs: clock.cpuMs() })
      if (work.inRounds) clock.forget()
    }
  }

  return {
    begin: () =>
      step(() => {
        const { source: script, imports, initializers } = work
        realm.enter({ ask, interrupt, ...modulesOf({ script, imports, initializers }) })
        const kinds = work.functions.map(([name, { kind }]) => [name, kind] as [string, typeof kind])
        realm.configure(configText(work.globals, { functions: kinds, seed: randomSeed(work.seed) }))
        const names = initializers.map(({ name }) => `initializer:${name}`)
        state.promise = realm.drive(names, work.input, work.inRounds)
      }),
    deliver: (answers) =>
      step(() => {
        state.waiting -= answers.length
        for (const { number, outcome, text } of answers) realm.deliver(number, outcome, text)
      }),
    stop: () => finish({ error: timeoutError('wall') }),
  }
}
