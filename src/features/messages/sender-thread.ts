import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { connect, type Pool } from '../../database/connect.ts'
import { isUnavailable } from '../../database/errors.ts'
import { systemClock } from '../../lib/clock.ts'
import { reachOf } from '../../lib/guarded-client.ts'
import { type MasterKeys, tokenKeys } from '../../lib/tokens.ts'
import { createLog } from '../../log.ts'
import { openArchiveStore } from './archive-place.ts'
import { renewLeases } from './claim.ts'
import { openGatewayBook, type ReceivingBook } from './gateway-book.ts'
import { startJournal } from './journal.ts'
import { openMaterials } from './materials.ts'
import { type Lane, lanes } from './outbox.ts'
import { recoverSenders } from './recover.ts'
import { LEASE_MS, sendBatch } from './sender.ts'
import type { Sender } from './sender-context.ts'
import { openSigningKeys } from './signing-keys.ts'

/** What a sender thread is given. */
export interface SenderOptions {
  config: Config
  masterKeys: MasterKeys
  databaseUrl: string
}

/** What a sender thread tells: how many messages ended how. */
export interface SenderReport {
  endings: Record<string, number>
}

const CONNECTIONS = 8
/** How long an empty lane is left alone. */
const IDLE_MS = 100
const DATABASE_PAUSE_MS = 1000
const REFRESH_MS = 1000
/** Two loops keep the bulk lane busy: one claims while the other sends. */
const loops: readonly { lane: Lane; limit: number }[] = [
  { lane: lanes.urgent, limit: 50 },
  { lane: lanes.transactional, limit: 200 },
  { lane: lanes.bulk, limit: 1000 },
  { lane: lanes.bulk, limit: 1000 },
]

/** Works one lane until the sender is told to end. While the database is away it waits. */
async function work(sender: Sender, lane: Lane, limit: number): Promise<void> {
  const { signal, log } = sender
  while (!signal.aborted) {
    try {
      const claimed = await sendBatch(sender, lane, limit)
      if (claimed === 0) await delay(IDLE_MS, undefined, { signal })
    } catch (error) {
      if (signal.aborted) return
      if (!isUnavailable(error)) throw error
      log.warn({ err: error }, 'sending waits for the database')
      await delay(DATABASE_PAUSE_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function keepLeases({ db, id, clock, signal, log }: Sender): Promise<void> {
  while (!signal.aborted) {
    await delay(LEASE_MS / 5, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted)
      await renewLeases(db, id, new Date(clock.now() + LEASE_MS)).catch((error) =>
        log.warn({ err: error }, 'leases not renewed'),
      )
  }
}

/** Keeps gateways open though nothing is sent: receipts and replies come when they like. */
async function keepReceiving({ signal, log }: Sender, gateways: ReceivingBook): Promise<void> {
  while (!signal.aborted) {
    await gateways.refresh().catch((error) => log.warn({ err: error }, 'gateways not read'))
    await delay(REFRESH_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Keeps the lock of a sender's name until its connection breaks or the sender ends. */
async function keepName(client: PoolClient, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    client.once('error', () => resolve())
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  client.release(true)
}

async function takeName(pool: Pool, id: string): Promise<PoolClient> {
  const client = await pool.connect()
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [id])
  return client
}

/**
 * Takes the lock of a sender's name, so that nobody takes its messages for lost while it lives; gives what becomes of it
 * later: a lock that was lost with its connection is taken again.
 */
async function holdName(
  pool: Pool,
  id: string,
  { signal, log }: { signal: AbortSignal; log: Logger },
): Promise<{ ended: Promise<void> }> {
  let client = await takeName(pool, id)
  async function hold(): Promise<void> {
    await keepName(client, signal)
    while (!signal.aborted) {
      try {
        client = await takeName(pool, id)
      } catch (error) {
        log.warn({ err: error }, 'the name of the sender is not held')
        await delay(DATABASE_PAUSE_MS, undefined, { signal }).catch(() => undefined)
        continue
      }
      await keepName(client, signal)
    }
  }
  return { ended: hold() }
}

function reportTo(port: { postMessage(report: SenderReport): void } | null): Sender['observe'] {
  return (outcomes) => {
    const endings: Record<string, number> = {}
    for (const { ending } of outcomes) endings[ending.type] = (endings[ending.type] ?? 0) + 1
    port?.postMessage({ endings })
  }
}

async function run({ config, masterKeys, databaseUrl }: SenderOptions): Promise<void> {
  const stopping = new AbortController()
  parentPort?.once('message', () => stopping.abort())
  const { signal } = stopping
  const id = randomUUID()
  const log = createLog(config).child({ sender: id })
  const { db, pool, close } = connect(databaseUrl, {
    max: CONNECTIONS,
    applicationName: 'stentor sender',
    log: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  const clock = systemClock
  const materials = openMaterials(db, clock)
  // The name first: a journal without a living name is taken for one of the dead.
  const name = await holdName(pool, id, { signal, log })
  const journal = startJournal(config.dataDir, id)
  const gateways = openGatewayBook({ db, config, masterKeys, clock, log, receives: true })
  const sender: Sender = {
    id,
    db,
    clock,
    log,
    signal,
    journal,
    archives: openArchiveStore(config),
    materials,
    signing: openSigningKeys({ db, masterKeys, clock, log }),
    reach: reachOf(config.outgoingAllow),
    gateways,
    tokens: tokenKeys(masterKeys),
    observe: reportTo(parentPort),
  }
  await recoverSenders({ db, clock, log, materials, dataDir: config.dataDir })
  const leases = keepLeases(sender)
  const receiving = keepReceiving(sender, gateways)
  // The first loop that fails ends them all: the next thread takes up what this one leaves in its journal.
  await Promise.all(loops.map(({ lane, limit }) => work(sender, lane, limit))).finally(() => stopping.abort())
  await receiving
  await gateways.close()
  await Promise.all([name.ended, leases])
  journal.remove()
  await close()
  parentPort?.close()
}

await run(workerData as SenderOptions)
