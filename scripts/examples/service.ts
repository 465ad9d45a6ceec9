import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import type { ServiceContext } from '../../src/context.ts'
import { openArchiveStore } from '../../src/features/archives/archive-place.ts'
import { createPasswordHasher } from '../../src/features/people/sign-in/passwords.ts'
import { isWebhookBusy } from '../../src/features/webhooks/queue.ts'
import { builtInDestinations } from '../../src/gateways/smtp-direct/destination-table.ts'
import type { HttpApp } from '../../src/http/app-type.ts'
import { runDueJobs } from '../../src/jobs/runner.ts'
import { createAccountTokenKeys } from '../../src/lib/crypto/tokens.ts'
import { outboxLanes } from '../../src/lib/lanes.ts'
import { createOutboundPolicy } from '../../src/lib/net/guarded-client.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createLogger } from '../../src/log.ts'
import { openGatewayRegistry } from '../../src/sending/gateway-registry/gateway-registry.ts'
import { openSenderCache } from '../../src/sending/prepare/sender-cache.ts'
import { openSenderSigningKeys } from '../../src/sending/prepare/signing-keys.ts'
import { startSenderJournal } from '../../src/sending/recover/journal.ts'
import { sendMessageBatch } from '../../src/sending/senders/sender.ts'
import type { SenderContext } from '../../src/sending/senders/sender-context.ts'
import { openRateLimiter } from '../../src/sending/shaping/rate-limiter.ts'
import { createPeriodicTasks, createTaskHandlers } from '../../src/service/periodic-tasks.ts'
import { cloneDatabase } from '../../test/support/database/database.ts'
import { shareEngines } from '../../test/support/engines.ts'
import { type ExamplePeers, startExamplePeers } from './peers.ts'

/** The service in this process, on a database of its own. What it otherwise does by itself is done in `settle`. */
export interface ExampleService {
  app: HttpApp
  context: ServiceContext
  registry: Registry
  /** The peers that the service sends to. */
  peers: ExamplePeers
  /** Runs jobs, periodic tasks and the sender in turns, until nothing is due. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** The public address in links. */
export const PUBLIC_URL = 'https://stentor.example'

/** Passwords here protect nothing, and are hashed at the lowest cost. */
const LOW_COST = { memory: 1024, passes: 1, parallelism: 1 }
const SENDER_ID = '7a1c5f3e-2b64-4d0a-9c1e-5f6a7b8c9d0e'
const BATCH_SIZE = 500
const MAX_ROUNDS = 12
const WEBHOOK_PAUSE_MS = 20
/** Waits for a round of another task, so it would never end here. */
const CONCURRENT_TASK = 'perform workflows in addition'

async function buildExampleContext(
  dataDir: string,
  database: Awaited<ReturnType<typeof cloneDatabase>>,
  peers: ExamplePeers,
): Promise<ServiceContext> {
  const config = readConfig({
    STENTOR_PUBLIC_URL: PUBLIC_URL,
    STENTOR_DATA_DIR: dataDir,
    STENTOR_LOG_LEVEL: process.env['STENTOR_LOG_LEVEL'] ?? 'silent',
    STENTOR_PUBLIC_WEBTASKS: 'on',
    STENTOR_SMTP_IN_HOST: '127.0.0.1',
    STENTOR_SMTP_IN_PORT: '0',
    STENTOR_OUTGOING_ALLOW: peers.hosts.join(','),
    STENTOR_PUSH_HOSTS: peers.push.peers.webpush.host,
    STENTOR_DNS_SERVERS: peers.dns.address,
  })
  const masterKeys = [{ number: 0, key: Buffer.alloc(32, 'an example') }]
  return {
    db: database.db,
    pool: database.pool,
    config,
    log: createLogger(config),
    clock: systemClock,
    masterKeys,
    tokens: createAccountTokenKeys(masterKeys),
    ...shareEngines(),
    passwords: createPasswordHasher(LOW_COST),
  }
}

function openExampleSender(context: ServiceContext, signal: AbortSignal): SenderContext {
  const { db, clock, log, tokens, config, masterKeys } = context
  return {
    id: SENDER_ID,
    db,
    clock,
    log,
    tokens,
    signal,
    gateways: openGatewayRegistry({
      db,
      config,
      masterKeys,
      clock,
      log,
      limiter: openRateLimiter(db, log),
      configured: [],
      destinations: builtInDestinations,
      receives: true,
    }),
    journal: startSenderJournal(config.dataDir, SENDER_ID),
    archives: openArchiveStore(config),
    cache: openSenderCache(db, clock),
    signing: openSenderSigningKeys(context),
    reach: createOutboundPolicy(config.outgoingAllow),
    observe: () => undefined,
  }
}

async function sendDueMessages(sender: SenderContext): Promise<number> {
  let total = 0
  for (let claimed = 1; claimed > 0; total += claimed) {
    claimed = 0
    for (const lane of Object.values(outboxLanes)) claimed += await sendMessageBatch(sender, lane, BATCH_SIZE)
  }
  return total
}

async function countDueJobs({ pool }: ServiceContext): Promise<number> {
  const { rowCount } = await pool.query(
    'select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts and locked_at is null',
  )
  return rowCount ?? 0
}

/** Resolves when no webhook has a request on its way. */
async function waitForWebhooks({ db }: ServiceContext, dispatch: () => Promise<unknown>): Promise<void> {
  for (;;) {
    await dispatch()
    const { rows } = await sql<{ busy: boolean }>`select ${isWebhookBusy(new Date(systemClock.now()))} as busy`.execute(
      db,
    )
    if (!rows[0]?.busy) return
    await delay(WEBHOOK_PAUSE_MS)
  }
}

/** Starts it. */
export async function startExampleService(): Promise<ExampleService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stentor-examples-'))
  const database = await cloneDatabase()
  const peers = await startExamplePeers()
  const context = await buildExampleContext(dataDir, database, peers)
  const registry = new Registry()
  const app = await buildApiServer(context, registry)
  await app.ready()
  const stopping = new AbortController()
  const sender = openExampleSender(context, stopping.signal)
  const periodic = createPeriodicTasks(context, registry)
  const handlers = createTaskHandlers(context)
  async function settle(): Promise<void> {
    for (let round = 0, moved = 1; moved > 0 && round < MAX_ROUNDS; round++) {
      moved = await countDueJobs(context)
      await runDueJobs(context.pool, context.log, handlers)
      moved += await sendDueMessages(sender)
      for (const { name, work } of periodic.tasks)
        if (name === 'deliver webhooks') await waitForWebhooks(context, () => work(stopping.signal))
        else if (name !== CONCURRENT_TASK) await work(stopping.signal)
      moved += (await countDueJobs(context)) + (await sendDueMessages(sender))
    }
  }
  return {
    app,
    context,
    registry,
    peers,
    settle,
    async stop() {
      stopping.abort()
      await periodic.stop(Promise.resolve())
      await app.close()
      await sender.gateways.close(0)
      sender.journal.close()
      await peers.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
