import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import type { CDPSession } from 'playwright-core'
import { type ConsoleWindow, openConsole } from './console-window.ts'
import { rounded } from './load.ts'
import type { Benchmark } from './run.ts'
import { startBenchService } from './service.ts'

const LINES = 10_000
const SMALL = 10
const KEYS = 60
const ROUNDS = 3
/** Between keys, as of somebody who types fast; what a key has begun and is not done by then delays the next one. */
const PAUSE_MS = 60
/** What opening has begun is done. */
const SETTLED_MS = 2000
const SETUP = join(import.meta.dirname, '../scripts/setup.js')

/** Times from each key to the frame after the one that shows it, and of the processor that a key takes in the page. */
interface Keys {
  p50Ms: number
  p95Ms: number
  longestMs: number
  cpuMs: number
}

const RECORD = `self.keys = []
addEventListener('keydown', ({ timeStamp }) => {
  requestAnimationFrame(() => setTimeout(() => self.keys.push(performance.now() - timeStamp)))
}, true)`

/** A script of so many lines: functions of five. */
const scriptOf = (lines: number): string =>
  Array.from({ length: lines / 5 }, (_, at) =>
    [
      `${at === 0 ? 'export default ' : ''}function part${at}(value) {`,
      `  const sum = Number(value) + ${at}`,
      `  log('the sum of part ${at}', sum)`,
      '  return sum',
      '}',
    ].join('\n'),
  ).join('\n')

/** Seconds of the processor that the page's own thread has taken. */
async function processorOf(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

/** Opens a webtask and types a comment into its third line; gives the times of keys, and what one took of the processor. */
async function typed({ context, page, addressOf }: ConsoleWindow, webtask: number) {
  await page.goto(addressOf(`/webtasks/${webtask}`))
  const editor = page.getByRole('textbox', { name: 'Script', exact: true })
  await editor.locator('.cm-line span').first().waitFor()
  await editor.locator('.cm-line').nth(2).click()
  await page.keyboard.press('End')
  await page.keyboard.type(' // the first of its words')
  await page.waitForTimeout(SETTLED_MS)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.evaluate(RECORD)
  const before = await processorOf(devtools)
  for (let at = 0; at < KEYS; at++) {
    await page.keyboard.press('abcdefgh jk'[at % 11]!)
    await page.waitForTimeout(PAUSE_MS)
  }
  const cpuMs = ((await processorOf(devtools)) - before) * (1000 / KEYS)
  await devtools.detach()
  return { times: await page.evaluate<number[]>('self.keys'), cpuMs }
}

type Round = Awaited<ReturnType<typeof typed>>

function keysOf(rounds: readonly Round[]): Keys {
  const times = rounds.flatMap((round) => round.times).toSorted((a, b) => a - b)
  const at = (share: number): number => rounded(times[Math.floor(share * (times.length - 1))] ?? 0, 1)
  const cpu = rounds.map(({ cpuMs }) => cpuMs).toSorted((a, b) => a - b)
  return { p50Ms: at(0.5), p95Ms: at(0.95), longestMs: at(1), cpuMs: rounded(cpu[Math.floor(cpu.length / 2)] ?? 0, 1) }
}

/**
 * Typing in the editor of a webtask of 10,000 lines in the Chromium of this machine, beside one of 10 in turns in the same run: from each
 * key to the frame that shows it, at about 15 keys a second, and the processor time of the page's thread for a key, which a busy machine
 * does not change. `p50Ratio`, `p95Ratio`, `cpuRatio`: 1 where the number of lines costs nothing.
 */
export const benchmark: Benchmark = async (report, size = LINES) => {
  execFileSync(process.execPath, [SETUP, '--console'], { stdio: ['ignore', 2, 2] })
  const [load = 0] = loadavg()
  const service = await startBenchService()
  let window: ConsoleWindow | undefined
  try {
    const made = async (lines: number): Promise<number> => {
      const body = { name: `${lines} lines`, value: scriptOf(lines) }
      return (await service.client.call<{ id: number }>('POST', '/scripting/webtasks', body)).id
    }
    const [small, large] = [await made(SMALL), await made(size)]
    window = await openConsole(service)
    const rounds: { few: Round; many: Round }[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ few: await typed(window, small), many: await typed(window, large) })
    const [few, many] = [keysOf(rounds.map((round) => round.few)), keysOf(rounds.map((round) => round.many))]
    report(`${SMALL} lines: ${JSON.stringify(few)}`)
    report(`${size} lines: ${JSON.stringify(many)}`)
    return {
      p50Ms: many.p50Ms,
      p95Ms: many.p95Ms,
      longestMs: many.longestMs,
      cpuMs: many.cpuMs,
      smallP50Ms: few.p50Ms,
      smallP95Ms: few.p95Ms,
      smallLongestMs: few.longestMs,
      smallCpuMs: few.cpuMs,
      p50Ratio: rounded(many.p50Ms / few.p50Ms, 2),
      p95Ratio: rounded(many.p95Ms / few.p95Ms, 2),
      cpuRatio: rounded(many.cpuMs / few.cpuMs, 2),
      load: rounded(load),
    }
  } finally {
    await window?.close()
    await service.stop()
  }
}
