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
    ? `What the script imports is larger than ${sandboxLimits.importsBytes} bytes.`
    : undefined
}

export function createRunWork(
  { source, imports = [], initializers = [] }: ScriptProgram,
  options: SandboxRunOptions,
): Extract<SandboxWork, { type: 'run' }> {
  const { account, input, globals = {}, seed, capabilities = [], contactIds = [], cpuMs } = options
  const functions: [string, HostFunction][] = [...listGrantedFunctions(capabilities)]
  return {
    ...{
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
    },
    input: toTransferableJson(input, sandboxLimits.inputBytes),
    globals: toTransferableJson(globals, sandboxLimits.inputBytes),
  }
}

/** Answers calls of the host, some at a time, until the run is over. */
function hostOf({ host, report }: ProgramRunOptions, signal: AbortSignal) {
  const waiting: (() => void)[] = []
  let active = 0

  async function answerOf({ number, name, args }: HostCallRequest): Promise<HostCallAnswer> {
    try {
      const answer = await required(host).call({ name, args: JSON.parse(args), number }, signal)
      return { number, outcome: '+', text: toTransferableJson(answer ?? null, sandboxLimits.answerBytes) }
    } catch (error) {
      if (error instanceof ScriptHostError)
        return { number, outcome: error.type === 'capability' ? '!' : '-', text: error.message }
      if (error instanceof JsonTransferError) return { number, outcome: '-', text: `The answer ${error.message}.` }
      if (!signal.aborted) report(error)
      return { number, outcome: '-', text: 'The call failed.' }
    }
  }

  return async (call: HostCallRequest, reply: (answer: HostCallAnswer) => void): Promise<void> => {
    if (active >= sandboxLimits.callsAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else active++
    if (!signal.aborted) reply(await answerOf(call))
    const next = waiting.shift()
    if (next) next()
    else active--
  }
}

/** The host of a run, which most runs do not call. `end` gives up what it is asked for. */
function lazyHost(options: ProgramRunOptions) {
  let opened: { call: ReturnType<typeof hostOf>; over: AbortController } | undefined
  function open() {
    const over = new AbortController()
    return { call: hostOf(options, over.signal), over }
  }
  return {
    call(...given: Parameters<ReturnType<typeof hostOf>>): Promise<void> {
      opened ??= open()
      return opened.call(...given)
    },
    end: () => opened?.over.abort(),
  }
}

function required(host: ScriptHost | undefined): ScriptHost {
  if (host === undefined) throw new Error('Capabilities were granted without a host.')
  return host
}

function resultOf(ended: SandboxWorkEnd, outcome: SandboxRunOutcome | undefined): SandboxRunResult {
  const isOwn = ended === 'done' || ended === 'spoilt'
  if (outcome === undefined || !isOwn) {
    const { logs, cpuMs } = outcome ?? { logs: [], cpuMs: 0 }
    return { type: 'error', error: toWorkEndError(ended), logs, cpuMs }
  }
  if (outcome.type === 'error') return outcome
  const { logs, cpuMs } = outcome
  const writes: CollectedScriptWrite[] = outcome.writes.map(({ name, args, answer }) => ({
    ...{ name, args: JSON.parse(args), answer: JSON.parse(answer) },
  }))
  return { type: 'success', value: JSON.parse(outcome.value), logs, writes, cpuMs }
}

/** Runs a script in the pool. */
export async function runProgramInPool(
  submit: SubmitSandboxTask,
  program: ScriptProgram,
  options: ProgramRunOptions,
): Promise<SandboxRunResult> {
  const failed = (message: string): SandboxRunResult => ({
    type: 'error',
    error: createScriptError(message),
    logs: [],
    cpuMs: 0,
  })
  const fault = findProgramSizeFault(program)
  if (fault) return failed(fault)
  const host = lazyHost(options)
  let outcome: SandboxRunOutcome | undefined
  try {
    const { account, cpuMs, wallMs, signal, isNested = false } = options
    const ended = await submit({
      ...{ account, cpuMs, wallMs, signal, isNested, work: createRunWork(program, options) },
      onMessage: (message) => {
        if (message.type === 'log') options.onLog?.(message.line)
        else if (message.type === 'done') outcome = message.outcome
      },
      onCalls: (calls, reply) => {
        for (const request of calls) void host.call(request, reply)
      },
    })
    return resultOf(ended, outcome)
  } catch (error) {
    if (error instanceof JsonTransferError) return failed(`The input of the script ${error.message}.`)
    throw error
  } finally {
    host.end()
  }
}
