import { Worker } from 'node:worker_threads'
import { watchThreadCpu } from '../../lib/concurrency/thread-limit.ts'
import { takeNextWork } from '../../lib/concurrency/work-slots.ts'
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
  /** Report on a content, independent of any contact. Rejects like `render`. */
  compile(source: ContentSource): Promise<ContentReport>
  /** Ends the threads; what waits is rejected. */
  close(): Promise<void>
}

export interface RenderPoolOptions {
  threads: number
  /** Maximum number of jobs that wait for a thread. */
  queueLimit: number
  /** Processor time that one job may take before its thread is ended and replaced. The limits of Liquid are far below. */
  watchdogMs?: number
  /** Time until an idle thread is ended; half a minute by default. */
  idleMs?: number
}

type RenderResult = Extract<RenderReply, { type: 'rendered' | 'all' | 'report' }>

interface RenderJob {
  request: RenderRequest
  source: ContentSource
  resolve(result: RenderResult): void
  reject(error: Error): void
  /** Its thread was terminated once, which may be due to a busy machine. */
  wasStopped: boolean
}

interface RenderThread {
  worker: Worker
  job: RenderJob | undefined
  /** True once it has loaded its modules, which is no part of the time of its first job. */
  isReady: boolean
  /** Ends the watch over the job that it has. */
  unwatch: (() => void) | undefined
  /** Ends the thread when it is idle for long. */
  idle: NodeJS.Timeout | undefined
}

const WATCHDOG_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 30_000
const HEAP_LIMIT_MB = 256
/** Messages that are rendered as one job: a thread is asked and answers once for all. */
const MESSAGES_PER_JOB = 200

export function createRenderPool({
  threads: limit,
  queueLimit,
  watchdogMs = WATCHDOG_TIMEOUT_MS,
  idleMs = IDLE_TIMEOUT_MS,
}: RenderPoolOptions): RenderPool {
  const waitingJobs: RenderJob[] = []
  const threads = new Set<RenderThread>()
  const keys = new WeakMap<ContentSource, string>()
  let lastJobNumber = 0
  let isClosed = false

  function submit(source: ContentSource, input: RenderRequest['input']): Promise<RenderResult> {
    if (isClosed || waitingJobs.length >= queueLimit)
      return Promise.reject(overloadedProblem('Too many renders are waiting. Try again.'))
    let key = keys.get(source)
    if (key === undefined) keys.set(source, (key = buildContentKey(source)))
    const request: RenderRequest = { job: ++lastJobNumber, key, source: undefined, input }
    return new Promise((resolve, reject) => {
      waitingJobs.push({ request, source, resolve, reject, wasStopped: false })
      dispatch()
    })
  }

  function dispatch(): void {
    while (waitingJobs.length > 0) {
      const idleThread =
        [...threads].find(({ job }) => job === undefined) ?? (threads.size < limit ? startThread() : undefined)
      const job = idleThread && takeNextWork(waitingJobs, ({ request }) => isSingle(request))
      if (idleThread === undefined || job === undefined) return
      assignJob(idleThread, job)
    }
  }

  function assignJob(thread: RenderThread, job: RenderJob): void {
    thread.job = job
    clearTimeout(thread.idle)
    if (thread.isReady) watchThread(thread)
    thread.worker.ref()
    thread.worker.postMessage(job.request)
  }

  function watchThread(thread: RenderThread): void {
    thread.unwatch = watchThreadCpu(thread.worker, watchdogMs, (limit) => {
      if (limit === 'wall')
        retireThread(thread, '', overloadedProblem('A rendering thread did not respond. Try again.'))
      else if (thread.job?.wasStopped === false) retryJob(thread, thread.job)
      else retireThread(thread, 'The template ran too long and was stopped.')
    })
  }

  function retryJob(thread: RenderThread, job: RenderJob): void {
    void endThread(thread)
    waitingJobs.unshift({ ...job, wasStopped: true })
    dispatch()
  }

  function startThread(): RenderThread {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    })
    const thread: RenderThread = { worker, job: undefined, isReady: false, unwatch: undefined, idle: undefined }
    worker.on('message', (reply: RenderReply) => handleReply(thread, reply))
    worker.on('error', (error: Error) =>
      retireThread(thread, 'The template used too much memory and was stopped.', error),
    )
    worker.unref()
    threads.add(thread)
    return thread
  }

  function handleReply(thread: RenderThread, reply: RenderReply): void {
    const { job } = thread
    if (reply.type === 'ready') {
      thread.isReady = true
      if (job) watchThread(thread)
      return
    }
    if (job === undefined || job.request.job !== reply.job) return
    if (reply.type === 'missing') {
      thread.worker.postMessage({ ...job.request, source: job.source })
      return
    }
    releaseThread(thread)
    if (reply.type === 'fault') job.reject(new Error(reply.message))
    else job.resolve(reply)
    dispatch()
  }

  function releaseThread(thread: RenderThread): void {
    thread.unwatch?.()
    thread.job = undefined
    thread.worker.unref()
    thread.idle = setTimeout(() => endThread(thread), idleMs).unref()
  }

  /** Ends a thread; another one takes its place when there is work. */
  function endThread(thread: RenderThread): Promise<unknown> {
    clearTimeout(thread.idle)
    thread.unwatch?.()
    thread.job = undefined
    threads.delete(thread)
    return thread.worker.terminate()
  }

  /** Ends a thread whose job does not end, and answers for it. */
  function retireThread(thread: RenderThread, message: string, cause?: Error): void {
    const { job } = thread
    void endThread(thread)
    if (cause !== undefined && !isOutOfMemory(cause)) job?.reject(cause)
    else job?.resolve(buildStoppedReply(job, message))
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
      for (let batchStart = 0; batchStart < inputs.length; batchStart += MESSAGES_PER_JOB) {
        const batchInputs = inputs.slice(batchStart, batchStart + MESSAGES_PER_JOB)
        const result = await submit(source, batchInputs)
        if (result.type === 'all') rendered.push(...result.rendered)
        // Together they took too long: those that do alone say so.
        else for (const input of batchInputs) rendered.push(await render(source, input))
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
      const unfinishedJobs = [...waitingJobs.splice(0), ...[...threads].flatMap(({ job }) => job ?? [])]
      for (const job of unfinishedJobs) job.reject(overloadedProblem('The service is stopping.'))
      await Promise.all([...threads].map(endThread))
    },
  }
}

const isSingle = ({ input }: RenderRequest): boolean => input !== undefined && !Array.isArray(input)

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** The answer for a job whose thread was ended. */
function buildStoppedReply({ request, source }: RenderJob, message: string): RenderResult {
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
  const emptyNeeds = {
    contact: { fields: [], asMap: false },
    related: { fields: [], asMap: false },
    campaign: false,
    links: false,
    now: false,
  }
  return { job: request.job, type: 'report', report: { links: [], errors: [flaw], findings: [], needs: emptyNeeds } }
}
