import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { watchThreadCpu } from '../../lib/concurrency/thread-limit.ts'
import { createWorkSlots, type WorkSlotOptions } from '../../lib/concurrency/work-slots.ts'
import { invalidRequestProblem, overloadedProblem } from '../../lib/errors/problem.ts'
import type { CompiledDesignMessage, DesignCompileReply, DesignCompileSource } from './compile-worker.ts'

/** Makes HTML of designs and of MJML, in threads of its own. */
export interface DesignCompiler {
  /**
   * Throws 400 with pointers for a source that cannot be compiled or takes too long twice, 503 after 5 s of waiting for others. Sources that
   * are to be stored go before previews.
   */
  compile(source: DesignCompileSource, options?: WorkSlotOptions): Promise<CompiledDesignMessage>
  close(): Promise<void>
}

export interface DesignCompilerOptions {
  /** Milliseconds of processor time that one may take before its thread is ended: 5,000 by default. */
  limitMs?: number
  /** Maximum number of parallel compilations: 2 by default. */
  threads?: number
  /** Time until an idle thread is stopped, in milliseconds: a minute by default. */
  idleMs?: number
}

const WORKER_HEAP_MIB = 256
const STOPPING_MESSAGE = 'The service is stopping.'

interface WorkerThread {
  worker: Worker
  /** Resolves when it has loaded what it needs. */
  ready: Promise<unknown>
  idle: NodeJS.Timeout | undefined
}

/** Why a thread gave no answer. */
type EndedReply = { ended: 'time' | 'memory' }

export function createDesignCompiler({
  limitMs = 5_000,
  threads = 2,
  idleMs = 60_000,
}: DesignCompilerOptions = {}): DesignCompiler {
  const idleThreads: WorkerThread[] = []
  const runningThreads = new Set<WorkerThread>()
  const runInSlot = createWorkSlots(threads, 'Other designs are being compiled. Try again.')

  let isClosed = false
  function acquireThread(): WorkerThread {
    if (isClosed) throw overloadedProblem(STOPPING_MESSAGE)
    const thread = idleThreads.pop() ?? startThread()
    clearTimeout(thread.idle)
    thread.worker.ref()
    return thread
  }

  function parkThread(thread: WorkerThread): void {
    thread.worker.unref()
    thread.idle = setTimeout(() => {
      idleThreads.splice(idleThreads.indexOf(thread), 1)
      void thread.worker.terminate()
    }, idleMs).unref()
    idleThreads.push(thread)
  }

  async function compileOnce(source: DesignCompileSource): Promise<DesignCompileReply | EndedReply> {
    const thread = acquireThread()
    runningThreads.add(thread)
    let reply: DesignCompileReply | EndedReply | undefined
    try {
      return (reply = await requestCompilation(thread, source, limitMs))
    } finally {
      runningThreads.delete(thread)
      if (reply && !('ended' in reply)) parkThread(thread)
      else void thread.worker.terminate()
    }
  }

  return {
    compile: (source, options) =>
      runInSlot(async () => {
        const reply = await compileOnce(source)
        // A first timeout may be due to a busy machine.
        const hasTimedOut = 'ended' in reply && reply.ended === 'time'
        return toCompiledDesign(hasTimedOut ? await compileOnce(source) : reply, source.base)
      }, options),
    async close() {
      isClosed = true
      await Promise.all([...idleThreads, ...runningThreads].map(({ worker }) => worker.terminate()))
    },
  }
}

/** Resolves with the answer of a thread or the limit that ended it; `limitMs` of processor time. Rejects when it dies of anything but memory. */
async function requestCompilation(
  { worker, ready }: WorkerThread,
  source: DesignCompileSource,
  limitMs: number,
): Promise<DesignCompileReply | EndedReply> {
  await ready
  const { promise, resolve, reject } = Promise.withResolvers<DesignCompileReply | EndedReply>()
  const stopWatching = watchThreadCpu(worker, limitMs, (limit) =>
    limit === 'cpu'
      ? resolve({ ended: 'time' })
      : reject(overloadedProblem('A compiler thread did not respond. Try again.')),
  )
  const failRequest = (error: Error): void =>
    'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ ended: 'memory' }) : reject(error)
  worker.on('message', resolve).on('error', failRequest)
  worker.postMessage(source)
  try {
    return await promise
  } finally {
    stopWatching()
    worker.off('message', resolve).off('error', failRequest)
  }
}

function startThread(): WorkerThread {
  const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MIB },
  })
  const workerExit = once(worker, 'exit').then(() => {
    throw overloadedProblem(STOPPING_MESSAGE)
  })
  const ready = Promise.race([once(worker, 'message'), workerExit])
  // It may fail before anybody waits, or run out of memory while it is being ended.
  workerExit.catch(() => undefined)
  ready.catch(() => undefined)
  worker.on('error', () => undefined)
  return { worker, ready, idle: undefined }
}

function toCompiledDesign(reply: DesignCompileReply | EndedReply, base: string): CompiledDesignMessage {
  if ('compiled' in reply) return reply.compiled
  if ('faults' in reply) throw invalidRequestProblem(reply.faults)
  if ('failure' in reply) throw new Error(reply.failure)
  const reason = reply.ended === 'time' ? 'takes too long to compile' : 'takes too much memory to compile'
  throw invalidRequestProblem([{ pointer: base, detail: `${reason}: make it smaller` }])
}
