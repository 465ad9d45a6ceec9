import { type Context, type Emitter, toValue } from 'liquidjs'
import { readThreadCpuMs, THREAD_WALL_LIMIT_MS } from '../../../lib/concurrency/thread-limit.ts'
import { RenderLimitError } from '../flaws.ts'

/** Interface of the limits that liquidjs uses. */
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

/** Limits of one rendering. */
export interface RenderBudget {
  memory: LiquidLimiter
  time: TimeBudget
}

const MEMORY_LIMIT_UNITS = 20_000_000
const MAX_TEMPLATE_NODES = 200_000
export const OUTPUT_LIMIT_BYTES = 2_000_000
/** No part may be larger than that, so no single value on the way to it needs to be. */
const MAX_VALUE_SIZE = OUTPUT_LIMIT_BYTES
/** Size of an array element in addition to its own characters. */
const ELEMENT_BYTES = 8

/** A budget of memory and of milliseconds of processor time: of this thread, unless `measure` returns the time spent. */
export function createRenderBudget(milliseconds: number, measure = readThreadCpuMs): RenderBudget {
  return { memory: createMemoryBudget(), time: createTimeBudget(milliseconds, measure) }
}

/** Counts characters and array elements made on the way. */
function createMemoryBudget(): LiquidLimiter {
  let remainingMemory = MEMORY_LIMIT_UNITS
  return {
    use(count) {
      if (!(count > 0)) return
      remainingMemory -= count
      if (remainingMemory < 0 || count > MAX_VALUE_SIZE) throw createMemoryError()
    },
    check() {},
  }
}

/** Asked before each tag, value or piece of text that is rendered, and given the present; 0 for what takes no time. */
function createTimeBudget(milliseconds: number, measure: () => number): TimeBudget {
  let remainingNodes = MAX_TEMPLATE_NODES
  const startMs = measure()
  const lastStop = performance.now() + THREAD_WALL_LIMIT_MS
  let deadline = performance.now() + milliseconds
  function requireTime(now: number): void {
    if (now <= deadline) return
    // On a busy machine a thread computes for less time than goes by, never for more.
    const spentMs = measure() - startMs
    if (spentMs > milliseconds || now > lastStop)
      throw new RenderLimitError(`The template takes longer than ${milliseconds} ms.`)
    deadline = now + milliseconds - spentMs
  }
  return {
    use() {},
    check(now) {
      requireTime(now)
      if (--remainingNodes < 0)
        throw new RenderLimitError('The template renders more than 200,000 tags, values and texts.')
    },
    look: () => requireTime(performance.now()),
  }
}

function createMemoryError(): RenderLimitError {
  return new RenderLimitError('The template uses more than 20 MB of memory.')
}

export function createOutputLimitError(): RenderLimitError {
  return new RenderLimitError('The template outputs more than 2 MB.')
}

/**
 * Throws RenderLimitError for a text or an array that is larger than any value has to be. Arrays that a template puts into
 * each other hold one another many times: each time counts, as each is printed.
 */
export function assertValueSize(value: unknown): void {
  if (
    typeof value === 'string'
      ? value.length > MAX_VALUE_SIZE
      : Array.isArray(value) && computeRemainingSize(value, MAX_VALUE_SIZE) < 0
  )
    throw createMemoryError()
}

/** Size that remains after an array; negative if the array is too large, which ends the iteration. */
function computeRemainingSize(array: readonly unknown[], most: number): number {
  let remainingSize = most - ELEMENT_BYTES * array.length
  for (let elementIndex = 0; elementIndex < array.length && remainingSize >= 0; elementIndex++) {
    const element = array[elementIndex]
    if (typeof element === 'string') remainingSize -= element.length
    else if (Array.isArray(element)) remainingSize = computeRemainingSize(element, remainingSize)
  }
  return remainingSize
}

/** Throws RenderLimitError for an end of a range from which counting by one leads nowhere. */
export function assertRangeEnd(value: unknown): void {
  if (Math.abs(Number(toValue(value))) > Number.MAX_SAFE_INTEGER)
    throw new RenderLimitError('The ends of a range must be numbers up to 9,007,199,254,740,991.')
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
  const plainValue: unknown = toValue(value)
  if (plainValue === null || plainValue === undefined) return ''
  if (typeof plainValue !== 'object') return String(plainValue)
  assertValueSize(plainValue)
  let text = ''
  for (const part of iterateParts(plainValue)) assertValueSize((text += part))
  return text
}

function* iterateParts(value: unknown): Generator<string, void> {
  const plainValue: unknown = toValue(value)
  if (Array.isArray(plainValue)) for (const element of plainValue) yield* iterateParts(element)
  else if (isPlainObject(plainValue)) yield* iterateNotation(plainValue)
  else if (plainValue !== null && plainValue !== undefined) yield String(plainValue)
}

/** The notation of Ruby, as Shopify's engine prints objects. */
function* iterateNotation(value: unknown): Generator<string, void> {
  const plainValue: unknown = toValue(value)
  if (Array.isArray(plainValue)) {
    for (const [index, element] of plainValue.entries()) {
      yield index === 0 ? '[' : ', '
      yield* iterateNotation(element)
    }
    yield plainValue.length === 0 ? '[]' : ']'
  } else if (isPlainObject(plainValue)) {
    const members = Object.entries(plainValue)
    for (const [index, [name, member]] of members.entries()) {
      yield `${index === 0 ? '{' : ', '}${JSON.stringify(name)}=>`
      yield* iterateNotation(member)
    }
    yield members.length === 0 ? '{}' : '}'
  } else if (plainValue === null || plainValue === undefined) yield 'nil'
  else yield typeof plainValue === 'string' ? JSON.stringify(plainValue) : String(plainValue)
}

/** Data, and none of the objects of liquidjs. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The elements of a list and of the lists in it, or the one value that is no list. Throws RenderLimitError like `assertValueSize`. */
export function flattenLiquidList(value: unknown): unknown[] {
  const plainValue: unknown = toValue(value)
  if (plainValue === null || plainValue === undefined) return []
  assertValueSize(plainValue)
  return Array.isArray(plainValue) ? plainValue.flat(Number.POSITIVE_INFINITY) : [plainValue]
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
  let jsonSize = 0
  function addSize(part: unknown, depth: number): void {
    const isObject = typeof part === 'object' && part !== null
    jsonSize += 2 + depth * margin + (typeof part === 'string' ? part.length : 0)
    if (jsonSize > MAX_VALUE_SIZE) throw createMemoryError()
    if (!isObject) return
    for (const [key, member] of Object.entries(part)) {
      jsonSize += Array.isArray(part) ? 0 : key.length
      addSize(member, depth + 1)
    }
  }
  addSize(value, 0)
  memory.use(jsonSize)
}
