import { readUuid } from '../../../lib/ids.ts'
import { isObject } from '../../../lib/objects.ts'
import { runIdOf, runIdOfStamp } from '../../run-ids.ts'
import type { HostFunction } from '../functions.ts'
import { limits } from '../limits.ts'
import type { CallRequest, WriteRequest } from '../messages.ts'
import type { LogLevel, LogLine } from '../types.ts'
import { cleanJson, NotCrossing } from './json.ts'
import { NativeError, natives, seededUuid } from './natives.ts'
import { type Ask, Refusal } from './realm.ts'

/** What a script asked for in its run. */
export interface Asked {
  logs: LogLine[]
  writes: WriteRequest[]
  /** Calls of the host that nobody answers yet. */
  calls: CallRequest[]
  settled: { kind: string; text: string } | undefined
}

export interface AskOptions {
  account: number
  seed: string
  functions: ReadonlyMap<string, HostFunction>
  contactIds: readonly string[]
  inRounds?: boolean
  elapsedMs(): number
  onLog?: ((line: LogLine) => void) | undefined
}

/** Answers what the prelude asks, within the limits of one run. */
export function askingOf({ account, seed, functions, contactIds, inRounds = false, elapsedMs, onLog }: AskOptions): {
  asked: Asked
  ask: Ask
} {
  const asked: Asked = { logs: [], writes: [], calls: [], settled: undefined }
  const ids = contactIds.values()
  const counts = { uuids: 0, calls: 0, fetches: 0, bytes: 0 }
  const log = logOf(elapsedMs, (line) => {
    asked.logs.push(line)
    onLog?.(line)
  })
  const uuid = () => seededUuid(seed, ++counts.uuids)

  function counted(name: string, isWrite: boolean, args: string): string {
    const kind = functions.get(name)?.kind
    if (kind === undefined || (kind === 'write') !== isWrite) throw new Refusal(`There is no ${name}.`)
    if (++counts.calls > limits.hostCalls) throw new Refusal(`A run calls at most ${limits.hostCalls} functions.`, '!')
    if (kind === 'network' && ++counts.fetches > limits.fetchCalls)
      throw new Refusal(`A run calls http.fetch at most ${limits.fetchCalls} times.`, '!')
    const clean = crossing(name, args)
    counts.bytes += clean.length
    if (counts.bytes > limits.callBytes) throw new Refusal(`The arguments of all calls are too large at ${name}.`, '!')
    return clean
  }

  function contact(): string {
    const { value } = ids.next()
    if (value === undefined) throw new Refusal('The run makes too many contacts.', '!')
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
      log(level as LogLevel, text)
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
      if (!inRounds) throw new Refusal('There is no such function.')
      asked.calls.push({ number: ++counts.calls, name: 'next', args: roundText(given) })
      return String(counts.calls)
    },
    call(name, given) {
      const args = counted(name, false, given)
      asked.calls.push({ number: counts.calls, name, args })
      return String(counts.calls)
    },
  }
  const ask: Ask = (operation, texts) => {
    const found = Object.hasOwn(operations, operation) ? operations[operation] : native(operation)
    if (found === undefined) throw new Refusal('There is no such function.')
    return found(...texts)
  }
  return { asked, ask }
}

/** A member of the item of an execution that is a text. */
function textIn(item: unknown, name: string): string | undefined {
  const value = isObject(item) ? item[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The id of the stamp that an item brings. */
function stampIn([, item]: readonly unknown[]): string | undefined {
  const id = isObject(item) ? textIn(item['stamp'], 'id') : undefined
  return id === undefined ? undefined : readUuid(id)
}

/** The id of the run that an item names, or that its stamp starts or has started. */
function runIn(account: number, [workflow, item]: readonly unknown[]): string | undefined {
  const id = textIn(item, 'id')
  if (id !== undefined) return runIdOf({ account, id: Number(workflow) }, id)
  const stamp = stampIn([workflow, item])
  return stamp === undefined ? undefined : runIdOfStamp(account, stamp)
}

function native(operation: string): ((...texts: [string, string, string]) => string) | undefined {
  const found = Object.hasOwn(natives, operation) ? natives[operation] : undefined
  if (found === undefined) return undefined
  return (...texts) => {
    try {
      return found(...texts)
    } catch (error) {
      throw error instanceof NativeError ? new Refusal(error.message) : error
    }
  }
}

function crossing(name: string, args: string): string {
  try {
    return cleanJson(args, limits.inputBytes)
  } catch (error) {
    if (error instanceof NotCrossing) throw new Refusal(`What ${name} is called with ${error.message}.`)
    throw error
  }
}

function roundText(text: string): string {
  try {
    return cleanJson(text, limits.roundBytes)
  } catch (error) {
    if (error instanceof NotCrossing) throw new Refusal(`What the script returns ${error.message}.`)
    throw error
  }
}

/** Writes lines until they are too many or too long; one more says so. */
function logOf(elapsedMs: () => number, write: (line: LogLine) => void): (level: LogLevel, text: string) => void {
  let [lines, bytes] = [0, 0]
  let isFull = false
  return (level, text) => {
    if (isFull) return
    bytes += Buffer.byteLength(text)
    isFull = lines++ === limits.logLines || bytes > limits.logBytes
    const at = Math.round(elapsedMs())
    write(isFull ? { level: 'warn', at, text: 'The log is full: what follows is left out.' } : { level, at, text })
  }
}
