import assert from 'node:assert/strict'
import { memoize } from '../../src/lib/concurrency/memoize.ts'
import { readThreadCpuMs } from '../../src/lib/concurrency/thread-limit.ts'

const KB = 1024
/** The most processor time for 100 KB, and its largest growth for four times the length: above 4 (linear), below 16 (quadratic). */
const [LIMIT_MS, GROWTH] = [50, 8]
/** Shorter times are not compared: collecting garbage and compiling take as long. */
const LEAST_MS = 200

/** The least processor time of this thread, in milliseconds, of `times` runs of the work, or of fewer once one takes at most `enoughMs`. */
async function leastMs(work: () => unknown, times: number, enoughMs = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < times && least > enoughMs; time++) {
    const before = readThreadCpuMs()
    await work()
    least = Math.min(least, readThreadCpuMs() - before)
  }
  return least
}

/** Asserts that a function reads a text of a repeated piece in time that grows as the text does; a refusal is as good as an answer. */
export async function assertReadInOneWalk(
  read: (text: string) => unknown,
  { before = '', piece, after = '' }: LongText,
): Promise<void> {
  const textOf = (length: number) => before + piece.repeat(Math.ceil(length / piece.length)) + after
  const [short, long] = [textOf(100 * KB), textOf(400 * KB)]
  const tried = (text: string) => () => {
    try {
      read(text)
    } catch {}
  }
  tried(textOf(KB))()
  const once = await leastMs(tried(short), 10, LIMIT_MS)
  const most = Math.max(LEAST_MS, GROWTH * once)
  const fourfold = await leastMs(tried(long), 10, most)
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
  ' ',
  '1',
  '1 ',
  '1.',
  ' 00:00',
  'T10:00:',
  '+1',
  '-',
  '@',
  'a@b.',
  '%40',
  'http://a.',
  '?a=',
  '../',
  '{{ ',
  '{%',
  '<',
  '<a href="',
  '<!--',
  '&#1',
  '\\',
  "'",
  '"',
  '/*',
  '(',
  '=?utf-8?q?',
  '\n',
  'é',
]
const LENGTHS = 8

/** Texts of a length, one for each piece: they repeat it and end otherwise. Made once, as their first reader has to join the repetitions. */
const repeatPieces = memoize(LENGTHS, (length: number) =>
  PIECES.map((piece) => `${piece.repeat(Math.ceil(length / piece.length)).slice(0, length - 1)}x`),
)

const MOST_GROWTH = 2.5
const TIMES = 8

/** Asks with a text; resolves with the status of the answer. */
type Ask = (text: string) => Promise<number>

/**
 * Lists the texts of this length, made of repeated pieces, that take more time to read than their length allows; none when all are read in
 * proportion to it: 50 ms of processor time of this thread for each 100 KB, and twice the text in at most 2.5 times as long.
 */
export async function longTextFaults(ask: Ask, length = 100 * KB): Promise<string[]> {
  const faults: string[] = []
  const [mostMs, enoughMs] = [(LIMIT_MS * length) / (100 * KB), LIMIT_MS / 2]
  const askWith = (text: string) => async () => {
    const status = await ask(text)
    assert.ok(status < 500, `is answered ${status}`)
  }
  await ask('x')
  const [texts, longerTexts] = [repeatPieces(length), repeatPieces(2 * length)]
  for (const [index, piece] of PIECES.entries()) {
    const askTwice = askWith(longerTexts[index]!)
    if ((await leastMs(askTwice, TIMES, enoughMs)) <= enoughMs) continue
    const [first, twice] = [await leastMs(askWith(texts[index]!), TIMES), await leastMs(askTwice, TIMES)]
    // While the engine recompiles, a text may take longer than a longer one does afterwards.
    const once = Math.min(first, twice)
    const times = `${Math.round(once)} ms, twice the text ${Math.round(twice)} ms`
    if (once > mostMs || twice > MOST_GROWTH * Math.max(once, enoughMs))
      faults.push(`${JSON.stringify(piece)}: ${times}`)
  }
  return faults
}
