import { type Context, type Emitter, toValue } from 'liquidjs'
import { readThreadCpuMs, THREAD_WALL_LIMIT_MS } from '../../../lib/concurrency/thread-limit.ts'
import { RenderLimitError } from '../flaws.ts'

/** What liquidjs asks of the limits it is given. */
export interface LiquidLimiter {
  use(count: number): void
  check(value: number): void
}

/** The class of liquidjs has private members only, so that nothing but a cast makes another one of its kind. */
export function toLiquidLimiter(limiter: LiquidLimiter): Context['memoryLimit'] {
  return limiter as unknown as Context['memoryLimit']
}

/** A clock that is looked at between two pieces of work as well. */
export interface TimeBudget extends LiquidLimiter {
  /** Throws RenderLimitError when the thread has computed too long. */
  look(): void
}

/** What one rendering may take. */
export interface RenderBudget {
  memory: LiquidLimiter
  time: TimeBudget
}

const MEMORY_LIMIT = 20_000_000
const TEMPLATE_LIMIT = 200_000
export const OUTPUT_LIMIT_BYTES = 2_000_000
/** No part may be larger than that, so no single value on the way to it needs to be. */
const VALUE_LIMIT = OUTPUT_LIMIT_BYTES
/** What an element of an array takes beside its own characters. */
const ELEMENT_BYTES = 8

/** A budget of memory and of milliseconds of processor time: of this thread, unless `measure` returns the time spent. */
export function createRenderBudget(milliseconds: number, measure = readThreadCpuMs): RenderBudget {
  return { memory: memoryBudget(), time: timeBudget(milliseconds, measure) }
}

/** Counts characters and array elements made on the way. */
function memoryBudget(): LiquidLimiter {
  let left = MEMORY_LIMIT
  return {
    use(count) {
      if (!(count > 0)) return
      left -= count
      if (left < 0 || count > VALUE_LIMIT) throw memoryExceeded()
    },
    check() {},
  }
}

/** Asked before each tag, value or piece of text that is rendered, and given the present; 0 for what takes no time. */
function timeBudget(milliseconds: number, measure: () => number): TimeBudget {
  let left = TEMPLATE_LIMIT
  const startMs = measure()
  const lastStop = performance.now() + THREAD_WALL_LIMIT_MS
  let deadline = performance.now() + milliseconds
  function refuse(now: number): void {
    if (now <= deadline) return
    // On a busy machine a thread computes for less time than goes by, never for more.
    const spent = measure() - startMs
    if (spent > milliseconds || now > lastStop)
      throw new RenderLimitError(`The template takes longer than ${milliseconds} ms.`)
    deadline = now + milliseconds - spent
  }
  return {
    use() {},
    check(now) {
      refuse(now)
      if (--left < 0) throw new RenderLimitError('The template renders more than 200,000 tags, values and texts.')
    },
    look: () => refuse(performance.now()),
  }
}

function memoryExceeded(): RenderLimitError {
  return new RenderLimitError('The template takes more than 20 MB of memory.')
}

export function createOutputLimitError(): RenderLimitError {
  return new RenderLimitError('The template writes more than 2 MB.')
}

/**
 * Throws RenderLimitError for a text or an array that is larger than any value has to be. Arrays that a template puts into
 * each other hold one another many times: each time counts, as each is printed.
 */
export function assertValueSize(value: unknown): void {
  if (typeof value === 'string' ? value.length > VALUE_LIMIT : Array.isArray(value) && sizeOf(value, VALUE_LIMIT) < 0)
    throw memoryExceeded()
}

/** What is left of a size after an array; less than nothing when it is too large, which ends the walk. */
function sizeOf(array: readonly unknown[], most: number): number {
  let left = most - ELEMENT_BYTES * array.length
  for (let at = 0; at < array.length && left >= 0; at++) {
    const element = array[at]
    if (typeof element === 'string') left -= element.length
    else if (Array.isArray(element)) left = sizeOf(element, left)
  }
  return left
}

/** Throws RenderLimitError for an end of a range from which counting by one leads nowhere. */
export function assertRangeEnd(value: unknown): void {
  if (Math.abs(Number(toValue(value))) > Number.MAX_SAFE_INTEGER)
    throw new RenderLimitError('The ends of a range are numbers up to 9,007,199,254,740,991.')
}

/** Charges a value that was made: a text by its characters, an array by its elements. */
export function chargeValue(memory: LiquidLimiter, value: unknown): void {
  if (typeof value === 'string') memory.use(value.length)
  else if (Array.isArray(value)) memory.use(ELEMENT_BYTES * value.length)
}

/**
 * A value as Liquid prints it: nothing for null, arrays one element after the other, objects as `{"name"=>"value", "list"=>[1, nil]}`.
 * Throws RenderLimitError like `assertValueSize`.
 */
export function printLiquidValue(value: unknown): string {
  if (typeof value === 'string') return value
  // Words like `empty` and `forloop` are objects of liquidjs that stand for a value.
  const plain: unknown = toValue(value)
  if (plain === null || plain === undefined) return ''
  if (typeof plain !== 'object') return String(plain)
  assertValueSize(plain)
  let text = ''
  for (const part of partsOf(plain)) assertValueSize((text += part))
  return text
}

function* partsOf(value: unknown): Generator<string, void> {
  const plain: unknown = toValue(value)
  if (Array.isArray(plain)) for (const element of plain) yield* partsOf(element)
  else if (isPlainObject(plain)) yield* notationOf(plain)
  else if (plain !== null && plain !== undefined) yield String(plain)
}

/** The notation of Ruby, as Shopify's engine prints objects. */
function* notationOf(value: unknown): Generator<string, void> {
  const plain: unknown = toValue(value)
  if (Array.isArray(plain)) {
    for (const [index, element] of plain.entries()) {
      yield index === 0 ? '[' : ', '
      yield* notationOf(element)
    }
    yield plain.length === 0 ? '[]' : ']'
  } else if (isPlainObject(plain)) {
    const members = Object.entries(plain)
    for (const [index, [name, member]] of members.entries()) {
      yield `${index === 0 ? '{' : ', '}${JSON.stringify(name)}=>`
      yield* notationOf(member)
    }
    yield members.length === 0 ? '{}' : '}'
  } else if (plain === null || plain === undefined) yield 'nil'
  else yield typeof plain === 'string' ? JSON.stringify(plain) : String(plain)
}

/** Data, and none of the objects of liquidjs. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The elements of a list and of the lists in it, or the one value that is no list. Throws RenderLimitError like `assertValueSize`. */
export function flattenLiquidList(value: unknown): unknown[] {
  const plain: unknown = toValue(value)
  if (plain === null || plain === undefined) return []
  assertValueSize(plain)
  return Array.isArray(plain) ? plain.flat(Number.POSITIVE_INFINITY) : [plain]
}

/** Collects a text that a template keeps. Throws RenderLimitError beyond the size of a value. */
export function createTextEmitter(memory: LiquidLimiter): Emitter {
  return {
    buffer: '',
    write(value: unknown) {
      const text = printLiquidValue(value)
      memory.use(text.length)
      this.buffer += text
      assertValueSize(this.buffer)
    },
  }
}

/** Charges the JSON of a value before it is made. `margin`: characters for each level. */
export function chargeJson(memory: LiquidLimiter, value: unknown, margin: number): void {
  let size = 0
  function walk(part: unknown, depth: number): void {
    const isObject = typeof part === 'object' && part !== null
    size += 2 + depth * margin + (typeof part === 'string' ? part.length : 0)
    if (size > VALUE_LIMIT) throw memoryExceeded()
    if (!isObject) return
    for (const [key, member] of Object.entries(part)) {
      size += Array.isArray(part) ? 0 : key.length
      walk(member, depth + 1)
    }
  }
  walk(value, 0)
  memory.use(size)
}
