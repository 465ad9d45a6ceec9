import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { EndedTest, Order, Report } from './messages.ts'
import type { TestFile } from './suites.ts'

/** The outcome of one test file. */
export interface FileResult {
  file: TestFile
  tests: EndedTest[]
  /** Faults besides failed tests: its process died, something was left open. */
  faults: string[]
  /** Its standard output and error. */
  output: string
  wallMs: number
  cpuMs: number
}

export interface LaneOptions {
  /** Files that run at the same time. */
  lanes: number
  /** Variables of the processes. */
  environment: NodeJS.ProcessEnv
  /** Called as soon as a file has ended. */
  onResult?: ((result: FileResult) => void) | undefined
}

interface Worker {
  child: ChildProcess
  isCrossing: boolean
  isUsedUp: boolean
}

const WORKER = join(import.meta.dirname, 'worker.ts')
const REPORTER = join(import.meta.dirname, 'reporter.ts')
/** A test that is still running after this time never ends. */
const TEST_LIMIT_MS = 900_000
/** A file that is still running after this time never ends. */
const FILE_LIMIT_MS = 1_800_000
/** A worker that holds more memory is replaced, so that the garbage of earlier files does not slow down a test. */
const RSS_LIMIT_MB = 2_000
/** Megabytes of each half of the young generation: most of what a test makes is garbage when it ends. */
const SEMI_SPACE_MB = 64
const EXIT_LIMIT_MS = 30_000
const OUTPUT_LAG_MS = 20

function startWorker(file: TestFile, { environment }: LaneOptions): Worker {
  const execArgv = [
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
    `--test-timeout=${TEST_LIMIT_MS}`,
    `--test-reporter=${REPORTER}`,
    '--test-reporter-destination=stdout',
  ]
  const env = { ...environment, ...(file.isCrossing && { STENTOR_TEST_CROSSING: '1' }) }
  const child = fork(WORKER, { execArgv, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  return { child, isCrossing: file.isCrossing, isUsedUp: false }
}

/** Runs one file in a worker that waits for it. */
function runIn(worker: Worker, file: TestFile): Promise<FileResult> {
  const { child } = worker
  const result: FileResult = { file, tests: [], faults: [], output: '', wallMs: 0, cpuMs: 0 }
  const startedAt = performance.now()
  return new Promise((resolve) => {
    let isReported = false
    let isDone = false
    const collect = (chunk: Buffer): void => void (result.output += chunk)
    const end = (): void => {
      clearTimeout(limit)
      child.off('message', receive).off('exit', exited)
      child.stdout?.off('data', collect)
      child.stderr?.off('data', collect)
      result.wallMs = performance.now() - startedAt
      resolve(result)
    }
    const receive = (report: Report): void => {
      if (report.type === 'ended') {
        isReported ||= report.test.titles.length === 0
        result.tests.push(report.test)
      } else {
        isDone = true
        result.cpuMs = report.cpuMs
        result.faults.push(...report.leaks)
        worker.isUsedUp ||= report.rssMb > RSS_LIMIT_MB || report.leaks.length > 0
      }
      // What it wrote comes by another way, and is read first.
      if (isReported && isDone) setTimeout(end, OUTPUT_LAG_MS)
    }
    const exited = (status: number | null, signal: string | null): void => {
      worker.isUsedUp = true
      result.faults.push(`its process ended with ${signal ?? `status ${status}`} before its tests did`)
      end()
    }
    const limit = setTimeout(() => {
      result.faults.push(`it had not ended after ${FILE_LIMIT_MS / 60_000} minutes`)
      child.kill('SIGKILL')
    }, FILE_LIMIT_MS)
    child.on('message', receive).once('exit', exited)
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.send({ file: file.file, isAlone: file.isAlone } satisfies Order)
  })
}

/** Ends an idle worker; returns a fault if its process did not end by itself. */
async function endWorker({ child }: Worker): Promise<string | undefined> {
  if (child.exitCode !== null || child.signalCode !== null) return undefined
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.send({ file: null } satisfies Order, () => undefined)
  const limit = setTimeout(() => child.kill('SIGKILL'), EXIT_LIMIT_MS)
  await exit
  clearTimeout(limit)
  return child.signalCode === 'SIGKILL' ? 'its process did not end by itself' : undefined
}

/** Tells whether a worker can run a file next. */
function suits(worker: Worker, file: TestFile): boolean {
  return !worker.isUsedUp && !file.isAlone && worker.isCrossing === file.isCrossing
}

async function runLane(queue: TestFile[], options: LaneOptions): Promise<FileResult[]> {
  const results: FileResult[] = []
  let worker: Worker | undefined
  for (let file = queue.shift(); file; file = queue.shift()) {
    if (worker && !suits(worker, file)) {
      await endWorker(worker)
      worker = undefined
    }
    worker ??= startWorker(file, options)
    const result = await runIn(worker, file)
    if (file.isAlone) {
      const fault = await endWorker(worker)
      if (fault) result.faults.push(fault)
      worker = undefined
    }
    results.push(result)
    options.onResult?.(result)
  }
  if (worker) await endWorker(worker)
  return results
}

/** Runs files in order on several lanes; files that share a process run in it one after another. */
export async function runFiles(files: readonly TestFile[], options: LaneOptions): Promise<FileResult[]> {
  const queue = [...files]
  return (await Promise.all(Array.from({ length: options.lanes }, () => runLane(queue, options)))).flat()
}
