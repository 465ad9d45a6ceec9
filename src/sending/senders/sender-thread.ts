import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { ServiceConfig } from '../../config.ts'
import { databaseRetryDelayMs, retryWhileUnavailable } from '../../database/connection/while-unavailable.ts'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import { openArchiveStore } from '../../features/archives/archive-place.ts'
import type { ParsedGateway } from '../../gateways/open.ts'
import type { DestinationTable } from '../../gateways/smtp-direct/destination-table.ts'
import { createAccountTokenKeys, type MasterKeys } from '../../lib/crypto/tokens.ts'
import { type OutboxLane, outboxLanes } from '../../lib/lanes.ts'
import { loadMachineId } from '../../lib/machine-id.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { openTracing } from '../../lib/telemetry/open-tracing.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { createLogger } from '../../log.ts'
import { PROGRAM_VERSION } from '../../version.ts'
import { MESSAGE_LEASE_MS, renewMessageLeases } from '../claim/renew-message-leases.ts'
import { runDestinationLoop } from '../deliver/destinations.ts'
import { openGatewayRegistry, type ReceivingRegistry } from '../gateway-registry/gateway-registry.ts'
import { openSenderCache } from '../prepare/sender-cache.ts'
import { openSenderSigningKeys } from '../prepare/signing-keys.ts'
import { startSenderJournal } from '../recover/journal.ts'
import { type RecoveryContext, recoverDeadSenders, recoverOwnMessages } from '../recover/recover-messages.ts'
import { openRateLimiter } from '../shaping/rate-limiter.ts'
import { openWarmUpLedger } from '../shaping/warm-up.ts'
import { type SendingBatch, startSendingBatch } from './sender.ts'
import type { SenderContext } from './sender-context.ts'
import { connectSenderDatabase } from './sender-database.ts'
import { holdSenderLock } from './sender-lock.ts'
import { createSenderName } from './sender-names.ts'
import { lanesBySenderRole, type SenderRole } from './sender-roles.ts'

/** Input of a sender thread. */
export interface SenderThreadOptions {
  config: ServiceConfig
  masterKeys: MasterKeys
  databaseUrl: string
  role: SenderRole
  /** Threads of a process take turns in looking for senders that died: its place among them, from 0, and how many there are. */
  turn: { place: number; of: number }
  /** Read once for all threads: what reads them is large. */
  configured: readonly ParsedGateway[]
  destinations: DestinationTable
}

/** Report of a sender thread: the number of messages by ending, and a lane that it found empty. */
export interface SenderThreadReport {
  endings?: Record<string, number>
  empty?: OutboxLane
}

/** Orders to a sender thread: a lane may have work again; stop. */
export interface SenderThreadOrder {
  filled?: OutboxLane
  stop?: true
}

/** Batches of one loop that may have messages on their way at once. */
const MAX_OPEN_BATCHES = 8
const GATEWAY_REFRESH_MS = 1000
const LEASE_RENEWAL_MS = MESSAGE_LEASE_MS / 5
const LEASE_RETRY_MS = 1000
/** Time that a stop waits for work in progress before connections are cut, and then for them to close in order. */
const STOP_GRACE_MS = 2500
const CLOSE_TIMEOUT_MS = 500
/** Interval at which a process looks for dead senders. */
const RECOVERY_INTERVAL_MS = 2000
/** Two loops keep the bulk lane busy: one claims while the other sends. */
const laneLoops: readonly { lane: OutboxLane; limit: number }[] = [
  { lane: outboxLanes.urgent, limit: 50 },
  { lane: outboxLanes.transactional, limit: 200 },
  { lane: outboxLanes.bulk, limit: 400 },
  { lane: outboxLanes.bulk, limit: 400 },
]

/** The batches of a lane of which the last messages are still on their way: one slow remote is not to stop the lane. */
interface OpenBatches {
  open: Set<Promise<void>>
  failure: { error: unknown } | undefined
}

/** One of the loops of a sender. */
interface LaneLoop {
  lane: OutboxLane
  limit: number
  /** Resolves when there may be something in the lane. */
  waiting(lane: OutboxLane): Promise<void>
}

function trackBatch(openBatches: OpenBatches, { ended: batchEnd }: SendingBatch): void {
  const trackedBatch = batchEnd
    .catch((error) => {
      openBatches.failure = { error }
    })
    .finally(() => openBatches.open.delete(trackedBatch))
  openBatches.open.add(trackedBatch)
}

/** Begins one more batch, when not too many are open, and waits until gateways have all of it. */
async function startNextBatch(
  sender: SenderContext,
  { lane, limit, waiting: waitForWork }: LaneLoop,
  openBatches: OpenBatches,
): Promise<void> {
  const { failure } = openBatches
  openBatches.failure = undefined
  if (failure) throw failure.error
  if (openBatches.open.size >= MAX_OPEN_BATCHES) {
    await Promise.race(openBatches.open)
    return
  }
  const batch = await startSendingBatch(sender, lane, limit)
  if (!batch) {
    await waitForWork(lane)
    return
  }
  trackBatch(openBatches, batch)
  // A failure is reported by `batchEnd`.
  await batch.handedOver.catch(() => undefined)
}

/** Works one lane until the sender has to end, and what it started is over. */
async function runLane(sender: SenderContext, loop: LaneLoop): Promise<void> {
  const openBatches: OpenBatches = { open: new Set(), failure: undefined }
  try {
    await runBatches(sender, loop, openBatches)
  } finally {
    await Promise.all(openBatches.open)
  }
}

/** While the database is away it waits. */
async function runBatches(sender: SenderContext, loop: LaneLoop, openBatches: OpenBatches): Promise<void> {
  const { signal, log } = sender
  for (let attempts = 0; !signal.aborted; ) {
    try {
      await startNextBatch(sender, loop, openBatches)
      attempts = 0
    } catch (error) {
      if (signal.aborted) return
      if (!isDatabaseUnavailable(error)) throw error
      log.warn({ err: error }, 'sending waits for the database')
      await delay(databaseRetryDelayMs(++attempts), undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Renews the leases; when the database was away meanwhile, as soon as it is back, so that nothing is taken for lost. */
async function renewLeases({ db, id, clock, signal, log }: SenderContext): Promise<void> {
  for (let pauseMs = LEASE_RENEWAL_MS; !signal.aborted; ) {
    await delay(pauseMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      await renewMessageLeases(db, id, new Date(clock.now() + MESSAGE_LEASE_MS))
      pauseMs = LEASE_RENEWAL_MS
    } catch (error) {
      log.warn({ err: error }, 'leases not renewed')
      pauseMs = LEASE_RETRY_MS
    }
  }
}

/** Keeps gateways open though nothing is sent: receipts and replies come when they like. */
async function refreshGateways({ signal, log }: SenderContext, gateways: ReceivingRegistry): Promise<void> {
  while (!signal.aborted) {
    await gateways.refresh().catch((error) => log.warn({ err: error }, 'gateways not read'))
    await delay(GATEWAY_REFRESH_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Recovers, while it works itself and in its turn, senders on its data directory that died. */
async function recoverSenders(
  recovery: RecoveryContext,
  { place, of }: SenderThreadOptions['turn'],
  signal: AbortSignal,
): Promise<void> {
  for (let pauseMs = (place + 1) * RECOVERY_INTERVAL_MS; !signal.aborted; pauseMs = of * RECOVERY_INTERVAL_MS) {
    await delay(pauseMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted)
      await recoverDeadSenders(recovery).catch((error) => recovery.log.warn({ err: error }, 'recovery postponed'))
  }
}

function createReporter(port: { postMessage(report: SenderThreadReport): void }): SenderContext['observe'] {
  return (outcomes) => {
    const endingCounts: Record<string, number> = {}
    for (const { ending, isPart } of outcomes) {
      const type = ending.type === 'finished' ? ending.outcome : ending.type
      if (!isPart) endingCounts[type] = (endingCounts[type] ?? 0) + 1
    }
    port.postMessage({ endings: endingCounts })
  }
}

/** Gives how to wait until there may be something in a lane: who started the thread looks. */
function createLaneWaiter(port: MessagePort, signal: AbortSignal): LaneLoop['waiting'] {
  const laneResolvers = new Map<OutboxLane, PromiseWithResolvers<void>>()
  port.on('message', ({ filled }: SenderThreadOrder) => {
    if (filled === undefined) return
    laneResolvers.get(filled)?.resolve()
    laneResolvers.delete(filled)
  })
  signal.addEventListener('abort', () => {
    for (const { resolve } of laneResolvers.values()) resolve()
  })
  return (lane) => {
    const existingResolver = laneResolvers.get(lane)
    if (existingResolver) return existingResolver.promise
    const newResolver = Promise.withResolvers<void>()
    laneResolvers.set(lane, newResolver)
    port.postMessage({ empty: lane } satisfies SenderThreadReport)
    return newResolver.promise
  }
}

/** Lets the processor do anything else first: requests and single messages do not wait for campaigns. */
function lowerPriority(): void {
  // Elsewhere a priority is that of the whole process.
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
}

async function runSender(options: SenderThreadOptions, port: MessagePort): Promise<void> {
  const { config, masterKeys, databaseUrl, destinations, role } = options
  if (role === 'bulk') lowerPriority()
  const stopController = new AbortController()
  port.on('message', ({ stop }: SenderThreadOrder) => {
    if (stop) stopController.abort()
  })
  const { signal } = stopController
  const id = createSenderName(loadMachineId(config.dataDir))
  const log = createLogger(config).child({ sender: id })
  const { db, pool, close } = connectSenderDatabase(databaseUrl, id, log)
  const lock = holdSenderLock(pool, id, log)
  const clock = systemClock
  const cache = openSenderCache(db, clock)
  const journal = startSenderJournal(config.dataDir, id)
  const warmUp = openWarmUpLedger(db, clock, destinations)
  const limiter = openRateLimiter(db, log)
  const gateways = openGatewayRegistry({ ...options, db, clock, log, receives: true, warmUp, limiter })
  const sender: SenderContext = {
    id,
    db,
    clock,
    log,
    signal,
    journal,
    archives: openArchiveStore(config),
    cache,
    signing: openSenderSigningKeys({ db, masterKeys, clock, log }),
    reach: createOutboundPolicy(config.outgoingAllow),
    gateways,
    tokens: createAccountTokenKeys(masterKeys),
    observe: createReporter(port),
    tracing: await openTracing(config.traces, { version: PROGRAM_VERSION, log }),
  }
  const cutConnections = () => void setTimeout(() => void gateways.close(0), STOP_GRACE_MS).unref()
  signal.addEventListener('abort', cutConnections)
  const recovery = { db, clock, log, cache, dataDir: config.dataDir }
  await Promise.race([lock.held, once(signal, 'abort')])
  await retryWhileUnavailable(sender, () => recoverDeadSenders(recovery)).catch((error) => {
    if (!signal.aborted) throw error
  })
  const recovering = recoverSenders(recovery, options.turn, signal)
  const leaseLoop = renewLeases(sender)
  const receiving = refreshGateways(sender, gateways)
  const destinationLoop = runDestinationLoop(sender, gateways)
  // The first loop that fails ends them all: the next thread recovers what this one leaves in its journal.
  const waitForLane = createLaneWaiter(port, signal)
  const roleLoops = laneLoops.filter(({ lane }) => lanesBySenderRole[role].includes(lane))
  await Promise.all(roleLoops.map((loop) => runLane(sender, { ...loop, waiting: waitForLane }))).finally(() =>
    stopController.abort(),
  )
  const tracingFlush = sender.tracing?.close()
  await Promise.all([receiving, destinationLoop])
  await gateways.close(CLOSE_TIMEOUT_MS)
  await warmUp.close().catch((error) => log.warn({ err: error }, 'reserved warm-up counts lost'))
  await Promise.all([recovering, leaseLoop])
  journal.close()
  await recoverOwnMessages(recovery, id).catch((error) => log.warn({ err: error }, 'recovery left to the next sender'))
  await lock.release()
  await close()
  await tracingFlush
  port.close()
  // A receiver of traces that is away would be tried again for some time.
  if (sender.tracing) process.exit()
}

if (!parentPort) throw new Error('a sender runs as a thread')
await runSender(workerData as SenderThreadOptions, parentPort)
