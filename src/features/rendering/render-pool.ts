import { Worker } from 'node:worker_threads'
import { takeNextWork } from '../../lib/concurrency/places.ts'
import { watchThreadCpu } from '../../lib/concurrency/thread-limit.ts'
import { overloadedProblem } from '../../lib/errors/problem.ts'
import type { ContentReport, ContentSource } from './content.ts'
import { buildContentKey } from './content-cache.ts'
import type { ContentErrorType, ContentFlaw } from './flaws.ts'
import type { RenderInput, RenderOutcome } from './render.ts'
import type { RenderReply, RenderRequest } from './render-worker.ts'

/** Threads that compile and render for requests, so that no template holds up the others. Single messages, which are previews, go last. */
export interface RenderPool {
  /** Renders one message. Rejects with a Problem 503 when too many wait. */
  render(source: ContentSource, input: RenderInput): Promise<RenderOutcome>
  /** Renders many messages of one content, in their order. Rejects like `render`. */
  renderAll(source: ContentSource, inputs: readonly RenderInput[]): Promise<RenderOutcome[]>
  /** What is known of a content without a contact. Rejects like `render`. */
  compile(source: ContentSource): Promise<ContentReport>
  /** Ends the threads; what waits is rejected. */
  close(): Promise<void>
}

export interface RenderPoolOptions {
  threads: number
  /** How many jobs may wait for a thread. */
  queueLimit: number
  /** Processor time that one job may take before its thread is ended and replaced. The limits of Liquid are far below. */
  watchdogMs?: number
  /** How long a thread is kept without work; half a minute by default. */
  idleMs?: number
}

type Result = Extract<RenderReply, { type: 'rendered' | 'all' | 'report' }>

interface Job {
  request: RenderRequest
  source: ContentSource
  resolve(result: Result): void
  reject(error: Error): void
  /** Its thread was terminated once, which may be due to a busy machine. */
  wasStopped: boolean
}

interface Thread {
  worker: Worker
  job: Job | undefined
  /** True once it has loaded its modules, which is no part of the time of its first job. */
  isReady: boolean
  /** Ends the watch over the job that it has. */
  unwatch: (() => void) | undefined
  /** Ends the thread when it is idle for long. */
  idle: NodeJS.Timeout | undefined
}

const WATCHDOG_MS = 5_000
const IDLE_MS = 30_000
const HEAP_LIMIT_MB = 256
/** Messages that are rendered as one job: a thread is asked and answers once for all. */
const TOGETHER = 200

export function createRenderPool({
  threads: limit,
  queueLimit,
  watchdogMs = WATCHDOG_MS,
  idleMs = IDLE_MS,
}: RenderPoolOptions): RenderPool {
  const waiting: Job[] = []
  const threads = new Set<Thread>()
  const keys = new WeakMap<ContentSource, string>()
  let lastJob = 0
  let isClosed = false

  function submit(source: ContentSource, input: RenderRequest['input']): Promise<Result> {
    if (isClosed || waiting.length >= queueLimit)
      return Promise.reject(overloadedProblem('Too many renders are waiting. Try again.'))
    let key = keys.get(source)
    if (key === undefined) keys.set(source, (key = buildContentKey(source)))
    const request: RenderRequest = { job: ++lastJob, key, source: undefined, input }
    return new Promise((resolve, reject) => {
      waiting.push({ request, source, resolve, reject, wasStopped: false })
      dispatch()
    })
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const idle =
        [...threads].find(({ job }) => job === undefined) ?? (threads.size < limit ? startThread() : undefined)
      const job = idle && takeNextWork(waiting, ({ request }) => isSingle(request))
      if (idle === undefined || job === undefined) return
      begin(idle, job)
    }
  }

  function begin(thread: Thread, job: Job): void {
    thread.job = job
    clearTimeout(thread.idle)
    if (thread.isReady) watch(thread)
    thread.worker.ref()
    thread.worker.postMessage(job.request)
  }

  function watch(thread: Thread): void {
    thread.unwatch = watchThreadCpu(thread.worker, watchdogMs, (limit) => {
      if (limit === 'wall') retire(thread, '', overloadedProblem('A thread that renders did not answer. Try again.'))
      else if (thread.job?.wasStopped === false) tryAgain(thread, thread.job)
      else retire(thread, 'The template ran too long and was stopped.')
    })
  }

  function tryAgain(thread: Thread, job: Job): void {
    void end(thread)
    waiting.unshift({ ...job, wasStopped: true })
    dispatch()
  }

  function startThread(): Thread {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    })
    const thread: Thread = { worker, job: undefined, isReady: false, unwatch: undefined, idle: undefined }
    worker.on('message', (reply: RenderReply) => receive(thread, reply))
    worker.on('error', (error: Error) => retire(thread, 'The template took too much memory and was stopped.', error))
    worker.unref()
    threads.add(thread)
    return thread
  }

  function receive(thread: Thread, reply: RenderReply): void {
    const { job } = thread
    if (reply.type === 'ready') {
      thread.isReady = true
      if (job) watch(thread)
      return
    }
    if (job === undefined || job.request.job !== reply.job) return
    if (reply.type === 'missing') {
      thread.worker.postMessage({ ...job.request, source: job.source })
      return
    }
    release(thread)
    if (reply.type === 'fault') job.reject(new Error(reply.message))
    else job.resolve(reply)
    dispatch()
  }

  function release(thread: Thread): void {
    thread.unwatch?.()
    thread.job = undefined
    thread.worker.unref()
    thread.idle = setTimeout(() => end(thread), idleMs).unref()
  }

  /** Ends a thread; another one takes its place when there is work. */
  function end(thread: Thread): Promise<unknown> {
    clearTimeout(thread.idle)
    thread.unwatch?.()
    thread.job = undefined
    threads.delete(thread)
    return thread.worker.terminate()
  }

  /** Ends a thread whose job does not end, and answers for it. */
  function retire(thread: Thread, message: string, cause?: Error): void {
    const { job } = thread
    void end(thread)
    if (cause !== undefined && !isOutOfMemory(cause)) job?.reject(cause)
    else job?.resolve(stopped(job, message))
    if (!isClosed) dispatch()
  }

  async function render(source: ContentSource, input: RenderInput): Promise<RenderOutcome> {
    const result = await submit(source, input)
    if (result.type !== 'rendered') throw new Error('A thread answered a render with something else.')
    return result.rendered
  }

  return {
    render,
    async renderAll(source, inputs) {
      const rendered: RenderOutcome[] = []
      for (let from = 0; from < inputs.length; from += TOGETHER) {
        const some = inputs.slice(from, from + TOGETHER)
        const result = await submit(source, some)
        if (result.type === 'all') rendered.push(...result.rendered)
        // Together they took too long: those that do alone say so.
        else for (const input of some) rendered.push(await render(source, input))
      }
      return rendered
    },
    async compile(source) {
      const result = await submit(source, undefined)
      if (result.type !== 'report') throw new Error('A thread answered a compilation with something else.')
      return result.report
    },
    async close() {
      isClosed = true
      const ended = [...waiting.splice(0), ...[...threads].flatMap(({ job }) => job ?? [])]
      for (const job of ended) job.reject(overloadedProblem('The service is stopping.'))
      await Promise.all([...threads].map(end))
    },
  }
}

const isSingle = ({ input }: RenderRequest): boolean => input !== undefined && !Array.isArray(input)

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** The answer for a job whose thread was ended. */
function stopped({ request, source }: Job, message: string): Result {
  const flaw: ContentFlaw<ContentErrorType> = {
    type: 'limit',
    message,
    part: source.parts[0]?.name ?? '',
    position: null,
  }
  if (request.input !== undefined)
    return {
      job: request.job,
      type: 'rendered',
      rendered: { outcome: 'failed', ...flaw, errors: [flaw], findings: [] },
    }
  const needs = {
    contact: { fields: [], asMap: false },
    related: { fields: [], asMap: false },
    campaign: false,
    links: false,
    now: false,
  }
  return { job: request.job, type: 'report', report: { links: [], errors: [flaw], findings: [], needs } }
}
