import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createSandbox, type Sandbox } from '../src/features/scripting/sandbox/sandbox.ts'
import type { RunOptions } from '../src/features/scripting/sandbox/types.ts'
import { rounded } from './load.ts'
import type { Benchmark, Figures } from './run.ts'

const RUNS = 3000
const HOSTILE_MS = 12_000
const SCRIPT = {
  source: `export default (input) => {
  const total = input.data.items.reduce((sum, { price, count }) => sum + price * count, 0)
  return { total, tier: total > 100 ? 'gold' : 'blue', name: input.contact.fields.Name.toUpperCase() }
}`,
}
const input = {
  data: { items: Array.from({ length: 10 }, (_, n) => ({ price: n + 0.5, count: n })) },
  contact: { id: '000R4M0T', fields: { Name: 'Ann' } },
}
const options: RunOptions = { account: 1, seed: 'bench', input, cpuMs: 1000, wallMs: 10_000 }

/** The share of values, sorted, that is at most the result. */
function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Calls one after another, in several lines side by side; how long each took, and all together. */
async function timed(count: number, lines: number, call: (n: number) => Promise<unknown>) {
  const times: number[] = []
  const started = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: lines }, async () => {
      while (next < count) {
        const n = next++
        const begun = performance.now()
        await call(n)
        times.push(performance.now() - begun)
      }
    }),
  )
  return { times, seconds: (performance.now() - started) / 1000 }
}

async function small(sandbox: Sandbox, size: number): Promise<Figures> {
  const run = async () => {
    const result = await sandbox.run(SCRIPT, options)
    if (result.type === 'error') throw new Error(result.error.message)
  }
  await timed(200, 2, run)
  const { times, seconds } = await timed(size, 2, run)
  return {
    perSecond: rounded(size / seconds),
    p50Ms: rounded(percentile(times, 0.5)),
    p99Ms: rounded(percentile(times, 0.99)),
  }
}

async function expressions(sandbox: Sandbox, size: number): Promise<Figures> {
  const texts = Array.from({ length: 10 }, (_, n) => `data.items[${n}].price * data.items[${n}].count`)
  const { seconds } = await timed(Math.ceil(size / 10), 2, () =>
    sandbox.evaluate(texts, { account: 1, seed: 'bench', globals: input }),
  )
  return { perSecond: rounded(size / seconds) }
}

async function checks(sandbox: Sandbox, size: number): Promise<Figures> {
  const { times, seconds } = await timed(Math.ceil(size / 5), 2, () => sandbox.check(SCRIPT, 1))
  return { perSecond: rounded(times.length / seconds), p99Ms: rounded(percentile(times, 0.99)) }
}

/** What an account waits for while another one floods the queue with loops that only a kill ends. */
async function neighbours(sandbox: Sandbox): Promise<Figures> {
  const ends = performance.now() + HOSTILE_MS
  const source = 'export default () => (new Array(1e9) + "").length'
  const hostile = Array.from({ length: 100 }, async () => {
    while (performance.now() < ends) await sandbox.run({ source }, { ...options, account: 2 })
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const times: number[] = []
  while (performance.now() < ends) {
    const begun = performance.now()
    const result = await sandbox.run(SCRIPT, options)
    if (result.type === 'error') throw new Error(result.error.message)
    times.push(performance.now() - begun)
  }
  delay.disable()
  const eventLoopMs = { p99: rounded(delay.percentile(99) / 1e6), max: rounded(delay.max / 1e6) }
  await sandbox.close()
  await Promise.all(hostile)
  return {
    runs: times.length,
    p99Ms: rounded(percentile(times, 0.99)),
    maxMs: rounded(Math.max(...times)),
    eventLoopMs,
  }
}

/** Small scripts a second of one core, expressions, checks, and what a hostile account costs another one (two cores). */
export const benchmark: Benchmark = async (report, size = RUNS) => {
  const one = createSandbox({ cores: 1, threadsPerCore: 4 })
  const figures: Figures = {}
  report(`${size} small runs on one core`)
  figures['small'] = await small(one, size)
  report('expressions in batches of ten')
  figures['expressions'] = await expressions(one, size)
  report('checks of a script')
  figures['checks'] = await checks(one, size)
  await one.close()
  report(`an account beside a hostile one, ${HOSTILE_MS / 1000} s, two cores, then one`)
  figures['neighbour'] = await neighbours(createSandbox({ cores: 2, threadsPerCore: 4 }))
  figures['neighbourOfOneCore'] = await neighbours(createSandbox({ cores: 1, threadsPerCore: 4 }))
  return figures
}
