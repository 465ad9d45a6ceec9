import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { createQuickJsEngine } from '../src/scripting/sandbox/realm/engine.ts'
import { createSandbox, type Sandbox } from '../src/scripting/sandbox/sandbox.ts'
import { median, rounded } from './load.ts'
import type { Benchmark, Figures } from './run.ts'
import { runSmallScript, smallExpression, smallInput, smallScript } from './small-script.ts'
import { percentile } from './workflow-stage.ts'

const RUNS = 4000
const ROUNDS = 5
const IN_FLIGHT = 8
const ACCOUNTS = 4

/** How often something is done in a second, and in a second of all processors that the process uses. */
interface Rate {
  perSecond: number
  perProcessorSecond: number
}

async function rateOf(count: number, work: () => Promise<void> | void): Promise<Rate> {
  const [from, used] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(used)
  return {
    perSecond: (count * 1000) / (performance.now() - from),
    perProcessorSecond: (count * 1_000_000) / (user + system),
  }
}

/** Calls one after another, in several lines side by side; how long each took. */
async function timed(count: number, lines: number, call: (line: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let next = 0
  async function one(line: number): Promise<void> {
    while (next++ < count) {
      const begun = performance.now()
      await call(line)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: lines }, (_, line) => one(line)))
  return times
}

/** Does with a bare runtime what a run of the small script comes to: a runtime and a context are made for it, and given back. */
async function openBare(): Promise<() => void> {
  const path = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  const engine = await createQuickJsEngine(await WebAssembly.compile(await readFile(path)))
  return () => {
    const runtime = engine.newRuntime()
    const context = runtime.newContext()
    const value = context.unwrapResult(context.evalCode(smallExpression))
    if (typeof JSON.parse(context.getString(value)) !== 'object') throw new Error('the script has no result')
    value.dispose()
    context.dispose()
    runtime.dispose()
  }
}

/** Small runs on one core, in turns with as many bare runtimes. */
async function besideBare(size: number, report: (line: string) => void): Promise<Figures> {
  const sandbox = createSandbox({ cores: 1, threadsPerCore: 4 })
  const bare = await openBare()
  const rounds: { ours: Rate; theirs: Rate }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const theirs = await rateOf(size, () => {
      for (let n = 0; n < size; n++) bare()
    })
    const ours = await rateOf(size, async () => {
      await timed(size, IN_FLIGHT / 2, (line) => runSmallScript(sandbox, line))
    })
    const note = round === 0 ? ' (warm-up)' : ''
    report(`round ${round}: ${Math.round(ours.perSecond)} runs/s, ${Math.round(theirs.perSecond)} bare/s${note}`)
    if (round > 0) rounds.push({ ours, theirs })
  }
  await sandbox.close()
  const middle = (of: (round: { ours: Rate; theirs: Rate }) => number) => median(rounds.map(of))
  return {
    ratioToBareRuntime: rounded(middle(({ ours, theirs }) => ours.perSecond / theirs.perSecond)),
    ratioOfProcessorTime: rounded(middle(({ ours, theirs }) => ours.perProcessorSecond / theirs.perProcessorSecond)),
    perSecond: Math.round(middle(({ ours }) => ours.perSecond)),
    perSecondAndCore: Math.round(middle(({ ours }) => ours.perProcessorSecond)),
  }
}

async function expressionsPerSecond(sandbox: Sandbox, size: number): Promise<number> {
  const texts = Array.from({ length: 10 }, (_, n) => `data.items[${n}].price * data.items[${n}].count`)
  const { perSecond } = await rateOf(size, async () => {
    await timed(Math.ceil(size / 10), IN_FLIGHT, (line) =>
      sandbox.evaluate(texts, { account: line % ACCOUNTS, seed: 'bench', globals: smallInput }),
    )
  })
  return Math.round(perSecond)
}

/**
 * A small script in the sandbox, one at a time (`cores` 1), beside a bare runtime of the engine that is made for each, without prelude,
 * limits or threads: how many a second of each (`ratioToBareRuntime`, at least 0.7), and of all processor time, that of the thread
 * that asks included (`ratioOfProcessorTime`; `perSecondAndCore`, at least 500). `p95Ms`: how long one takes with 8 in flight of four
 * accounts on all cores (under 10). Then expressions and checks a second on all cores.
 */
export const benchmark: Benchmark = async (report, size = RUNS) => {
  const figures = await besideBare(size, report)
  const sandbox = createSandbox({ cores: availableParallelism(), threadsPerCore: 4 })
  await timed(size, IN_FLIGHT, (line) => runSmallScript(sandbox, line % ACCOUNTS))
  const times = await timed(size, IN_FLIGHT, (line) => runSmallScript(sandbox, line % ACCOUNTS))
  report(
    `${IN_FLIGHT} in flight: p50 ${rounded(percentile(times, 0.5))} ms, p99 ${rounded(percentile(times, 0.99))} ms`,
  )
  const expressions = await expressionsPerSecond(sandbox, size)
  const checks = await timed(Math.ceil(size / 5), IN_FLIGHT, (line) => sandbox.check(smallScript, line % ACCOUNTS))
  await sandbox.close()
  return {
    ...figures,
    p95Ms: rounded(percentile(times, 0.95)),
    expressionsPerSecond: expressions,
    checkP95Ms: rounded(percentile(checks, 0.95)),
  }
}
