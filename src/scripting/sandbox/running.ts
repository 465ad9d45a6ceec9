import { createScriptError, toWorkEndError } from './faults.ts'
import { type HostFunction, listGrantedFunctions } from './functions.ts'
import { sandboxLimits } from './limits.ts'
import type { HostCallAnswer, HostCallRequest, SandboxRunOutcome, SandboxWork } from './messages.ts'
import { JsonTransferError, toTransferableJson } from './realm/json.ts'
import type { SandboxWorkEnd, SubmitSandboxTask } from './task.ts'
import {
  type CollectedScriptWrite,
  type SandboxRunOptions,
  type SandboxRunResult,
  type ScriptHost,
  ScriptHostError,
  type ScriptProgram,
} from './types.ts'

export type ProgramRunOptions = SandboxRunOptions & { report: (error: unknown) => void }

/** Texts of a program that are too large to be run. */
export function findProgramSizeFault({ source, imports = [], initializers = [] }: ScriptProgram): string | undefined {
  if (Buffer.byteLength(source) > sandboxLimits.sourceBytes)
    return `The script is larger than ${sandboxLimits.sourceBytes} bytes.`
  const bytes = [...imports, ...initializers].reduce((sum, module) => sum + Buffer.byteLength(module.source), 0)
  return bytes > sandboxLimits.importsBytes
    ? `All imports of the script together are larger than ${sandboxLimits.importsBytes} bytes.`
    : undefined
}

export function createRunWork(
  { source, imports = [], initializers = [] }: ScriptProgram,
  options: SandboxRunOptions,
): Extract<SandboxWork, { type: 'run' }> {
  const { account, input, globals = {}, seed, capabilities = [], contactIds = [], cpuMs } = options
  const functions: [string, HostFunction][] = [...listGrantedFunctions(capabilities)]
  return {
    type: 'run',
    account,
    source,
    imports,
    initializers,
    seed,
    functions,
    contactIds,
    cpuMs,
    inRounds: false,
    isFollowed: options.onLog !== undefined,
    input: toTransferableJson(input, sandboxLimits.inputBytes),
    globals: toTransferableJson(globals, sandboxLimits.inputBytes),
  }
}

/** Answers calls of the host, some at a time, until the run is over. */
function createHostCaller({ host, report }: ProgramRunOptions, signal: AbortSignal) {
  const waitingCalls: (() => void)[] = []
  let activeCalls = 0

  async function answerHostCall({ number, name, args }: HostCallRequest): Promise<HostCallAnswer> {
    try {
      const answer = await requireHost(host).call({ name, args: JSON.parse(args), number }, signal)
      return { number, outcome: '+', text: toTransferableJson(answer ?? null, sandboxLimits.answerBytes) }
    } catch (error) {
      if (error instanceof ScriptHostError)
        return { number, outcome: error.type === 'capability' ? '!' : '-', text: error.message }
      if (error instanceof JsonTransferError) return { number, outcome: '-', text: `The response ${error.message}.` }
      if (!signal.aborted) report(error)
      return { number, outcome: '-', text: 'The call failed.' }
    }
  }

  return async (call: HostCallRequest, reply: (answer: HostCallAnswer) => void): Promise<void> => {
    if (activeCalls >= sandboxLimits.callsAtOnce) await new Promise<void>((resolve) => waitingCalls.push(resolve))
    else activeCalls++
    if (!signal.aborted) reply(await answerHostCall(call))
    const next = waitingCalls.shift()
    if (next) next()
    else activeCalls--
  }
}

/** The host of a run, which most runs do not call. `end` gives up what it is asked for. */
function createLazyHost(options: ProgramRunOptions) {
  let opened: { call: ReturnType<typeof createHostCaller>; over: AbortController } | undefined
  function openHost() {
    const runAbort = new AbortController()
    return { call: createHostCaller(options, runAbort.signal), over: runAbort }
  }
  return {
    call(...callArguments: Parameters<ReturnType<typeof createHostCaller>>): Promise<void> {
      opened ??= openHost()
      return opened.call(...callArguments)
    },
    end: () => opened?.over.abort(),
  }
}

function requireHost(host: ScriptHost | undefined): ScriptHost {
  if (host === undefined) throw new Error('Capabilities were granted without a host.')
  return host
}

function toRunResult(workEnd: SandboxWorkEnd, runOutcome: SandboxRunOutcome | undefined): SandboxRunResult {
  const hasOutcome = workEnd === 'done' || workEnd === 'spoilt'
  if (runOutcome === undefined || !hasOutcome) {
    const { logs, cpuMs } = runOutcome ?? { logs: [], cpuMs: 0 }
    return { type: 'error', error: toWorkEndError(workEnd), logs, cpuMs }
  }
  if (runOutcome.type === 'error') return runOutcome
  const { logs, cpuMs } = runOutcome
  const writes: CollectedScriptWrite[] = runOutcome.writes.map(({ name, args, answer }) => ({
    name,
    args: JSON.parse(args),
    answer: JSON.parse(answer),
  }))
  return { type: 'success', value: JSON.parse(runOutcome.value), logs, writes, cpuMs }
}

/** Runs a script in the pool. */
export async function runProgramInPool(
  submit: SubmitSandboxTask,
  program: ScriptProgram,
  options: ProgramRunOptions,
): Promise<SandboxRunResult> {
  const createFailure = (message: string): SandboxRunResult => ({
    type: 'error',
    error: createScriptError(message),
    logs: [],
    cpuMs: 0,
  })
  const fault = findProgramSizeFault(program)
  if (fault) return createFailure(fault)
  const host = createLazyHost(options)
  let runOutcome: SandboxRunOutcome | undefined
  try {
    const { account, cpuMs, wallMs, signal, isNested = false } = options
    const workEnd = await submit({
      account,
      cpuMs,
      wallMs,
      signal,
      isNested,
      work: createRunWork(program, options),
      onMessage: (message) => {
        if (message.type === 'log') options.onLog?.(message.line)
        else if (message.type === 'done') runOutcome = message.outcome
      },
      onCalls: (calls, reply) => {
        for (const callRequest of calls) void host.call(callRequest, reply)
      },
    })
    return toRunResult(workEnd, runOutcome)
  } catch (error) {
    if (error instanceof JsonTransferError) return createFailure(`The input of the script ${error.message}.`)
    throw error
  } finally {
    host.end()
  }
}
