/**
 * What runs inside the engine before the author's code. These functions are written into it as text: they know nothing
 * of this file but each other, and take all that an author could replace before his code runs.
 */

/** Asks the thread around the engine. The answer begins with `+`, or with `-` or `!` and is an error. */
type Native = (operation: string, first?: string, second?: string, third?: string) => string

/** What a module exports. */
type Exports = { default?: unknown }
type AnyFunction = (...values: unknown[]) => unknown

/** How the prelude is set up. */
export interface PreludeConfig {
  globals: Readonly<Record<string, unknown>>
  /** Names and kinds of the functions that are granted. */
  functions: [name: string, kind: 'read' | 'write' | 'network'][]
  /** Four numbers of 32 bits. */
  seed: number[]
}

/** Texts of values and of errors. */
function crossing() {
  const { parse, stringify } = JSON
  const { apply } = Reflect
  const { slice } = String.prototype
  const text = String
  const Rejection = TypeError
  const PromiseType = Promise
  const refused = new WeakSet<object>()
  const [has, add] = [refused.has.bind(refused), refused.add.bind(refused)]
  const cut = (value: string, start: number, end: number): string => apply(slice, value, [start, end])

  function keep(_key: string, value: unknown): unknown {
    if (typeof value === 'function' || typeof value === 'symbol') throw new Rejection(`a ${typeof value} is no JSON`)
    if (typeof value === 'object' && value instanceof PromiseType) throw new Rejection('a promise is no JSON')
    return value
  }
  const textOf = (value: unknown): string => stringify(value, keep) ?? 'null'

  function member(error: unknown, name: 'name' | 'message' | 'stack', length: number): string {
    const value = (error as Error)[name]
    return value === undefined ? '' : cut(text(value), 0, length)
  }
  function describe(error: unknown): string {
    const shown = { name: '', message: '', stack: '', capability: false }
    try {
      if (typeof error === 'object' && error !== null) {
        shown.capability = has(error)
        shown.name = member(error, 'name', 100)
        shown.message = member(error, 'message', 1000)
        shown.stack = member(error, 'stack', 8000)
        if (shown.name === '' && shown.message === '') shown.message = cut(textOf(error), 0, 1000)
      } else shown.message = cut(text(error), 0, 1000)
    } catch {
      shown.message ||= 'an error that cannot be shown'
    }
    return stringify(shown)
  }
  return { parse, textOf, describe, cut, refuse: (error: object) => void add(error) }
}

type Crossing = ReturnType<typeof crossing>

/** What the thread answers, or an error of it thrown. */
function asking(native: Native, { cut, refuse }: Crossing) {
  const Failure = Error
  const failure = (message: string, capability: boolean): Error => {
    const error = new Failure(message)
    if (capability) refuse(error)
    return error
  }
  const ask: Native = (operation, first = '', second = '', third = '') => {
    const answer = native(operation, first, second, third)
    const rest = cut(answer, 1, answer.length)
    if (answer[0] === '+') return rest
    throw failure(rest, answer[0] === '!')
  }
  return { ask, failure }
}

type Asking = ReturnType<typeof asking>

/** `log`, `console`, `crypto`, `base64`, `date`. */
function tools({ ask }: Asking, { textOf, cut }: Crossing) {
  const shown = (value: unknown): string => (typeof value === 'string' ? value : textOf(value))
  const instant = (date: unknown): string => textOf(date instanceof Date ? date.getTime() : date)
  const line = (values: unknown[]): string => {
    let text = ''
    for (let at = 0; at < values.length; at++) {
      text += at === 0 ? '' : ' '
      try {
        text += cut(shown(values[at]), 0, 65_537)
      } catch {
        text += String(typeof values[at])
      }
    }
    return cut(text, 0, 65_537)
  }
  const writer =
    (level: string) =>
    (...values: unknown[]): void =>
      void ask('log', level, line(values))
  const zoneOf = (zone: unknown): string => (zone === undefined ? 'UTC' : shown(zone))
  return {
    log: writer('info'),
    console: { log: writer('info'), info: writer('info'), warn: writer('warn'), error: writer('error') },
    crypto: {
      randomUUID: () => ask('uuid'),
      hash: (algorithm: unknown, text: unknown) => ask('hash', shown(algorithm), shown(text)),
      hmac: (algorithm: unknown, key: unknown, text: unknown) => ask('hmac', shown(algorithm), shown(key), shown(text)),
    },
    base64: {
      encode: (text: unknown) => ask('base64.encode', shown(text)),
      decode: (text: unknown) => ask('base64.decode', shown(text)),
    },
    date: {
      format: (date: unknown, pattern: unknown, zone: unknown) =>
        ask('date.format', instant(date), shown(pattern), zoneOf(zone)),
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
function granting({ ask, failure }: Asking, { parse, textOf }: Crossing) {
  type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }
  const waiting = new Map<string, Waiting>()
  const [get, set, remove] = [waiting.get.bind(waiting), waiting.set.bind(waiting), waiting.delete.bind(waiting)]
  const PromiseType = Promise

  function later(name: string, args: unknown[]): Promise<unknown> {
    return new PromiseType((resolve, reject) => set(ask('call', name, textOf(args)), { resolve, reject }))
  }
  function fetched(answer: unknown): unknown {
    const { body } = answer as { body: string }
    return { ...(answer as object), json: () => parse(body) }
  }
  function deliver(number: string, outcome: string, text: string): void {
    const call = get(number)
    remove(number)
    if (outcome === '+') call?.resolve(parse(text))
    else call?.reject(failure(text, outcome === '!'))
  }
  /** Hands over what a round gave; what the next one is called with, null after the last. */
  function next(text: string): Promise<unknown> {
    return new PromiseType((resolve, reject) => set(ask('next', text), { resolve, reject }))
  }
  function grant(functions: PreludeConfig['functions']) {
    const groups: Record<string, Record<string, unknown>> = {}
    for (const [name, kind] of functions) {
      const [group = '', member = ''] = name.split('.')
      const members = (groups[group] ??= {})
      if (kind === 'write') members[member] = (...args: unknown[]) => parse(ask('write', name, textOf(args)))
      else if (kind === 'read') members[member] = (...args: unknown[]) => later(name, args)
      else members[member] = async (...args: unknown[]) => fetched(await later(name, args))
    }
    return groups
  }
  return { grant, deliver, next }
}

/** Calls scripts for one round after the other, and hands over what each gives. */
function inRounds(native: Native, { textOf, describe }: Crossing, next: (text: string) => Promise<unknown>) {
  function given(value: unknown): string {
    try {
      return textOf(value)
    } catch (error) {
      native('settle', 'result', describe(error))
      throw error
    }
  }
  return async function rounds(functionOf: (module: Exports) => AnyFunction): Promise<null> {
    let round = await next('null')
    while (round !== null) {
      const { file, rows, context } = round as { file: string; rows: unknown; context: unknown }
      const script = functionOf(await import(file))
      round = await next(given(await script(rows, context)))
    }
    return null
  }
}

/** Runs initializers, and the script once or scripts in rounds, and hands the awaited value over. */
function driving(native: Native, { parse, textOf, describe }: Crossing, rounds: ReturnType<typeof inRounds>) {
  const NoFunction = TypeError
  function functionOf({ default: script }: Exports): AnyFunction {
    if (typeof script !== 'function') throw new NoFunction('The script has no default export that is a function.')
    return script as AnyFunction
  }
  return async function drive(initializersText: string, argumentText: string, isInRounds: string): Promise<void> {
    let value: unknown
    try {
      const initializers = parse(initializersText) as string[]
      for (let at = 0; at < initializers.length; at++) await import(initializers[at]!)
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
function setUp(native: Native) {
  const texts = crossing()
  const asker = asking(native, texts)
  const { grant, deliver, next } = granting(asker, texts)
  const define = (values: Readonly<Record<string, unknown>>, configurable: boolean): void => {
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(globalThis, name, { value, enumerable: true, writable: false, configurable })
  }
  // What is given may have one of their names.
  define(tools(asker, texts), true)
  const drive = driving(native, texts, inRounds(native, texts, next))
  function configure(configText: string): void {
    const config = texts.parse(configText) as PreludeConfig
    seedRandom(config.seed)
    define(grant(config.functions), true)
    define(config.globals, false)
  }
  return { configure, drive, deliver, textOf: texts.textOf, describe: texts.describe }
}

const parts = [crossing, asking, tools, seedRandom, granting, inRounds, driving, setUp]

/** The prelude: an expression whose value is `setUp`. */
export const preludeText = `(function () {"use strict";\n${parts.map(String).join('\n')}\nreturn setUp })()`
