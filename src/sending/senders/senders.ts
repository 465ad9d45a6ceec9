import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { readDestinationTable } from '../../gateways/smtp-direct/destinations-file.ts'
import type { DueWorkWatch } from '../../jobs/due-watch.ts'
import { readConfiguredGateways } from '../gateway-registry/configured-gateways.ts'
import { createLaneWatch } from './lane-watch.ts'
import { listSenderRoles, type SenderRole } from './sender-roles.ts'
import type { SenderThreadOptions, SenderThreadOrder, SenderThreadReport } from './sender-thread.ts'

/** Delay before a dead thread is replaced, so that a fault that ends every thread does not keep the machine busy. */
const RESTART_DELAY_MS = 1000
/** A thread that has not ended this long after the request is terminated: its journal has the messages in flight. */
const STOP_TIMEOUT_MS = 4000

/** Lets what a thread has in flight get its outcome, and ends it. */
async function stopThread(thread: Worker): Promise<void> {
  const terminationTimer = setTimeout(() => void thread.terminate(), STOP_TIMEOUT_MS)
  const exitPromise = new Promise((resolve) => thread.once('exit', resolve))
  thread.postMessage({ stop: true } satisfies SenderThreadOrder)
  await exitPromise.finally(() => clearTimeout(terminationTimer))
}

/**
 * Starts the sender threads of this process; gives how to stop them: what is in flight gets its outcome first.
 * A thread that dies is replaced, and its messages are recovered from its journal.
 */
export function startSenders(
  senderOptions: Pick<SenderThreadOptions, 'config' | 'masterKeys' | 'databaseUrl'>,
  { log, registry, watch }: { log: Logger; registry: Registry; watch: DueWorkWatch },
): () => Promise<void> {
  const stopController = new AbortController()
  const watchLane = createLaneWatch(watch, stopController.signal)
  const messageCounter = new Counter({
    name: 'stentor_messages_total',
    help: 'Messages that left a sender, by ending',
    labelNames: ['ending'],
    registers: [registry],
  })
  const { config } = senderOptions
  // What is wrong with a file is logged at the start, and not by every thread.
  const threadOptions: Omit<SenderThreadOptions, 'role' | 'turn'> = {
    ...senderOptions,
    configured: readConfiguredGateways(config, log),
    destinations: readDestinationTable(config.destinationsFile),
  }
  const { senderThreads, isSmall } = config
  const roles = listSenderRoles({ threads: senderThreads, cores: availableParallelism(), isSmall })
  const threads = new Set<Worker>()
  let isStopping = false

  function startThread(role: SenderRole, place: number): void {
    const workerData: SenderThreadOptions = { ...threadOptions, role, turn: { place, of: roles.length } }
    const worker = new Worker(new URL('./sender-thread.ts', import.meta.url), { workerData, name: 'sender' })
    threads.add(worker)
    worker.on('message', ({ endings, empty }: SenderThreadReport) => {
      for (const [ending, endingCount] of Object.entries(endings ?? {})) messageCounter.inc({ ending }, endingCount)
      if (empty !== undefined) void watchLane({ worker, role }, empty)
    })
    worker.on('error', (error) => log.error({ err: error }, 'sender died'))
    worker.on('exit', async () => {
      threads.delete(worker)
      if (isStopping) return
      await delay(RESTART_DELAY_MS)
      if (!isStopping) startThread(role, place)
    })
  }

  for (const [threadIndex, role] of roles.entries()) startThread(role, threadIndex)
  return async () => {
    isStopping = true
    stopController.abort()
    await Promise.all([...threads].map(stopThread))
  }
}
