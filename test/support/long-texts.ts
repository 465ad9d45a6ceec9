import assert from 'node:assert/strict'
import { measureCpu } from './processor-time.ts'

const KB = 1024
/** Processor time that a text of 100 KB may take, and how many times as long a text of four times the length. */
const [LIMIT_MS, GROWTH] = [50, 6]
/** Shorter times are not compared: collecting garbage and compiling take as long. */
const LEAST_MS = 100

/** Milliseconds of processor time that `work` takes; a refusal is as good as an answer. */
const cpuMs = (work: () => unknown): number =>
  measureCpu(() => {
    try {
      work()
    } catch {}
  }).ms

/** Asserts that a function reads a text of a repeated piece in time that grows as the text does. */
export function assertReadInOneWalk(
  read: (text: string) => unknown,
  { before = '', piece, after = '' }: LongText,
): void {
  const text = (length: number) => before + piece.repeat(Math.ceil(length / piece.length)) + after
  cpuMs(() => read(text(KB)))
  const [once, fourfold] = [100 * KB, 400 * KB].map((length) => {
    const long = text(length)
    return Math.min(...[1, 2, 3].map(() => cpuMs(() => read(long))))
  }) as [number, number]
  const pattern = JSON.stringify(`${before}${piece}…${after}`)
  assert.ok(once <= LIMIT_MS, `${pattern}: 100 KB took ${once} ms of processor time`)
  assert.ok(fourfold <= Math.max(LEAST_MS, GROWTH * once), `${pattern}: 100 KB took ${once} ms, 400 KB ${fourfold}`)
}

export interface LongText {
  before?: string
  piece: string
  after?: string
}
