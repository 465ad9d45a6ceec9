import { parseUuid } from '../../../lib/ids.ts'
import { isJsonObject } from '../../../lib/objects.ts'
import { toRunIdFromStamp, toWorkflowRunId } from '../../run-ids.ts'
import type { HostFunction } from '../functions.ts'
import { sandboxLimits } from '../limits.ts'
import type { HostCallRequest, HostWriteRequest } from '../messages.ts'
import type { SandboxLogLevel, SandboxLogLine } from '../types.ts'
import { JsonTransferError, sanitizeJson } from './json.ts'
import { createSeededUuid, NativeFunctionError, nativeFunctions } from './natives.ts'
import { type PreludeHandler, PreludeRefusal } from './realm.ts'

/** Requests of a script in its run. */
export interface PreludeRequests {
  logs: SandboxLogLine[]
  writes: HostWriteRequest[]
  /** Calls of the host that nobody answers yet. */
  calls: HostCallRequest[]
  settled: { kind: string; text: string } | undefined
}

export interface PreludeHandlerOptions {
  account: number
  seed: string
  functions: ReadonlyMap<string, HostFunction>
  contactIds: readonly string[]
  inRounds?: boolean
  elapsedMs(): number
  onLog?: ((line: SandboxLogLine) => void) | undefined
}

/** Answers what the prelude asks, within the limits of one run. */
export function createPreludeHandler({
  account,
  seed,
  functions,
  contactIds,
  inRounds = false,
  elapsedMs,
  onLog,
}: PreludeHandlerOptions): {
  asked: PreludeRequests
  ask: PreludeHandler
} {
  const preludeRequests: PreludeRequests = { logs: [], writes: [], calls: [], settled: undefined }
  const ids = contactIds.values()
  const callCounts = { uuids: 0, calls: 0, fetches: 0, bytes: 0 }
  const log = createLogWriter(elapsedMs, (line) => {
    preludeRequests.logs.push(line)
    onLog?.(line)
  })
  const uuid = () => createSeededUuid(seed, ++callCounts.uuids)

  function countCall(name: string, isWrite: boolean, args: string): string {
    const kind = functions.get(name)?.kind
    if (kind === undefined || (kind === 'write') !== isWrite) throw new PreludeRefusal(`There is no ${name}.`)
    if (++callCounts.calls > sandboxLimits.hostCalls)
      throw new PreludeRefusal(`A run can call at most ${sandboxLimits.hostCalls} functions.`, '!')
    if (kind === 'network' && ++callCounts.fetches > sandboxLimits.fetchCalls)
      throw new PreludeRefusal(`A run can call http.fetch at most ${sandboxLimits.fetchCalls} times.`, '!')
    const sanitizedArgs = sanitizeArguments(name, args)
    callCounts.bytes += sanitizedArgs.length
    if (callCounts.bytes > sandboxLimits.callBytes)
      throw new PreludeRefusal(`The arguments of all calls together are too large at ${name}.`, '!')
    return sanitizedArgs
  }

  function contact(): string {
    const { value } = ids.next()
    if (value === undefined) throw new PreludeRefusal('The run creates too many contacts.', '!')
    return value
  }

  function buildWriteAnswer(name: string, args: string): unknown {
    const hostFunction = functions.get(name)
    const answer = hostFunction?.kind === 'write' ? hostFunction.answer : 'none'
    if (answer === 'none') return null
    if (answer === 'contact') return contact()
    if (answer === 'stamp') return { id: uuid() }
    const parsedArgs: unknown[] = JSON.parse(args)
    return {
      type: 'success',
      id: (answer === 'send' ? readStampId(parsedArgs) : readRunId(account, parsedArgs)) ?? uuid(),
    }
  }

  const operations: Record<string, (...texts: [string, string, string]) => string> = {
    log(level, text) {
      log(level as SandboxLogLevel, text)
      return ''
    },
    uuid,
    settle(kind, text) {
      preludeRequests.settled ??= { kind, text }
      return ''
    },
    write(name, argsText) {
      const args = countCall(name, true, argsText)
      const answer = JSON.stringify(buildWriteAnswer(name, args))
      preludeRequests.writes.push({ name, args, answer })
      return answer
    },
    next(resultText) {
      if (!inRounds) throw new PreludeRefusal('There is no such function.')
      preludeRequests.calls.push({ number: ++callCounts.calls, name: 'next', args: sanitizeRoundText(resultText) })
      return String(callCounts.calls)
    },
    call(name, argsText) {
      const args = countCall(name, false, argsText)
      preludeRequests.calls.push({ number: callCounts.calls, name, args })
      return String(callCounts.calls)
    },
  }
  const handleRequest: PreludeHandler = (operation, texts) => {
    const operationHandler = Object.hasOwn(operations, operation)
      ? operations[operation]
      : findNativeFunction(operation)
    if (operationHandler === undefined) throw new PreludeRefusal('There is no such function.')
    return operationHandler(...texts)
  }
  return { asked: preludeRequests, ask: handleRequest }
}

/** A member of the item of an execution that is a text. */
function readItemText(item: unknown, name: string): string | undefined {
  const value = isJsonObject(item) ? item[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The id of the stamp that an item brings. */
function readStampId([, item]: readonly unknown[]): string | undefined {
  const id = isJsonObject(item) ? readItemText(item['stamp'], 'id') : undefined
  return id === undefined ? undefined : parseUuid(id)
}

/** The id of the run that an item names, or that its stamp starts or has started. */
function readRunId(account: number, [workflow, item]: readonly unknown[]): string | undefined {
  const id = readItemText(item, 'id')
  if (id !== undefined) return toWorkflowRunId({ account, id: Number(workflow) }, id)
  const stamp = readStampId([workflow, item])
  return stamp === undefined ? undefined : toRunIdFromStamp(account, stamp)
}

function findNativeFunction(operation: string): ((...texts: [string, string, string]) => string) | undefined {
  const nativeFunction = Object.hasOwn(nativeFunctions, operation) ? nativeFunctions[operation] : undefined
  if (nativeFunction === undefined) return undefined
  return (...texts) => {
    try {
      return nativeFunction(...texts)
    } catch (error) {
      throw error instanceof NativeFunctionError ? new PreludeRefusal(error.message) : error
    }
  }
}

function sanitizeArguments(name: string, args: string): string {
  try {
    return sanitizeJson(args, sandboxLimits.inputBytes)
  } catch (error) {
    if (error instanceof JsonTransferError) throw new PreludeRefusal(`The input of ${name} ${error.message}.`)
    throw error
  }
}

function sanitizeRoundText(text: string): string {
  try {
    return sanitizeJson(text, sandboxLimits.roundBytes)
  } catch (error) {
    if (error instanceof JsonTransferError) throw new PreludeRefusal(`The result of the script ${error.message}.`)
    throw error
  }
}

/** Writes lines until they are too many or too long; one more says so. */
function createLogWriter(
  elapsedMs: () => number,
  write: (line: SandboxLogLine) => void,
): (level: SandboxLogLevel, text: string) => void {
  let [lines, byteCount] = [0, 0]
  let isFull = false
  return (level, text) => {
    if (isFull) return
    byteCount += Buffer.byteLength(text)
    isFull = lines++ === sandboxLimits.logLines || byteCount > sandboxLimits.logBytes
    const elapsed = Math.round(elapsedMs())
    write(
      isFull
        ? { level: 'warn', at: elapsed, text: 'The log is full. Further lines are omitted.' }
        : { level, at: elapsed, text },
    )
  }
}
