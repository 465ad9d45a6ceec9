import { Worker } from 'node:worker_threads'
import { type ThreadLimit, watchThreadCpu } from '../../lib/concurrency/thread-limit.ts'
import { sandboxLimits } from './limits.ts'
import type { ThreadCommand, ThreadMessage } from './messages.ts'

/** A thread with an engine. It does one work at a time. */
export interface SandboxThread {
  isReady: boolean
  isBusy: boolean
  post(message: ThreadCommand): void
  /** After a work. A thread that is worn out is replaced. */
  release(): void
  isWornOut(): boolean
  /** As `watchThreadCpu`. */
  watch(cpuMs: number, onPassed: (limit: ThreadLimit) => void): () => void
  end(): Promise<unknown>
}

export interface SandboxThreadEvents {
  onReady(): void
  onMessage(message: Exclude<ThreadMessage, { type: 'ready' }>): void
  /** It ended by itself: out of memory, or by a mistake of the service. */
  onFailed(error: Error): void
  /** It had nothing to do for a while. */
  onIdle(): void
}

const IDLE_TIMEOUT_MS = 60_000
/** The engine's memory is not on this heap: only texts that cross are. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 8 }

/** Starts a thread; it is ready when `onReady` is called. Nothing of the process's environment is in it. */
export function startSandboxThread(engine: WebAssembly.Module, events: SandboxThreadEvents): SandboxThread {
  const worker = new Worker(new URL('./realm/sandbox-worker.ts', import.meta.url), {
    workerData: engine,
    env: {},
    argv: [],
    execArgv: [],
    name: 'script',
    resourceLimits: WORKER_LIMITS,
  })
  let runCount = 0
  let idleTimer: NodeJS.Timeout | undefined
  const thread: SandboxThread = {
    isReady: false,
    isBusy: false,
    post(message) {
      if (message.type === 'work') {
        runCount++
        thread.isBusy = true
        clearTimeout(idleTimer)
        worker.ref()
      }
      worker.postMessage(message)
    },
    release() {
      thread.isBusy = false
      worker.unref()
      idleTimer = setTimeout(events.onIdle, IDLE_TIMEOUT_MS).unref()
    },
    isWornOut: () => runCount >= sandboxLimits.runsPerWorker,
    watch: (cpuMs, onPassed) => watchThreadCpu(worker, cpuMs, onPassed),
    end() {
      clearTimeout(idleTimer)
      worker.removeAllListeners()
      worker.on('error', () => undefined)
      return worker.terminate()
    },
  }
  worker.on('message', (message: ThreadMessage) => {
    if (message.type !== 'ready') return events.onMessage(message)
    thread.isReady = true
    thread.release()
    events.onReady()
  })
  worker.on('error', events.onFailed)
  return thread
}

/** Summarizes threads and their work: the numbers of busy and starting threads, and two that could begin work. */
export function summarizeThreads(threads: ReadonlyMap<SandboxThread, unknown>) {
  let [busy, starting] = [0, 0]
  const freeThreads: SandboxThread[] = []
  for (const [thread, work] of threads)
    if (work !== undefined) busy++
    else if (thread.isReady) freeThreads.push(thread)
    else starting++
  return { busy, starting, idle: freeThreads[0], spare: freeThreads[1] }
}
