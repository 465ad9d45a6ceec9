import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { loadVerifiedMasterKeys } from '../cli/commands/master-keys.ts'
import { type ProcessRole, processRoles, type ServiceConfig } from '../config.ts'
import type { ServiceContext } from '../context.ts'
import { openDatabase } from '../database/connection/open.ts'
import { retryWhileUnavailable } from '../database/connection/while-unavailable.ts'
import { findUnknownTimeZones } from '../features/accounts/unknown-zones.ts'
import { createDesignCompiler } from '../features/designs/compiler.ts'
import { ensureEventPartitions } from '../features/events/partitions.ts'
import { connectEventStore } from '../features/events/store/store-connection.ts'
import { buildConsoleLink, createSetUpToken } from '../features/people/members/links.ts'
import type { HttpApp } from '../http/app-type.ts'
import { createDueWorkWatch } from '../jobs/due-watch.ts'
import { isResolvedWithin } from '../lib/concurrency/within.ts'
import { createAccountTokenKeys } from '../lib/crypto/tokens.ts'
import { findFreePort } from '../lib/net/free-port.ts'
import { openTracing } from '../lib/telemetry/open-tracing.ts'
import { systemClock } from '../lib/time/clock.ts'
import { type ClockStepWatch, createClockStepWatch } from '../lib/time/clock-steps.ts'
import { PROGRAM_VERSION } from '../version.ts'
import { bootstrapDemoAccount } from './bootstrap.ts'
import { secureDataDirectory } from './data-directory.ts'
import { installDatabase } from './install.ts'
import { startMachineHeartbeat } from './machine.ts'
import { registerProcessMetrics, startMetricsListener } from './metrics.ts'

/** The parts are loaded once settings and database are known to be good: a start that fails says so at once. */
const loadParts = async () => ({
  ...(await import('../app.ts')),
  ...(await import('../features/rendering/render-pool.ts')),
  ...(await import('../scripting/sandbox/sandbox.ts')),
})

/** A phase of a stop that takes longer is abandoned: leases and journals recover its work. */
const PHASE_MS = 4500
/** A stop that takes longer in all is given up; the database, which is stopped last, has the rest of this time. */
const STOP_MS = 20_000

export interface RunningService {
  /** Where the HTTP server listens: every role serves its health and metrics there. */
  url: string
  /** The first account and its key, when this start made them. */
  made: { account: string; key: string } | undefined
  /** Where people open the console. */
  console: string
  /** The link that sets up the first person, while there is none. */
  setUp: string | undefined
  /** Gives whether all parts stopped in time: what did not must not keep the process running. */
  stop(): Promise<boolean>
}

type Stop = () => Promise<void>

/** Stops all parts in reverse order of starting, also when one fails or takes too long. Gives whether that ended in time. */
async function stopAll(stops: Stop[], log: Logger): Promise<boolean> {
  async function stopInTurn(): Promise<void> {
    for (const [index, stop] of [...stops.entries()].toReversed()) {
      const stopped = stop().catch((error) => log.error({ err: error }, 'a part did not stop in order'))
      if (!(await isResolvedWithin(index === 0 ? STOP_MS : PHASE_MS, stopped)))
        log.warn('a part did not stop in time: abandoned')
    }
  }
  const isInTime = await isResolvedWithin(STOP_MS, stopInTurn())
  if (!isInTime) log.error('stopping took too long; the rest is released by lease')
  return isInTime
}

/** Fills in the port and the public address, which links need before the server listens. */
async function completeConfig(config: ServiceConfig): Promise<ServiceConfig> {
  const httpPort = config.httpPort === 0 ? await findFreePort(config.httpHost) : config.httpPort
  return { ...config, httpPort, publicUrl: config.publicUrl === '' ? `http://localhost:${httpPort}` : config.publicUrl }
}

/** What a start logs to, and what ends it early. */
interface Starting {
  log: Logger
  /** Ends the waits for a database that is away. */
  signal: AbortSignal
}

/**
 * Opens the database, migrates it, checks that the master keys are its own, and makes the first account. A database that cannot be
 * reached at first is an error; one that is lost later is waited for.
 */
async function prepare(config: ServiceConfig, starting: Starting, stops: Stop[]) {
  const { log } = starting
  const database = await openDatabase(config, log)
  stops.push(database.close)
  secureDataDirectory({ dataDir: config.dataDir, log })
  const { db, pool } = database
  const applied = await retryWhileUnavailable(starting, async () => {
    const names = await installDatabase(pool, log)
    await ensureEventPartitions(db, 3)
    return names
  })
  if (applied.length > 0) log.info({ applied: applied.length }, 'database migrated')
  const zones = await retryWhileUnavailable(starting, () => findUnknownTimeZones(db))
  for (const unknown of zones) log.warn(unknown, 'time zone unknown to the database')
  const store = await connectEventStore(db, config)
  if (store) stops.push(() => store.close())
  const now = new Date(systemClock.now())
  const masterKeys = await retryWhileUnavailable(starting, () => loadVerifiedMasterKeys(db, config, now))
  return {
    database,
    masterKeys,
    made: await retryWhileUnavailable(starting, () => bootstrapDemoAccount(db, config, now)),
  }
}

/** The HTTP server of every role. Gives its address. */
async function listen({ config }: ServiceContext, app: HttpApp, stops: Stop[]): Promise<string> {
  stops.push(() => app.close())
  await app.listen({ host: config.httpHost, port: config.httpPort })
  const isEverywhere = ['0.0.0.0', '::', '127.0.0.1'].includes(config.httpHost)
  return `http://${isEverywhere ? 'localhost' : config.httpHost}:${config.httpPort}`
}

/** After so long without work a process that plays all roles looks for some less often. */
const RESTS_AFTER_MS = 10_000

/** What the roles of a process share. */
interface RoleParts {
  played: readonly ProcessRole[]
  registry: Registry
  databaseUrl: string
  steps: ClockStepWatch
  starting: AbortSignal
}

/** Starts what roles do beside answering requests, one after the other; each is loaded when it is played. Gives how each is stopped. */
async function* startRoles(
  context: ServiceContext,
  { played, registry, databaseUrl, steps, starting }: RoleParts,
): AsyncGenerator<Stop> {
  const { config, masterKeys, log } = context
  const isWhole = processRoles.every((role) => played.includes(role))
  const watch = createDueWorkWatch(context, { steps, ...(isWhole && { restsAfterMs: RESTS_AFTER_MS }) })
  if (played.includes('sender') || played.includes('jobs')) {
    const { startLateWorkWatch } = await import('./late-work.ts')
    yield startLateWorkWatch(context, steps)
  }
  if (played.includes('inbound')) {
    const { startMailListener } = await import('../features/inbound/mail/mail-listener.ts')
    yield (await startMailListener(context, registry)).stop
  }
  if (played.includes('sender')) {
    const { startSenders } = await import('../sending/senders/senders.ts')
    yield startSenders({ config, masterKeys, databaseUrl }, { log, registry, watch })
  }
  if (played.includes('api') && !played.includes('jobs')) {
    const { startLocalFilePurge } = await import('./local-files.ts')
    yield startLocalFilePurge(context)
  }
  if (played.includes('jobs')) {
    const { startJobsRole } = await import('./periodic-tasks.ts')
    yield await startJobsRole(context, databaseUrl, { registry, watch, starting })
  }
}

/** Opens what requests and roles compute with beside the database, and what is traced. */
async function openParts(config: ServiceConfig, log: Logger, stops: Stop[]) {
  const tracing = await openTracing(config.traces, { version: PROGRAM_VERSION, log })
  // Only the database is stopped after it: what other parts end with is traced.
  if (tracing) stops.push(() => tracing.close())
  const { buildApiServer: buildApi, createRenderPool, createSandbox } = await loadParts()
  const renders = createRenderPool({ threads: config.renderThreads, queueLimit: 1000 })
  stops.push(() => renders.close())
  const designs = createDesignCompiler()
  stops.push(() => designs.close())
  const cores = config.scripts.cores || availableParallelism()
  const report = (error: unknown) => log.error({ err: error }, 'a function that a script called failed')
  const sandbox = createSandbox({ ...config.scripts, cores, report })
  stops.push(() => sandbox.close())
  return { buildApi, tracing, renders, designs, sandbox }
}

/**
 * Starts the given roles on the database of the configuration. When a part cannot start, what was started is stopped. A database that
 * is lost meanwhile is waited for until `signal` is aborted.
 */
export async function startService(
  given: ServiceConfig,
  log: Logger,
  played: readonly ProcessRole[],
  signal: AbortSignal = new AbortController().signal,
): Promise<RunningService> {
  const stops: Stop[] = []
  const starting = { log, signal }
  let isStarted = false
  try {
    const config = await completeConfig(given)
    const { database, masterKeys, made } = await prepare(config, starting, stops)
    const { buildApi, ...parts } = await openParts(config, log, stops)
    const { db, pool } = database
    const tokens = createAccountTokenKeys(masterKeys)
    const context: ServiceContext = { db, pool, config, log, clock: systemClock, masterKeys, tokens, ...parts }
    const registry = new Registry()
    registerProcessMetrics(registry)
    if (config.metricsPort > 0) stops.push(await startMetricsListener(config, registry))
    const steps = createClockStepWatch({ log, registry })
    stops.push(await retryWhileUnavailable(starting, () => startMachineHeartbeat(context, steps)))
    const app = await buildApi(context, registry, played, () => isStarted)
    const url = await listen(context, app, stops)
    const roleParts = { played, registry, databaseUrl: database.url, steps, starting: signal }
    for await (const stop of startRoles(context, roleParts)) stops.push(stop)
    const findSetUp = () => retryWhileUnavailable(starting, () => createSetUpToken(db, systemClock.now()))
    const setUp = played.includes('api') ? await findSetUp() : undefined
    isStarted = true
    return {
      ...{ url, made, console: `${config.publicUrl}/console/` },
      setUp: setUp && buildConsoleLink(config.publicUrl, 'setup', setUp),
      stop: () => stopAll(stops, log),
    }
  } catch (error) {
    await stopAll(stops, log)
    throw error
  }
}
