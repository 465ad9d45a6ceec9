import { endedError, scriptFault } from './faults.ts'
import { functionsOf, type HostFunction } from './functions.ts'
import { limits } from './limits.ts'
import type { CallAnswer, CallRequest, RunOutcome, Work } from './messages.ts'
import { crossingText, NotCrossing } from './realm/json.ts'
import type { Ended, Submit } from './task.ts'
import { type CollectedWrite, type Host, HostError, type Program, type RunOptions, type RunResult } from './types.ts'

export type Options = RunOptions & { report: (error: unknown) => void }

/** Texts of a program that are too large to be run. */
export function sizeFault({ source, imports = [], initializers = [] }: Program): string | undefined {
  if (Buffer.byteLength(source) > limits.sourceBytes) return `The script is larger than ${limits.sourceBytes} bytes.`
  const bytes = [...imports, ...initializers].reduce((sum, module) => sum + Buffer.byteLength(module.source), 0)
  return bytes > limits.importsBytes
    ? `What the script imports is larger than ${limits.importsBytes} bytes.`
    : undefined
}

export function workOf(
  { source, imports = [], initializers = [] }: Program,
  options: RunOptions,
): Extract<Work, { type: 'run' }> {
  const { account, input, globals = {}, seed, capabilities = [], contactIds = [], cpuMs } = options
  const functions: [string, HostFunction][] = [...functionsOf(capabilities)]
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
    input: crossingText(input, limits.inputBytes),
    globals: crossingText(globals, limits.inputBytes),
  }
}

/** Answers calls of the host, some at a time, until the run is over. */
function hostOf({ host, report }: Options, signal: AbortSignal) {
  const waiting: (() => void)[] = []
  let active = 0

  async function answerOf({ number, name, args }: CallRequest): Promise<CallAnswer> {
    try {
      const answer = await required(host).call({ name, args: JSON.parse(args), number }, signal)
      return { number, outcome: '+', text: crossingText(answer ?? null, limits.answerBytes) }
    } catch (error) {
      if (error instanceof HostError)
        return { number, outcome: error.type === 'capability' ? '!' : '-', text: error.message }
      if (error instanceof NotCrossing) return { number, outcome: '-', text: `The answer ${error.message}.` }
      if (!signal.aborted) report(error)
      return { number, outcome: '-', text: 'The call failed.' }
    }
  }

  return async (call: CallRequest, reply: (answer: CallAnswer) => void): Promise<void> => {
    if (active >= limits.callsAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else active++
    if (!signal.aborted) reply(await answerOf(call))
    const next = waiting.shift()
    if (next) next()
    else active--
  }
}

/** The host of a run, which most runs do not call. `end` gives up what it is asked for. */
function lazyHost(options: Options) {
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

function required(host: Host | undefined): Host {
  if (host === undefined) throw new Error('Capabilities were granted without a host.')
  return host
}

function resultOf(ended: Ended, outcome: RunOutcome | undefined): RunResult {
  const isOwn = ended === 'done' || ended === 'spoilt'
  if (outcome === undefined || !isOwn) {
    const { logs, cpuMs } = outcome ?? { logs: [], cpuMs: 0 }
    return { type: 'error', error: endedError(ended), logs, cpuMs }
  }
  if (outcome.type === 'error') return outcome
  const { logs, cpuMs } = outcome
  const writes: CollectedWrite[] = outcome.writes.map(({ name, args, answer }) => ({
    ...{ name, args: JSON.parse(args), answer: JSON.parse(answer) },
  }))
  return { type: 'success', value: JSON.parse(outcome.value), logs, writes, cpuMs }
}

/** Runs a script in the pool. */
export async function runIn(submit: Submit, program: Program, options: Options): Promise<RunResult> {
  const failed = (message: string): RunResult => ({ type: 'error', error: scriptFault(message), logs: [], cpuMs: 0 })
  const fault = sizeFault(program)
  if (fault) return failed(fault)
  const host = lazyHost(options)
  let outcome: RunOutcome | undefined
  try {
    const { account, cpuMs, wallMs, signal, isNested = false } = options
    const ended = await submit({
      ...{ account, cpuMs, wallMs, signal, isNested, work: workOf(program, options) },
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
    if (error instanceof NotCrossing) return failed(`The input of the script ${error.message}.`)
    throw error
  } finally {
    host.end()
  }
}
