/**
 * Code that runs in the engine before the author's code. These functions are inserted as text: they can use only each other from this
 * file, and capture everything that an author could replace before his code runs.
 */

/** Asks the thread around the engine. The answer begins with `+`, or with `-` or `!` and is an error. */
type NativeCall = (operation: string, first?: string, second?: string, third?: string) => string

/** Exports of a module. */
type ModuleExports = { default?: unknown }
type AnyFunction = (...values: unknown[]) => unknown

/** Configuration of the prelude. */
export interface PreludeConfig {
  globals: Readonly<Record<string, unknown>>
  /** Names and kinds of the functions that are granted. */
  functions: [name: string, kind: 'read' | 'write' | 'network'][]
  /** Four numbers of 32 bits. */
  seed: number[]
}

/** Texts of values and of errors. */
function createCrossing() {
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { slice } = String.prototype
  const text = String
  const Rejection = TypeError
  const PromiseType = Promise
  const refused = new WeakSet<object>()
  const [has, add] = [refused.has.bind(refused), refused.add.bind(refused)]
  const sliceText = (value: string, start: number, end: number): string => apply(slice, value, [start, end])

  function replaceValue(_key: string, value: unknown): unknown {
    if (typeof value === 'function' || typeof value === 'symbol') throw new Rejection(`a ${typeof value} is not JSON`)
    if (typeof value === 'object' && value instanceof PromiseType) throw new Rejection('a promise is not JSON')
    return value
  }
  const textOf = (value: unknown): string => stringify(value, replaceValue) ?? 'null'

  function readErrorMember(error: unknown, name: 'name' | 'message' | 'stack', length: number): string {
    const value = (error as Error)[name]
    return value === undefined ? '' : sliceText(text(value), 0, length)
  }
  function describe(error: unknown): string {
    const shownError = { name: '', message: '', stack: '', capability: false }
    try {
      if (typeof error === 'object' && error !== null) {
        shownError.capability = has(error)
        shownError.name = readErrorMember(error, 'name', 100)
        shownError.message = readErrorMember(error, 'message', 1000)
        shownError.stack = readErrorMember(error, 'stack', 8000)
        if (shownError.name === '' && shownError.message === '') shownError.message = sliceText(textOf(error), 0, 1000)
      } else shownError.message = sliceText(text(error), 0, 1000)
    } catch {
      shownError.message ||= 'an error that cannot be shown'
    }
    return stringify(shownError)
  }
  return { parse, textOf, describe, cut: sliceText, refuse: (error: object) => void add(error) }
}

type Crossing = ReturnType<typeof createCrossing>

/** Returns the answer of the thread, or throws its error. */
function createAsker(native: NativeCall, { cut: sliceText, refuse }: Crossing) {
  const Failure = Error
  const failure = (message: string, capability: boolean): Error => {
    const error = new Failure(message)
    if (capability) refuse(error)
    return error
  }
  const ask: NativeCall = (operation, first = '', second = '', third = '') => {
    const answer = native(operation, first, second, third)
    const answerText = sliceText(answer, 1, answer.length)
    if (answer[0] === '+') return answerText
    throw failure(answerText, answer[0] === '!')
  }
  return { ask, failure }
}

type Asking = ReturnType<typeof createAsker>

/** `log`, `console`, `crypto`, `base64`, `date`. */
function createTools({ ask }: Asking, { textOf, cut: sliceText }: Crossing) {
  const toShownText = (value: unknown): string => (typeof value === 'string' ? value : textOf(value))
  const instant = (date: unknown): string => textOf(date instanceof Date ? date.getTime() : date)
  const line = (values: unknown[]): string => {
    let text = ''
    for (let argumentIndex = 0; argumentIndex < values.length; argumentIndex++) {
      text += argumentIndex === 0 ? '' : ' '
      try {
        text += sliceText(toShownText(values[argumentIndex]), 0, 65_537)
      } catch {
        text += String(typeof values[argumentIndex])
      }
    }
    return sliceText(text, 0, 65_537)
  }
  const createLogWriter =
    (level: string) =>
    (...values: unknown[]): void =>
      void ask('log', level, line(values))
  const zoneOf = (zone: unknown): string => (zone === undefined ? 'UTC' : toShownText(zone))
  return {
    log: createLogWriter('info'),
    console: {
      log: createLogWriter('info'),
      info: createLogWriter('info'),
      warn: createLogWriter('warn'),
      error: createLogWriter('error'),
    },
    crypto: {
      randomUUID: () => ask('uuid'),
      hash: (algorithm: unknown, text: unknown) => ask('hash', toShownText(algorithm), toShownText(text)),
      hmac: (algorithm: unknown, key: unknown, text: unknown) =>
        ask('hmac', toShownText(algorithm), toShownText(key), toShownText(text)),
    },
    base64: {
      encode: (text: unknown) => ask('base64.encode', toShownText(text)),
      decode: (text: unknown) => ask('base64.decode', toShownText(text)),
    },
    date: {
      format: (date: unknown, pattern: unknown, zone: unknown) =>
        ask('date.format', instant(date), toShownText(pattern), zoneOf(zone)),
      add: (date: unknown, period: unknown, zone: unknown) =>
        ask('date.add', instant(date), textOf(period), zoneOf(zone)),
    },
  }
}

/** Has `Math.random` follow a seed. */
function seedRandom([a = 0, b = 0, c = 0, d = 0]: number[]): void {
  /** sfc32 by Chris Doty-Humphrey. */
  Math.random = () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 4_294_967_296
  }
}

/** Makes the functions of granted capabilities. Reads and calls over the network answer promises. */
function createGranter({ ask, failure }: Asking, { parse, textOf }: Crossing) {
  type PendingCall = { resolve: (value: unknown) => void; reject: (error: Error) => void }
  const pendingCalls = new Map<string, PendingCall>()
  const [getPending, setPending, removePending] = [
    pendingCalls.get.bind(pendingCalls),
    pendingCalls.set.bind(pendingCalls),
    pendingCalls.delete.bind(pendingCalls),
  ]
  const PromiseType = Promise

  function callLater(name: string, args: unknown[]): Promise<unknown> {
    return new PromiseType((resolve, reject) => setPending(ask('call', name, textOf(args)), { resolve, reject }))
  }
  function wrapFetchAnswer(answer: unknown): unknown {
    const { body } = answer as { body: string }
    return { ...(answer as object), json: () => parse(body) }
  }
  function deliver(number: string, outcome: string, text: string): void {
    const call = getPending(number)
    removePending(number)
    if (outcome === '+') call?.resolve(parse(text))
    else call?.reject(failure(text, outcome === '!'))
  }
  /** Hands over what a round gave; what the next one is called with, null after the last. */
  function next(text: string): Promise<unknown> {
    return new PromiseType((resolve, reject) => setPending(ask('next', text), { resolve, reject }))
  }
  function grant(functions: PreludeConfig['functions']) {
    const groups: Record<string, Record<string, unknown>> = {}
    for (const [name, kind] of functions) {
      const [group = '', member = ''] = name.split('.')
      const members = (groups[group] ??= {})
      if (kind === 'write') members[member] = (...args: unknown[]) => parse(ask('write', name, textOf(args)))
      else if (kind === 'read') members[member] = (...args: unknown[]) => callLater(name, args)
      else members[member] = async (...args: unknown[]) => wrapFetchAnswer(await callLater(name, args))
    }
    return groups
  }
  return { grant, deliver, next }
}

/** Calls scripts for one round after the other, and hands over what each gives. */
function createRoundRunner(
  native: NativeCall,
  { textOf, describe }: Crossing,
  next: (text: string) => Promise<unknown>,
) {
  function serializeResult(value: unknown): string {
    try {
      return textOf(value)
    } catch (error) {
      native('settle', 'result', describe(error))
      throw error
    }
  }
  return async function rounds(functionOf: (module: ModuleExports) => AnyFunction): Promise<null> {
    let round = await next('null')
    while (round !== null) {
      const { file, rows, context } = round as { file: string; rows: unknown; context: unknown }
      const script = functionOf(await import(file))
      round = await next(serializeResult(await script(rows, context)))
    }
    return null
  }
}

/** Runs initializers, and the script once or scripts in rounds, and hands the awaited value over. */
function createDriver(
  native: NativeCall,
  { parse, textOf, describe }: Crossing,
  rounds: ReturnType<typeof createRoundRunner>,
) {
  const NoFunction = TypeError
  function functionOf({ default: script }: ModuleExports): AnyFunction {
    if (typeof script !== 'function') throw new NoFunction('The script has no default export that is a function.')
    return script as AnyFunction
  }
  return async function drive(initializersText: string, argumentText: string, isInRounds: string): Promise<void> {
    let value: unknown
    try {
      const initializers = parse(initializersText) as string[]
      for (let argumentIndex = 0; argumentIndex < initializers.length; argumentIndex++)
        await import(initializers[argumentIndex]!)
      if (isInRounds === 'true') value = await rounds(functionOf)
      else value = await functionOf(await import('script' as string))(parse(argumentText))
    } catch (error) {
      native('settle', 'error', describe(error))
      return
    }
    try {
      native('settle', 'value', textOf(value))
    } catch (error) {
      native('settle', 'result', describe(error))
    }
  }
}

/** Puts it together. What it returns is kept by the thread; `configure` is called once, before the author's code. */
function setUp(native: NativeCall) {
  const texts = createCrossing()
  const asker = createAsker(native, texts)
  const { grant, deliver, next } = createGranter(asker, texts)
  const defineGlobals = (values: Readonly<Record<string, unknown>>, configurable: boolean): void => {
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(globalThis, name, { value, enumerable: true, writable: false, configurable })
  }
  // What is given may have one of their names.
  defineGlobals(createTools(asker, texts), true)
  const drive = createDriver(native, texts, createRoundRunner(native, texts, next))
  function configure(configText: string): void {
    const config = texts.parse(configText) as PreludeConfig
    seedRandom(config.seed)
    defineGlobals(grant(config.functions), true)
    defineGlobals(config.globals, false)
  }
  return { configure, drive, deliver, textOf: texts.textOf, describe: texts.describe }
}

const preludeParts = [
  createCrossing,
  createAsker,
  createTools,
  seedRandom,
  createGranter,
  createRoundRunner,
  createDriver,
  setUp,
]

/** The prelude: an expression whose value is `setUp`. */
export const preludeText = `(function () {"use strict";\n${preludeParts.map(String).join('\n')}\nreturn setUp })()`
