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
import { MESSAGE_LEASE_MS, renewMessageLeases } from '../claim/claim-messages.ts'
import { runDestinationLoop } from '../deliver/destinations.ts'
import { openGatewayRegistry, type ReceivingRegistry } from '../gateways/gateway-registry.ts'
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

/** What a sender thread is given. */
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

/** What a sender thread reports: how many messages ended how, and a lane that it found empty. */
export interface SenderThreadReport {
  endings?: Record<string, number>
  empty?: OutboxLane
}

/** What a sender thread is told: that there may be something in a lane again, and to stop. */
export interface SenderThreadOrder {
  filled?: OutboxLane
  stop?: true
}

/** Batches of one loop that may have messages on their way at once. */
const MAX_OPEN = 8
const REFRESH_MS = 1000
const RENEW_MS = MESSAGE_LEASE_MS / 5
const RENEW_AGAIN_MS = 1000
/** How long a stop waits for what is under way before connections are cut, and for their ends in order. */
const GRACE_MS = 2500
const QUIT_MS = 500
/** How often a process looks for senders that died. */
const RECOVER_MS = 2000
/** Two loops keep the bulk lane busy: one claims while the other sends. */
const loops: readonly { lane: OutboxLane; limit: number }[] = [
  { lane: outboxLanes.urgent, limit: 50 },
  { lane: outboxLanes.transactional, limit: 200 },
  { lane: outboxLanes.bulk, limit: 400 },
  { lane: outboxLanes.bulk, limit: 400 },
]

/** The batches of a lane of which the last messages are still on their way: one slow remote is not to stop the lane. */
interface Tails {
  open: Set<Promise<void>>
  failure: { error: unknown } | undefined
}

/** One of the loops of a sender. */
interface Loop {
  lane: OutboxLane
  limit: number
  /** Resolves when there may be something in the lane. */
  waiting(lane: OutboxLane): Promise<void>
}

function follow(tails: Tails, { ended }: SendingBatch): void {
  const tail = ended
    .catch((error) => {
      tails.failure = { error }
    })
    .finally(() => tails.open.delete(tail))
  tails.open.add(tail)
}

/** Begins one more batch, when not too many are open, and waits until gateways have all of it. */
async function workOnce(sender: SenderContext, { lane, limit, waiting }: Loop, tails: Tails): Promise<void> {
  const { failure } = tails
  tails.failure = undefined
  if (failure) throw failure.error
  if (tails.open.size >= MAX_OPEN) {
    await Promise.race(tails.open)
    return
  }
  const batch = await startSendingBatch(sender, lane, limit)
  if (!batch) {
    await waiting(lane)
    return
  }
  follow(tails, batch)
  // A failure is reported by `ended`.
  await batch.handedOver.catch(() => undefined)
}

/** Works one lane until the sender has to end, and what it started is over. */
async function work(sender: SenderContext, loop: Loop): Promise<void> {
  const tails: Tails = { open: new Set(), failure: undefined }
  try {
    await workOn(sender, loop, tails)
  } finally {
    await Promise.all(tails.open)
  }
}

/** While the database is away it waits. */
async function workOn(sender: SenderContext, loop: Loop, tails: Tails): Promise<void> {
  const { signal, log } = sender
  for (let tries = 0; !signal.aborted; ) {
    try {
      await workOnce(sender, loop, tails)
      tries = 0
    } catch (error) {
      if (signal.aborted) return
      if (!isDatabaseUnavailable(error)) throw error
      log.warn({ err: error }, 'sending waits for the database')
      await delay(databaseRetryDelayMs(++tries), undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Renews the leases; when the database was away meanwhile, as soon as it is back, so that nothing is taken for lost. */
async function keepLeases({ db, id, clock, signal, log }: SenderContext): Promise<void> {
  for (let pause = RENEW_MS; !signal.aborted; ) {
    await delay(pause, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try {
      await renewMessageLeases(db, id, new Date(clock.now() + MESSAGE_LEASE_MS))
      pause = RENEW_MS
    } catch (error) {
      log.warn({ err: error }, 'leases not renewed')
      pause = RENEW_AGAIN_MS
    }
  }
}

/** Keeps gateways open though nothing is sent: receipts and replies come when they like. */
async function keepReceiving({ signal, log }: SenderContext, gateways: ReceivingRegistry): Promise<void> {
  while (!signal.aborted) {
    await gateways.refresh().catch((error) => log.warn({ err: error }, 'gateways not read'))
    await delay(REFRESH_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Recovers, while it works itself and in its turn, senders on its data directory that died. */
async function keepRecovering(
  recovery: RecoveryContext,
  { place, of }: SenderThreadOptions['turn'],
  signal: AbortSignal,
): Promise<void> {
  for (let pause = (place + 1) * RECOVER_MS; !signal.aborted; pause = of * RECOVER_MS) {
    await delay(pause, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted)
      await recoverDeadSenders(recovery).catch((error) => recovery.log.warn({ err: error }, 'recovery postponed'))
  }
}

function reportTo(port: { postMessage(report: SenderThreadReport): void }): SenderContext['observe'] {
  return (outcomes) => {
    const endings: Record<string, number> = {}
    for (const { ending, isPart } of outcomes) {
      const type = ending.type === 'finished' ? ending.outcome : ending.type
      if (!isPart) endings[type] = (endings[type] ?? 0) + 1
    }
    port.postMessage({ endings })
  }
}

/** Gives how to wait until there may be something in a lane: who started the thread looks. */
function lanesOf(port: MessagePort, signal: AbortSignal): Loop['waiting'] {
  const waiting = new Map<OutboxLane, PromiseWithResolvers<void>>()
  port.on('message', ({ filled }: SenderThreadOrder) => {
    if (filled === undefined) return
    waiting.get(filled)?.resolve()
    waiting.delete(filled)
  })
  signal.addEventListener('abort', () => {
    for (const { resolve } of waiting.values()) resolve()
  })
  return (lane) => {
    const known = waiting.get(lane)
    if (known) return known.promise
    const own = Promise.withResolvers<void>()
    waiting.set(lane, own)
    port.postMessage({ empty: lane } satisfies SenderThreadReport)
    return own.promise
  }
}

/** Lets the processor do anything else first: requests and single messages do not wait for campaigns. */
function yieldProcessor(): void {
  // Elsewhere a priority is that of the whole process.
  if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)
}

async function run(options: SenderThreadOptions, port: MessagePort): Promise<void> {
  const { config, masterKeys, databaseUrl, destinations, role } = options
  if (role === 'bulk') yieldProcessor()
  const stopping = new AbortController()
  port.on('message', ({ stop }: SenderThreadOrder) => {
    if (stop) stopping.abort()
  })
  const { signal } = stopping
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
    observe: reportTo(port),
    tracing: await openTracing(config.traces, { version: PROGRAM_VERSION, log }),
  }
  const cut = () => void setTimeout(() => void gateways.close(0), GRACE_MS).unref()
  signal.addEventListener('abort', cut)
  const recovery = { db, clock, log, cache, dataDir: config.dataDir }
  await Promise.race([lock.held, once(signal, 'abort')])
  await retryWhileUnavailable(sender, () => recoverDeadSenders(recovery)).catch((error) => {
    if (!signal.aborted) throw error
  })
  const recovering = keepRecovering(recovery, options.turn, signal)
  const leases = keepLeases(sender)
  const receiving = keepReceiving(sender, gateways)
  const sharing = runDestinationLoop(sender, gateways)
  // The first loop that fails ends them all: the next thread recovers what this one leaves in its journal.
  const waiting = lanesOf(port, signal)
  const own = loops.filter(({ lane }) => lanesBySenderRole[role].includes(lane))
  await Promise.all(own.map((loop) => work(sender, { ...loop, waiting }))).finally(() => stopping.abort())
  const flushed = sender.tracing?.close()
  await Promise.all([receiving, sharing])
  await gateways.close(QUIT_MS)
  await warmUp.close().catch((error) => log.warn({ err: error }, 'reserved counts of the warm-up are lost'))
  await Promise.all([recovering, leases])
  journal.close()
  await recoverOwnMessages(recovery, id).catch((error) =>
    log.warn({ err: error }, 'recovery is left to the next sender'),
  )
  await lock.release()
  await close()
  await flushed
  port.close()
  // A receiver of traces that is away would be tried again for some time.
  if (sender.tracing) process.exit()
}

if (!parentPort) throw new Error('a sender runs as a thread')
await run(workerData as SenderThreadOptions, parentPort)
