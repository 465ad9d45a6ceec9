import { THREAD_WALL_LIMIT_MS } from '../../lib/concurrency/thread-limit.ts'
import { createHostWaitTimer, type HostWaitTimer, watchSandboxThread } from './guard.ts'
import { computeAccountShare, createSandboxLanes, type SandboxLane } from './lanes.ts'
import { sandboxLimits } from './limits.ts'
import type { HostCallAnswer, ThreadMessage } from './messages.ts'
import type { SandboxTask, SandboxWorkEnd, SubmitSandboxTask } from './task.ts'
import { type SandboxThread, startSandboxThread, summarizeThreads } from './threads.ts'

export interface SandboxPoolOptions {
  engine: WebAssembly.Module
  /** Maximum number of runs that compute at a time. */
  cores: number
  /** Maximum number of runs at a time: most of them wait for the host. */
  threads: number
}

export interface SandboxPool {
  submit: SubmitSandboxTask
  close(): Promise<void>
}

interface WaitingTask {
  task: SandboxTask
  end(workEnd: SandboxWorkEnd | Error): void
  timer: NodeJS.Timeout | undefined
  /** By `performance.now`. */
  since: number
}

interface PoolRun extends Omit<WaitingTask, 'timer' | 'since'> {
  lane: SandboxLane<WaitingTask, PoolRun>
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
  const lanes = createSandboxLanes<WaitingTask, PoolRun>()
  const threads = new Map<SandboxThread, PoolRun | undefined>()
  const accountShare = computeAccountShare({ cores, threads: most })
  /** Threads that are being ended. */
  const endingThreads = new Set<Promise<unknown>>()
  let computing = 0
  let queuedCount = 0
  let isClosed = false

  function dispatchLanes(): void {
    if (isClosed) return
    while (computing < cores) {
      const lane = lanes.all().find(serveLane)
      if (lane === undefined) return
      lanes.served(lane)
    }
  }

  /** Gives a lane a turn. False when it has nothing to do, its share, or no thread. */
  function serveLane(lane: SandboxLane<WaitingTask, PoolRun>): boolean {
    if (lane.computing >= accountShare.cores) return false
    const resumedRun = lane.resumable.shift()
    if (resumedRun) {
      computeRun(resumedRun)
      resumedRun.thread.post({ type: 'answers', answers: resumedRun.answers.splice(0) })
      return true
    }
    const [waitingTask] = lane.waiting
    const isNested = waitingTask?.task.isNested ?? false
    if (!waitingTask || (lane.threads >= accountShare.threads && !isNested)) return false
    // Those that wait for others must not keep these from their threads.
    const thread = findReadyThread(isNested ? 2 * most : most)
    if (thread === undefined) return false
    lane.waiting.shift()
    beginRun(lane, thread, waitingTask)
    return true
  }

  /** A thread for work of which there may be so much at a time. One more is kept at hand, also for when one that is busy is ended. */
  function findReadyThread(limit: number): SandboxThread | undefined {
    const { busy, starting, idle, spare } = summarizeThreads(threads)
    if (busy >= limit) return undefined
    // The work itself still counts as queued.
    const needed = Math.min(cores, idle ? queuedCount : queuedCount + 1)
    if (spare === undefined && threads.size < limit && starting < needed) startThread()
    return idle
  }

  function startThread(): void {
    const thread: SandboxThread = startSandboxThread(engine, {
      onReady: dispatchLanes,
      onMessage: (message) => receiveMessage(thread, message),
      onFailed: (error) => handleThreadError(thread, error),
      onIdle: () => discardThread(thread),
    })
    threads.set(thread, undefined)
  }

  function beginRun(
    lane: SandboxLane<WaitingTask, PoolRun>,
    thread: SandboxThread,
    { task, end, timer }: WaitingTask,
  ): void {
    clearTimeout(timer)
    queuedCount--
    const run: PoolRun = {
      task,
      end,
      lane,
      thread,
      isComputing: false,
      cpuLeft: task.cpuMs,
      hasCalled: false,
      patience: createHostWaitTimer(task.wallMs, () => stopRun(run, 'wall')),
      unguard: undefined,
      answers: [],
      isStopped: undefined,
    }
    threads.set(thread, run)
    lane.threads++
    computeRun(run)
    thread.post({ type: 'work', work: task.work })
  }

  function computeRun(run: PoolRun): void {
    run.isComputing = true
    run.lane.computing++
    computing++
    guardRun(run)
  }

  function pauseRun(run: PoolRun): void {
    run.unguard?.()
    if (!run.isComputing) return
    run.isComputing = false
    run.lane.computing--
    computing--
  }

  /** Terminates the thread of a run that does not answer. At the last stop the run is not at fault, and may be requested again. */
  function guardRun(run: PoolRun): void {
    run.unguard?.()
    const timeoutEnd: SandboxWorkEnd = run.hasCalled ? 'wall' : 'busy'
    run.unguard = watchSandboxThread(run.thread, run.cpuLeft, (limit) =>
      killRun(run, limit === 'cpu' ? 'cpu' : timeoutEnd),
    )
  }

  function killRun(run: PoolRun, workEnd: SandboxWorkEnd): void {
    discardThread(run.thread)
    leaveLane(run, workEnd)
  }

  /** A run is over: its turn and its thread are free. */
  function leaveLane(run: PoolRun, workEnd: SandboxWorkEnd | Error): void {
    run.patience.end()
    pauseRun(run)
    const { lane } = run
    lane.threads--
    lane.resumable = lane.resumable.filter((laneRun) => laneRun !== run)
    lanes.tidy(lane)
    run.end(run.isStopped ?? workEnd)
    dispatchLanes()
  }

  function discardThread(thread: SandboxThread): void {
    threads.delete(thread)
    const threadEnd = thread.end().finally(() => endingThreads.delete(threadEnd))
    endingThreads.add(threadEnd)
  }

  function receiveMessage(thread: SandboxThread, message: Exclude<ThreadMessage, { type: 'ready' }>): void {
    const run = threads.get(thread)
    if (run === undefined) return
    if (message.type === 'waits') {
      waitForHost(run, message)
      return
    }
    run.task.onMessage(message)
    if (message.type === 'done') completeRun(run, message.spoilt)
    else if (run.isComputing && message.type !== 'log') guardRun(run)
  }

  function completeRun(run: PoolRun, spoilt: boolean): void {
    threads.set(run.thread, undefined)
    if (spoilt || run.thread.isWornOut()) discardThread(run.thread)
    else run.thread.release()
    leaveLane(run, spoilt ? 'spoilt' : 'done')
  }

  function waitForHost(run: PoolRun, { calls, cpuMs }: Extract<ThreadMessage, { type: 'waits' }>): void {
    pauseRun(run)
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
      dispatchLanes()
    })
    dispatchLanes()
  }

  /** Gives up a run that waits for the host. */
  function stopRun(run: PoolRun, workEnd: SandboxWorkEnd): void {
    if (run.isStopped) return
    run.isStopped = workEnd
    run.lane.resumable = run.lane.resumable.filter((resumableRun) => resumableRun !== run)
    run.patience.end()
    run.unguard = watchSandboxThread(run.thread, 0, () => killRun(run, workEnd))
    run.thread.post({ type: 'stop' })
  }

  function handleThreadError(thread: SandboxThread, error: Error): void {
    const run = threads.get(thread)
    discardThread(thread)
    const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    if (run) leaveLane(run, isMemory ? 'memory' : error)
    else if (!isMemory)
      for (const lane of lanes.all()) for (const waitingTask of lane.waiting.splice(0)) refuseTask(waitingTask, error)
  }

  function refuseTask({ task, timer, end }: WaitingTask, workEnd: SandboxWorkEnd | Error): void {
    clearTimeout(timer)
    queuedCount--
    lanes.tidy(lanes.of(task.account))
    end(workEnd)
  }

  /** Makes place in the queue at the cost of the account that has most in it. False when that is this one. */
  function makePlace(lane: SandboxLane<WaitingTask, PoolRun>): boolean {
    const longest = lanes.longest()
    if (longest === undefined || longest.waiting.length <= lane.waiting.length + 1) return false
    const lastWaiting = longest.waiting.pop()
    if (lastWaiting) refuseTask(lastWaiting, 'busy')
    return lastWaiting !== undefined
  }

  function enqueueTask(waitingTask: WaitingTask): void {
    const lane = lanes.of(waitingTask.task.account)
    queuedCount++
    if (isClosed || (queuedCount > sandboxLimits.queued && !makePlace(lane))) refuseTask(waitingTask, 'busy')
    else {
      expectThread(waitingTask)
      lane.waiting[waitingTask.task.isNested ? 'unshift' : 'push'](waitingTask)
      dispatchLanes()
    }
  }

  /** Gives up work that has waited too long. The wait starts again while a thread starts, up to a minute. */
  function expectThread(waitingTask: WaitingTask): void {
    const isCold = () =>
      summarizeThreads(threads).starting > 0 && performance.now() - waitingTask.since < THREAD_WALL_LIMIT_MS
    waitingTask.timer = setTimeout(
      () => (isCold() ? expectThread(waitingTask) : abandonTask(waitingTask, 'busy')),
      sandboxLimits.waitMs,
    )
  }

  function abandonTask(waitingTask: WaitingTask, workEnd: SandboxWorkEnd): void {
    const lane = lanes.of(waitingTask.task.account)
    lane.waiting = lane.waiting.filter((laneTask) => laneTask !== waitingTask)
    refuseTask(waitingTask, workEnd)
  }

  /** Ends a task whose caller waits no longer. */
  function cancelTask(task: SandboxTask): void {
    const waitingTask = lanes.of(task.account).waiting.find((laneTask) => laneTask.task === task)
    const run = [...threads.values()].find((running) => running?.task === task)
    if (waitingTask) abandonTask(waitingTask, 'budget')
    else if (run?.isComputing) killRun(run, 'budget')
    else if (run) stopRun(run, 'budget')
  }

  return {
    submit: (task) =>
      new Promise((resolve, reject) => {
        if (task.signal?.aborted) return resolve('budget')
        const abortTask = () => cancelTask(task)
        task.signal?.addEventListener('abort', abortTask, { once: true })
        const endTask = (workEnd: SandboxWorkEnd | Error) => {
          task.signal?.removeEventListener('abort', abortTask)
          if (workEnd instanceof Error) reject(workEnd)
          else resolve(workEnd)
        }
        enqueueTask({ task, end: endTask, timer: undefined, since: performance.now() })
      }),
    async close() {
      isClosed = true
      for (const lane of lanes.all()) for (const waitingTask of lane.waiting.splice(0)) refuseTask(waitingTask, 'busy')
      for (const [thread, run] of [...threads]) {
        discardThread(thread)
        if (run) leaveLane(run, 'busy')
      }
      await Promise.all(endingThreads)
    },
  }
}
