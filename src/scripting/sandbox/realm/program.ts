import type { QuickJSHandle } from 'quickjs-emscripten-core'
import {
  createMemoryError,
  createResultError,
  createTimeoutError,
  isEngineExhausted,
  parseScriptError,
} from '../faults.ts'
import { sandboxLimits } from '../limits.ts'
import type { HostCallAnswer, SandboxRunOutcome, SandboxWork, ThreadMessage } from '../messages.ts'
import type { SandboxLogLine, ScriptError } from '../types.ts'
import { createPreludeHandler, type PreludeRequests } from './calls.ts'
import { type CpuClock, startCpuClock } from './clock.ts'
import { JsonTransferError, sanitizeJson } from './json.ts'
import { createProgramModules } from './modules.ts'
import { createRandomSeed } from './natives.ts'
import { formatPreludeConfig, type Realm } from './realm.ts'

/** A run in the engine. Each step computes until the run waits for the host or is over. */
export interface ProgramRun {
  begin(): void
  deliver(answers: readonly HostCallAnswer[]): void
  stop(): void
}

/** Posts the messages of a run. */
export type PostThreadMessage = (message: ThreadMessage) => void

interface ProgramState {
  promise: QuickJSHandle | undefined
  /** True once it has computed for too long. */
  isOver: boolean
  /** Calls that were handed over and are not answered yet. */
  waiting: number
}

type RunConclusion = { value: string } | { error: ScriptError }

function concludeSettled({ kind, text }: { kind: string; text: string }, isFull: boolean): RunConclusion {
  if (kind === 'error') return { error: parseScriptError(text, isFull) }
  if (kind === 'result') {
    const error = parseScriptError(text, isFull)
    return { error: isEngineExhausted(error) ? error : createResultError(`The result is not JSON: ${error.message}.`) }
  }
  try {
    return { value: sanitizeJson(text, sandboxLimits.resultBytes) }
  } catch (error) {
    if (error instanceof JsonTransferError) return { error: createResultError(`The result ${error.message}.`) }
    throw error
  }
}

/** Lets jobs run until the script has settled, is over its limits, or nothing is left to do. */
function runPendingJobs({ runtime }: Realm, preludeRequests: PreludeRequests, isOver: () => boolean): void {
  while (preludeRequests.settled === undefined && !isOver()) {
    const result = runtime.executePendingJobs(1)
    if (result.error) result.error.dispose()
    else if (result.value === 0) return
  }
}

/** Builds the error of a run that has no work left. */
function createStuckError({ context, isFull }: Realm, { promise }: ProgramState): ScriptError {
  const failed = promise !== undefined && context.getPromiseState(promise).type !== 'pending'
  if (failed || isFull()) return createMemoryError()
  return { type: 'script', message: 'The script waits for a promise that never settles.' }
}

/** A run of a script in a realm. It posts `done` once, when the realm is free again or has to be thrown away. */
export function createProgramRun(
  realm: Realm,
  work: Extract<SandboxWork, { type: 'run' }>,
  post: PostThreadMessage,
): ProgramRun {
  const clock: CpuClock = startCpuClock(work.cpuMs)
  const functions = new Map(work.functions)
  const onLog = work.isFollowed ? (line: SandboxLogLine) => post({ type: 'log', line }) : undefined
  const { asked: preludeRequests, ask } = createPreludeHandler({
    ...work,
    functions,
    elapsedMs: clock.elapsedMs,
    onLog,
  })
  const interrupt = () => (state.isOver ||= clock.isOver())
  const state: ProgramState = { promise: undefined, isOver: false, waiting: 0 }
  let isOver = false

  function finishRun(conclusion: RunConclusion, spoilt = false): void {
    if (isOver) return
    isOver = true
    const { logs, writes } = preludeRequests
    const cpuMs = clock.cpuMs()
    const outcome: SandboxRunOutcome =
      'value' in conclusion
        ? { type: 'success', value: conclusion.value, logs, writes, cpuMs }
        : { type: 'error', error: conclusion.error, logs, cpuMs }
    const isSpoilt = spoilt || ('error' in conclusion && isEngineExhausted(conclusion.error))
    if (!isSpoilt) realm.leave()
    post({ type: 'done', spoilt: isSpoilt, outcome })
  }

  function runStep(work: () => void): void {
    if (isOver) return
    clock.begin()
    let isFailed = false
    try {
      work()
      runPendingJobs(realm, preludeRequests, interrupt)
    } catch {
      isFailed = true
    }
    clock.pause()
    if (isFailed) finishRun({ error: state.isOver ? createTimeoutError('cpu') : createMemoryError() }, true)
    else continueRun()
  }

  function continueRun(): void {
    const newCalls = preludeRequests.calls.splice(0)
    state.waiting += newCalls.length
    if (state.isOver) finishRun({ error: createTimeoutError('cpu') })
    else if (preludeRequests.settled) finishRun(concludeSettled(preludeRequests.settled, realm.isFull()))
    else if (state.waiting === 0) finishRun({ error: createStuckError(realm, state) })
    else {
      post({ type: 'waits', calls: newCalls, cpuMs: clock.cpuMs() })
      if (work.inRounds) clock.forget()
    }
  }

  return {
    begin: () =>
      runStep(() => {
        const { source: script, imports, initializers } = work
        realm.enter({ ask, interrupt, ...createProgramModules({ script, imports, initializers }) })
        const functionKinds = work.functions.map(([name, { kind }]) => [name, kind] as [string, typeof kind])
        realm.configure(
          formatPreludeConfig(work.globals, { functions: functionKinds, seed: createRandomSeed(work.seed) }),
        )
        const initializerNames = initializers.map(({ name }) => `initializer:${name}`)
        state.promise = realm.drive(initializerNames, work.input, work.inRounds)
      }),
    deliver: (answers) =>
      runStep(() => {
        state.waiting -= answers.length
        for (const { number, outcome, text } of answers) realm.deliver(number, outcome, text)
      }),
    stop: () => finishRun({ error: createTimeoutError('wall') }),
  }
}
