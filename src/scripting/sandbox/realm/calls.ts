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

/** What a script asked for in its run. */
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
  const asked: PreludeRequests = { logs: [], writes: [], calls: [], settled: undefined }
  const ids = contactIds.values()
  const counts = { uuids: 0, calls: 0, fetches: 0, bytes: 0 }
  const log = logOf(elapsedMs, (line) => {
    asked.logs.push(line)
    onLog?.(line)
  })
  const uuid = () => createSeededUuid(seed, ++counts.uuids)

  function counted(name: string, isWrite: boolean, args: string): string {
    const kind = functions.get(name)?.kind
    if (kind === undefined || (kind === 'write') !== isWrite) throw new PreludeRefusal(`There is no ${name}.`)
    if (++counts.calls > sandboxLimits.hostCalls)
      throw new PreludeRefusal(`A run calls at most ${sandboxLimits.hostCalls} functions.`, '!')
    if (kind === 'network' && ++counts.fetches > sandboxLimits.fetchCalls)
      throw new PreludeRefusal(`A run calls http.fetch at most ${sandboxLimits.fetchCalls} times.`, '!')
    const clean = crossing(name, args)
    counts.bytes += clean.length
    if (counts.bytes > sandboxLimits.callBytes)
      throw new PreludeRefusal(`The arguments of all calls are too large at ${name}.`, '!')
    return clean
  }

  function contact(): string {
    const { value } = ids.next()
    if (value === undefined) throw new PreludeRefusal('The run makes too many contacts.', '!')
    return value
  }

  function answerOf(name: string, args: string): unknown {
    const called = functions.get(name)
    const answer = called?.kind === 'write' ? called.answer : 'none'
    if (answer === 'none') return null
    if (answer === 'contact') return contact()
    if (answer === 'stamp') return { id: uuid() }
    const given: unknown[] = JSON.parse(args)
    return { type: 'success', id: (answer === 'send' ? stampIn(given) : runIn(account, given)) ?? uuid() }
  }

  const operations: Record<string, (...texts: [string, string, string]) => string> = {
    log(level, text) {
      log(level as SandboxLogLevel, text)
      return ''
    },
    uuid,
    settle(kind, text) {
      asked.settled ??= { kind, text }
      return ''
    },
    write(name, given) {
      const args = counted(name, true, given)
      const answer = JSON.stringify(answerOf(name, args))
      asked.writes.push({ name, args, answer })
      return answer
    },
    next(given) {
      if (!inRounds) throw new PreludeRefusal('There is no such function.')
      asked.calls.push({ number: ++counts.calls, name: 'next', args: roundText(given) })
      return String(counts.calls)
    },
    call(name, given) {
      const args = counted(name, false, given)
      asked.calls.push({ number: counts.calls, name, args })
      return String(counts.calls)
    },
  }
  const ask: PreludeHandler = (operation, texts) => {
    const found = Object.hasOwn(operations, operation) ? operations[operation] : native(operation)
    if (found === undefined) throw new PreludeRefusal('There is no such function.')
    return found(...texts)
  }
  return { asked, ask }
}

/** A member of the item of an execution that is a text. */
function textIn(item: unknown, name: string): string | undefined {
  const value = isJsonObject(item) ? item[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The id of the stamp that an item brings. */
function stampIn([, item]: readonly unknown[]): string | undefined {
  const id = isJsonObject(item) ? textIn(item['stamp'], 'id') : undefined
  return id === undefined ? undefined : parseUuid(id)
}

/** The id of the run that an item names, or that its stamp starts or has started. */
function runIn(account: number, [workflow, item]: readonly unknown[]): string | undefined {
  const id = textIn(item, 'id')
  if (id !== undefined) return toWorkflowRunId({ account, id: Number(workflow) }, id)
  const stamp = stampIn([workflow, item])
  return stamp === undefined ? undefined : toRunIdFromStamp(account, stamp)
}

function native(operation: string): ((...texts: [string, string, string]) => string) | undefined {
  const found = Object.hasOwn(nativeFunctions, operation) ? nativeFunctions[operation] : undefined
  if (found === undefined) return undefined
  return (...texts) => {
    try {
      return found(...texts)
    } catch (error) {
      throw error instanceof NativeFunctionError ? new PreludeRefusal(error.message) : error
    }
  }
}

function crossing(name: string, args: string): string {
  try {
    return sanitizeJson(args, sandboxLimits.inputBytes)
  } catch (error) {
    if (error instanceof JsonTransferError) throw new PreludeRefusal(`What ${name} is called with ${error.message}.`)
    throw error
  }
}

function roundText(text: string): string {
  try {
    return sanitizeJson(text, sandboxLimits.roundBytes)
  } catch (error) {
    if (error instanceof JsonTransferError) throw new PreludeRefusal(`What the script returns ${error.message}.`)
    throw error
  }
}

/** Writes lines until they are too many or too long; one more says so. */
function logOf(
  elapsedMs: () => number,
  write: (line: SandboxLogLine) => void,
): (level: SandboxLogLevel, text: string) => void {
  let [lines, bytes] = [0, 0]
  let isFull = false
  return (level, text) => {
    if (isFull) return
    bytes += Buffer.byteLength(text)
    isFull = lines++ === sandboxLimits.logLines || bytes > sandboxLimits.logBytes
    const at = Math.round(elapsedMs())
    write(isFull ? { level: 'warn', at, text: 'The log is full: what follows is left out.' } : { level, at, text })
  }
}
