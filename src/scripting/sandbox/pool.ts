import { THREAD_WALL_LIMIT_MS } from '../../lib/concurrency/thread-limit.ts'
import { createHostWaitTimer, type HostWaitTimer, watchSandboxThread } from './guard.ts'
import { computeAccountShare, createSandboxLanes, type SandboxLane } from './lanes.ts'
import { sandboxLimits } from './limits.ts'
import type { HostCallAnswer, ThreadMessage } from './messages.ts'
import type { SandboxTask, SandboxWorkEnd, SubmitSandboxTask } from './task.ts'
import { type SandboxThread, startSandboxThread, summarizeThreads } from './threads.ts'

export interface SandboxPoolOptions {
  engine: WebAssembly.Module
  /** How many compute at a time. */
  cores: number
  /** How many runs there are at a time: most wait for the host. */
  threads: number
}

export interface SandboxPool {
  submit: SubmitSandboxTask
  close(): Promise<void>
}

interface Waiting {
  task: SandboxTask
  end(how: SandboxWorkEnd | Error): void
  timer: NodeJS.Timeout | undefined
  /** By `performance.now`. */
  since: number
}

interface Run extends Omit<Waiting, 'timer' | 'since'> {
  lane: SandboxLane<Waiting, Run>
  thread: SandboxThread
  isComputing: boolean
  cpuLeft: number
  patience: HostWaitTimer
  /** True once it has called the host: it may have acted. */
  hasCalled: boolean
  /** Ends the watch over its thread. */
  unguard: (() => void) | undefined
  answers: HostCallAnswer[]
  isStopped: SandboxWorkEnd | undefined
}

export function createSandboxPool({ engine, cores, threads: most }: SandboxPoolOptions): SandboxPool {
  const lanes = createSandboxLanes<Waiting, Run>()
  const threads = new Map<SandboxThread, Run | undefined>()
  const share = computeAccountShare({ cores, threads: most })
  /** Threads that were told to end. */
  const ending = new Set<Promise<unknown>>()
  let computing = 0
  let queued = 0
  let isClosed = false

  function dispatch(): void {
    if (isClosed) return
    while (computing < cores) {
      const lane = lanes.all().find(serve)
      if (lane === undefined) return
      lanes.served(lane)
    }
  }

  /** Gives a lane a turn. False when it has nothing to do, its share, or no thread. */
  function serve(lane: SandboxLane<Waiting, Run>): boolean {
    if (lane.computing >= share.cores) return false
    const resumed = lane.resumable.shift()
    if (resumed) {
      compute(resumed)
      resumed.thread.post({ type: 'answers', answers: resumed.answers.splice(0) })
      return true
    }
    const [waiting] = lane.waiting
    const isNested = waiting?.task.isNested ?? false
    if (!waiting || (lane.threads >= share.threads && !isNested)) return false
    // Those that wait for others must not keep these from their threads.
    const thread = ready(isNested ? 2 * most : most)
    if (thread === undefined) return false
    lane.waiting.shift()
    begin(lane, thread, waiting)
    return true
  }

  /** A thread for work of which there may be so much at a time. One more is kept at hand, also for when one that is busy is ended. */
  function ready(limit: number): SandboxThread | undefined {
    const { busy, starting, idle, spare } = summarizeThreads(threads)
    if (busy >= limit) return undefined
    // The work itself still counts as queued.
    const needed = Math.min(cores, idle ? queued : queued + 1)
    if (spare === undefined && threads.size < limit && starting < needed) start()
    return idle
  }

  function start(): void {
    const thread: SandboxThread = startSandboxThread(engine, {
      onReady: dispatch,
      onMessage: (message) => receive(thread, message),
      onFailed: (error) => failed(thread, error),
      onIdle: () => discard(thread),
    })
    threads.set(thread, undefined)
  }

  function begin(lane: SandboxLane<Waiting, Run>, thread: SandboxThread, { task, end, timer }: Waiting): void {
    clearTimeout(timer)
    queued--
    const run: Run = {
      ...{ task, end, lane, thread, isComputing: false, cpuLeft: task.cpuMs, hasCalled: false },
      ...{ patience: createHostWaitTimer(task.wallMs, () => stop(run, 'wall')) },
      ...{ unguard: undefined, answers: [], isStopped: undefined },
    }
    threads.set(thread, run)
    lane.threads++
    compute(run)
    thread.post({ type: 'work', work: task.work })
  }

  function compute(run: Run): void {
    run.isComputing = true
    run.lane.computing++
    computing++
    guard(run)
  }

  function pause(run: Run): void {
    run.unguard?.()
    if (!run.isComputing) return
    run.isComputing = false
    run.lane.computing--
    computing--
  }

  /** Terminates the thread of a run that does not answer. At the last stop the run is not at fault, and may be requested again. */
  function guard(run: Run): void {
    run.unguard?.()
    const last: SandboxWorkEnd = run.hasCalled ? 'wall' : 'busy'
    run.unguard = watchSandboxThread(run.thread, run.cpuLeft, (limit) => kill(run, limit === 'cpu' ? 'cpu' : last))
  }

  function kill(run: Run, how: SandboxWorkEnd): void {
    discard(run.thread)
    leave(run, how)
  }

  /** A run is over: its turn and its thread are free. */
  function leave(run: Run, how: SandboxWorkEnd | Error): void {
    run.patience.end()
    pause(run)
    const { lane } = run
    lane.threads--
    lane.resumable = lane.resumable.filter((other) => other !== run)
    lanes.tidy(lane)
    run.end(run.isStopped ?? how)
    dispatch()
  }

  function discard(thread: SandboxThread): void {
    threads.delete(thread)
    const end = thread.end().finally(() => ending.delete(end))
    ending.add(end)
  }

  function receive(thread: SandboxThread, message: Exclude<ThreadMessage, { type: 'ready' }>): void {
    const run = threads.get(thread)
    if (run === undefined) return
    if (message.type === 'waits') {
      wait(run, message)
      return
    }
    run.task.onMessage(message)
    if (message.type === 'done') done(run, message.spoilt)
    else if (run.isComputing && message.type !== 'log') guard(run)
  }

  function done(run: Run, spoilt: boolean): void {
    threads.set(run.thread, undefined)
    if (spoilt || run.thread.isWornOut()) discard(run.thread)
    else run.thread.release()
    leave(run, spoilt ? 'spoilt' : 'done')
  }

  function wait(run: Run, { calls, cpuMs }: Extract<ThreadMessage, { type: 'waits' }>): void {
    pause(run)
    const { work, onSpent } = run.task
    const isRound = work.type === 'run' && work.inRounds
    run.cpuLeft = run.task.cpuMs - (isRound ? 0 : cpuMs)
    if (isRound) onSpent?.(cpuMs)
    run.hasCalled = true
    if (run.answers.length > 0) run.lane.resumable.push(run)
    else run.patience.begin()
    run.task.onCalls(calls, (answer) => {
      if (threads.get(run.thread) !== run) return
      run.answers.push(answer)
      if (run.isComputing || run.isStopped || run.lane.resumable.includes(run)) return
      run.patience.end()
      run.lane.resumable.push(run)
      dispatch()
    })
    dispatch()
  }

  /** Gives up a run that waits for the host. */
  function stop(run: Run, how: SandboxWorkEnd): void {
    if (run.isStopped) return
    run.isStopped = how
    run.lane.resumable = run.lane.resumable.filter((other) => other !== run)
    run.patience.end()
    run.unguard = watchSandboxThread(run.thread, 0, () => kill(run, how))
    run.thread.post({ type: 'stop' })
  }

  function failed(thread: SandboxThread, error: Error): void {
    const run = threads.get(thread)
    discard(thread)
    const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (run) leave(run, isMemory ? 'memory' : error)
    else if (!isMemory)
      for (const lane of lanes.all()) for (const waiting of lane.waiting.splice(0)) refuse(waiting, error)
  }

  function refuse({ task, timer, end }: Waiting, how: SandboxWorkEnd | Error): void {
    clearTimeout(timer)
    queued--
    lanes.tidy(lanes.of(task.account))
    end(how)
  }

  /** Makes place in the queue at the cost of the account that has most in it. False when that is this one. */
  function makePlace(lane: SandboxLane<Waiting, Run>): boolean {
    const longest = lanes.longest()
    if (longest === undefined || longest.waiting.length <= lane.waiting.length + 1) return false
    const last = longest.waiting.pop()
    if (last) refuse(last, 'busy')
    return last !== undefined
  }

  function enqueue(waiting: Waiting): void {
    const lane = lanes.of(waiting.task.account)
    queued++
    if (isClosed || (queued > sandboxLimits.queued && !makePlace(lane))) refuse(waiting, 'busy')
    else {
      expect(waiting)
      lane.waiting[waiting.task.isNested ? 'unshift' : 'push'](waiting)
      dispatch()
    }
  }

  /** Gives up work that has waited too long. The wait starts again while a thread starts, up to a minute. */
  function expect(waiting: Waiting): void {
    const isCold = () =>
      summarizeThreads(threads).starting > 0 && performance.now() - waiting.since < THREAD_WALL_LIMIT_MS
    waiting.timer = setTimeout(() => (isCold() ? expect(waiting) : giveUp(waiting, 'busy')), sandboxLimits.waitMs)
  }

  function giveUp(waiting: Waiting, how: SandboxWorkEnd): void {
    const lane = lanes.of(waiting.task.account)
    lane.waiting = lane.waiting.filter((other) => other !== waiting)
    refuse(waiting, how)
  }

  /** Ends a task whose caller waits no longer. */
  function cancel(task: SandboxTask): void {
    const waiting = lanes.of(task.account).waiting.find((other) => other.task === task)
    const run = [...threads.values()].find((running) => running?.task === task)
    if (waiting) giveUp(waiting, 'budget')
    else if (run?.isComputing) kill(run, 'budget')
    else if (run) stop(run, 'budget')
  }

  return {
    submit: (task) =>
      new Promise((resolve, reject) => {
        if (task.signal?.aborted) return resolve('budget')
        const abort = () => cancel(task)
        task.signal?.addEventListener('abort', abort, { once: true })
        const end = (how: SandboxWorkEnd | Error) => {
          task.signal?.removeEventListener('abort', abort)
          if (how instanceof Error) reject(how)
          else resolve(how)
        }
        enqueue({ task, end, timer: undefined, since: performance.now() })
      }),
    async close() {
      isClosed = true
      for (const lane of lanes.all()) for (const waiting of lane.waiting.splice(0)) refuse(waiting, 'busy')
      for (const [thread, run] of [...threads]) {
        discard(thread)
        if (run) leave(run, 'busy')
      }
      await Promise.all(ending)
    },
  }
}
