import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createWorkSlots, type WorkSlotOptions } from '../../lib/concurrency/places.ts'
import { watchThreadCpu } from '../../lib/concurrency/thread-limit.ts'
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
  /** How many are compiled at once: 2 by default. */
  threads?: number
  /** How long a thread is kept without work, in milliseconds: a minute by default. */
  idleMs?: number
}

const HEAP_MIB = 256
const STOPPING = 'The service is stopping.'

interface Thread {
  worker: Worker
  /** Resolves when it has loaded what it needs. */
  ready: Promise<unknown>
  idle: NodeJS.Timeout | undefined
}

/** Why a thread gave no answer. */
type Ended = { ended: 'time' | 'memory' }

export function createDesignCompiler({
  limitMs = 5_000,
  threads = 2,
  idleMs = 60_000,
}: DesignCompilerOptions = {}): DesignCompiler {
  const resting: Thread[] = []
  const running = new Set<Thread>()
  const inPlace = createWorkSlots(threads, 'Other designs are being compiled. Try again.')

  let isClosed = false
  function take(): Thread {
    if (isClosed) throw overloadedProblem(STOPPING)
    const thread = resting.pop() ?? startThread()
    clearTimeout(thread.idle)
    thread.worker.ref()
    return thread
  }

  function rest(thread: Thread): void {
    thread.worker.unref()
    thread.idle = setTimeout(() => {
      resting.splice(resting.indexOf(thread), 1)
      void thread.worker.terminate()
    }, idleMs).unref()
    resting.push(thread)
  }

  async function tryOnce(source: DesignCompileSource): Promise<DesignCompileReply | Ended> {
    const thread = take()
    running.add(thread)
    let reply: DesignCompileReply | Ended | undefined
    try {
      return (reply = await ask(thread, source, limitMs))
    } finally {
      running.delete(thread)
      if (reply && !('ended' in reply)) rest(thread)
      else void thread.worker.terminate()
    }
  }

  return {
    compile: (source, options) =>
      inPlace(async () => {
        const reply = await tryOnce(source)
        // A first timeout may be due to a busy machine.
        const isLate = 'ended' in reply && reply.ended === 'time'
        return answer(isLate ? await tryOnce(source) : reply, source.base)
      }, options),
    async close() {
      isClosed = true
      await Promise.all([...resting, ...running].map(({ worker }) => worker.terminate()))
    },
  }
}

/** Resolves with the answer of a thread or the limit that ended it; `limitMs` of processor time. Rejects when it dies of anything but memory. */
async function ask(
  { worker, ready }: Thread,
  source: DesignCompileSource,
  limitMs: number,
): Promise<DesignCompileReply | Ended> {
  await ready
  const { promise, resolve, reject } = Promise.withResolvers<DesignCompileReply | Ended>()
  const unwatch = watchThreadCpu(worker, limitMs, (limit) =>
    limit === 'cpu'
      ? resolve({ ended: 'time' })
      : reject(overloadedProblem('A thread that compiles did not answer. Try again.')),
  )
  const fail = (error: Error): void =>
    'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve({ ended: 'memory' }) : reject(error)
  worker.on('message', resolve).on('error', fail)
  worker.postMessage(source)
  try {
    return await promise
  } finally {
    unwatch()
    worker.off('message', resolve).off('error', fail)
  }
}

function startThread(): Thread {
  const worker = new Worker(new URL('./compile-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  })
  const ended = once(worker, 'exit').then(() => {
    throw overloadedProblem(STOPPING)
  })
  const ready = Promise.race([once(worker, 'message'), ended])
  // It may fail before anybody waits, or run out of memory while it is being ended.
  ended.catch(() => undefined)
  ready.catch(() => undefined)
  worker.on('error', () => undefined)
  return { worker, ready, idle: undefined }
}

function answer(reply: DesignCompileReply | Ended, base: string): CompiledDesignMessage {
  if ('compiled' in reply) return reply.compiled
  if ('faults' in reply) throw invalidRequestProblem(reply.faults)
  if ('failure' in reply) throw new Error(reply.failure)
  const why = reply.ended === 'time' ? 'takes too long to compile' : 'takes too much memory to compile'
  throw invalidRequestProblem([{ pointer: base, detail: `${why}: make it smaller` }])
}
