import assert from 'node:assert/strict'
import { threadCpuMs } from '../../src/lib/thread-limit.ts'
import { measureCpu } from './processor-time.ts'

const KB = 1024
/** The most processor time for 100 KB, and its largest growth for four times the length: above 4 (linear), below 16 (quadratic). */
const [LIMIT_MS, GROWTH] = [50, 8]
/** Shorter times are not compared: collecting garbage and compiling take as long. */
const LEAST_MS = 200

/** Milliseconds of processor time that `work` takes; a refusal is as good as an answer. */
const cpuMs = (work: () => unknown): number =>
  measureCpu(() => {
    try {
      work()
    } catch {}
  }).ms

/** The least of at most ten measurements, in milliseconds of processor time; it stops at the first of at most `enoughMs`. */
function leastCpuMs(work: () => unknown, enoughMs: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 10 && least > enoughMs; time++) least = Math.min(least, cpuMs(work))
  return least
}

/** Asserts that a function reads a text of a repeated piece in time that grows as the text does. */
export function assertReadInOneWalk(
  read: (text: string) => unknown,
  { before = '', piece, after = '' }: LongText,
): void {
  const textOf = (length: number) => before + piece.repeat(Math.ceil(length / piece.length)) + after
  const [short, long] = [textOf(100 * KB), textOf(400 * KB)]
  cpuMs(() => read(textOf(KB)))
  const once = leastCpuMs(() => read(short), LIMIT_MS)
  const most = Math.max(LEAST_MS, GROWTH * once)
  const fourfold = leastCpuMs(() => read(long), most)
  const pattern = JSON.stringify(`${before}${piece}…${after}`)
  assert.ok(once <= LIMIT_MS, `${pattern}: 100 KB took ${once} ms of processor time`)
  assert.ok(fourfold <= most, `${pattern}: 100 KB took ${once} ms, 400 KB ${fourfold}`)
}

export interface LongText {
  before?: string
  piece: string
  after?: string
}

/** Pieces of the grammars by which texts are read: numbers, dates, addresses, templates, HTML, scripts, headers of mails. */
const PIECES = [
  ...[' ', '1', '1 ', '1.', ' 00:00', 'T10:00:', '+1', '-', '@', 'a@b.', '%40', 'http://a.', '?a=', '../'],
  ...['{{ ', '{%', '<', '<a href="', '<!--', '&#1', '\\', "'", '"', '/*', '(', '=?utf-8?q?', '\n', 'é'],
]
const MOST_GROWTH = 2.5
const TIMES = 8

/** Asks with a text; resolves with the status of the answer. */
type Ask = (text: string) => Promise<number>

/** The least processor time of this thread, in milliseconds, that a request takes of several, or of fewer when one takes so little. */
async function leastMs(ask: Ask, text: string, enoughMs = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES && least > enoughMs; time++) {
    const before = threadCpuMs()
    const status = await ask(text)
    least = Math.min(least, threadCpuMs() - before)
    assert.ok(status < 500, `is answered ${status}`)
  }
  return least
}

/**
 * How texts of this length, made of repeated pieces, are read in more time than their length allows; nothing when all are read in proportion
 * to it: 50 ms of processor time of this thread for each 100 KB, and twice the text in at most 2.5 times as long.
 */
export async function longTextFaults(ask: Ask, length = 100 * KB): Promise<string[]> {
  const faults: string[] = []
  const [mostMs, enoughMs] = [(LIMIT_MS * length) / (100 * KB), LIMIT_MS / 2]
  await ask('x')
  for (const piece of PIECES) {
    const textOf = (size: number): string => `${piece.repeat(Math.ceil(size / piece.length)).slice(0, size - 1)}x`
    if ((await leastMs(ask, textOf(2 * length), enoughMs)) <= enoughMs) continue
    const [first, twice] = [await leastMs(ask, textOf(length)), await leastMs(ask, textOf(2 * length))]
    // While the engine recompiles, a text may take longer than a longer one does afterwards.
    const once = Math.min(first, twice)
    const times = `${Math.round(once)} ms, twice the text ${Math.round(twice)} ms`
    if (once > mostMs || twice > MOST_GROWTH * Math.max(once, enoughMs))
      faults.push(`${JSON.stringify(piece)}: ${times}`)
  }
  return faults
}
