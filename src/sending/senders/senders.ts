import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import { readDestinationTable } from '../../gateways/smtp-direct/destinations-file.ts'
import type { DueWorkWatch } from '../../jobs/due-watch.ts'
import { readConfiguredGateways } from '../gateways/configured-gateways.ts'
import { createLaneWatch } from './lane-watch.ts'
import { listSenderRoles, type SenderRole } from './sender-roles.ts'
import type { SenderThreadOptions, SenderThreadOrder, SenderThreadReport } from './sender-thread.ts'

/** How long a dead thread's successor waits, so that a fault which ends every thread does not keep the machine busy. */
const RESTART_MS = 1000
/** A thread that has not ended so long after it was asked to is terminated: its journal has what was in flight. */
const STOP_MS = 4000

/** Lets what a thread has in flight get its outcome, and ends it. */
async function stopThread(thread: Worker): Promise<void> {
  const deadline = setTimeout(() => void thread.terminate(), STOP_MS)
  const exited = new Promise((resolve) => thread.once('exit', resolve))
  thread.postMessage({ stop: true } satisfies SenderThreadOrder)
  await exited.finally(() => clearTimeout(deadline))
}

/**
 * Starts the sender threads of this process; gives how to stop them: what is in flight gets its outcome first.
 * A thread that dies is replaced, and its messages are recovered from its journal.
 */
export function startSenders(
  given: Pick<SenderThreadOptions, 'config' | 'masterKeys' | 'databaseUrl'>,
  { log, registry, watch }: { log: Logger; registry: Registry; watch: DueWorkWatch },
): () => Promise<void> {
  const stopped = new AbortController()
  const watchLane = createLaneWatch(watch, stopped.signal)
  const counter = new Counter({
    name: 'stentor_messages_total',
    help: 'Messages that left a sender, by ending',
    labelNames: ['ending'],
    registers: [registry],
  })
  const { config } = given
  // What is wrong with a file is logged at the start, and not by every thread.
  const options: Omit<SenderThreadOptions, 'role' | 'turn'> = {
    ...given,
    configured: readConfiguredGateways(config, log),
    destinations: readDestinationTable(config.destinationsFile),
  }
  const { senderThreads, isSmall } = config
  const roles = listSenderRoles({ threads: senderThreads, cores: availableParallelism(), isSmall })
  const threads = new Set<Worker>()
  let stopping = false

  function start(role: SenderRole, place: number): void {
    const workerData: SenderThreadOptions = { ...options, role, turn: { place, of: roles.length } }
    const worker = new Worker(new URL('./sender-thread.ts', import.meta.url), { workerData, name: 'sender' })
    threads.add(worker)
    worker.on('message', ({ endings, empty }: SenderThreadReport) => {
      for (const [ending, n] of Object.entries(endings ?? {})) counter.inc({ ending }, n)
      if (empty !== undefined) void watchLane({ worker, role }, empty)
    })
    worker.on('error', (error) => log.error({ err: error }, 'sender died'))
    worker.on('exit', async () => {
      threads.delete(worker)
      if (stopping) return
      await delay(RESTART_MS)
      if (!stopping) start(role, place)
    })
  }

  for (const [place, role] of roles.entries()) start(role, place)
  return async () => {
    stopping = true
    stopped.abort()
    await Promise.all([...threads].map(stopThread))
  }
}
