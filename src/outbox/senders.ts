import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { readDestinations } from '../gateways/smtp-direct/destinations-file.ts'
import type { DueWatch } from '../jobs/due-watch.ts'
import { type Lane, lanes } from '../lib/lanes.ts'
import { readConfigured } from './configured-gateways.ts'
import { isInLane } from './lane-watch.ts'
import type { SenderOptions, SenderOrder, SenderReport } from './sender-thread.ts'

/** How long a dead thread's successor waits, so that a fault which ends every thread does not keep the machine busy. */
const RESTART_MS = 1000
/** A thread looks for itself so often, whatever is found in a lane; and after a pause while the database is away. */
const REST_MS = 30_000
const AWAY_MS = 500
/** A thread that has not ended so long after it was asked to is terminated: its journal has what was in flight. */
const STOP_MS = 4000

const nameOf = (lane: Lane): string => `lane ${lane}`

/** Gives how a thread is told that there may be something in a lane. */
function laneWatch(watch: DueWatch, signal: AbortSignal): (thread: Worker, lane: Lane) => Promise<void> {
  setMaxListeners(0, signal)
  for (const lane of Object.values(lanes)) watch.add(nameOf(lane), () => isInLane(lane))
  return async (thread, lane) => {
    // While the database is away the thread is told so as well: it finds out itself.
    await watch
      .until(nameOf(lane), { signal, mostMs: REST_MS })
      .catch(() => delay(AWAY_MS, undefined, { signal }).catch(() => undefined))
    thread.postMessage({ filled: lane } satisfies SenderOrder)
  }
}

/** Lets what a thread has in flight get its outcome, and ends it. */
async function stopThread(thread: Worker): Promise<void> {
  const deadline = setTimeout(() => void thread.terminate(), STOP_MS)
  const exited = new Promise((resolve) => thread.once('exit', resolve))
  thread.postMessage({ stop: true } satisfies SenderOrder)
  await exited.finally(() => clearTimeout(deadline))
}

/**
 * Starts the sender threads of this process; gives how to stop them: what is in flight gets its outcome first.
 * A thread that dies is replaced, and its messages are recovered from its journal.
 */
export function startSenders(
  given: Pick<SenderOptions, 'config' | 'masterKeys' | 'databaseUrl'>,
  { log, registry, watch }: { log: Logger; registry: Registry; watch: DueWatch },
): () => Promise<void> {
  const stopped = new AbortController()
  const watchLane = laneWatch(watch, stopped.signal)
  const counter = new Counter({
    name: 'messages_total',
    help: 'Messages that left a sender, by ending',
    labelNames: ['ending'],
    registers: [registry],
  })
  const { config } = given
  // What is wrong with a file is logged at the start, and not by every thread.
  const options: SenderOptions = {
    ...given,
    configured: readConfigured(config, log),
    destinations: readDestinations(config.destinationsFile),
  }
  const threads = new Set<Worker>()
  let stopping = false

  function start(): void {
    const thread = new Worker(new URL('./sender-thread.ts', import.meta.url), { workerData: options, name: 'sender' })
    threads.add(thread)
    thread.on('message', ({ endings, empty }: SenderReport) => {
      for (const [ending, n] of Object.entries(endings ?? {})) counter.inc({ ending }, n)
      if (empty !== undefined) void watchLane(thread, empty)
    })
    thread.on('error', (error) => log.error({ err: error }, 'sender died'))
    thread.on('exit', async () => {
      threads.delete(thread)
      if (stopping) return
      await delay(RESTART_MS)
      if (!stopping) start()
    })
  }

  const wanted = config.senderThreads || availableParallelism()
  for (let n = 0; n < wanted; n++) start()
  return async () => {
    stopping = true
    stopped.abort()
    await Promise.all([...threads].map(stopThread))
  }
}
