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
const STOP_PHASE_MS = 4500
/** A stop that takes longer in all is given up; the database, which is stopped last, has the rest of this time. */
const STOP_TIMEOUT_MS = 20_000

export interface RunningService {
  /** The address of the HTTP server: every role serves its health and metrics there. */
  url: string
  /** The first account and its key, when this start made them. */
  made: { account: string; key: string } | undefined
  /** The address of the console. */
  console: string
  /** The link that sets up the first person; undefined if there is one already. */
  setUp: string | undefined
  /** Gives whether all parts stopped in time: what did not must not keep the process running. */
  stop(): Promise<boolean>
}

type StopFunction = () => Promise<void>

/** Stops all parts in reverse order of starting, also when one fails or takes too long. Gives whether that ended in time. */
async function stopAll(stopFunctions: StopFunction[], log: Logger): Promise<boolean> {
  async function stopInTurn(): Promise<void> {
    for (const [index, stopPart] of [...stopFunctions.entries()].toReversed()) {
      const stopResult = stopPart().catch((error) => log.error({ err: error }, 'component failed to stop'))
      if (!(await isResolvedWithin(index === 0 ? STOP_TIMEOUT_MS : STOP_PHASE_MS, stopResult)))
        log.warn('component did not stop in time: abandoned')
    }
  }
  const isInTime = await isResolvedWithin(STOP_TIMEOUT_MS, stopInTurn())
  if (!isInTime) log.error('shutdown timed out: remaining work is released when its leases expire')
  return isInTime
}

/** Fills in the port and the public address, which links need before the server listens. */
async function completeConfig(config: ServiceConfig): Promise<ServiceConfig> {
  const httpPort = config.httpPort === 0 ? await findFreePort(config.httpHost) : config.httpPort
  return { ...config, httpPort, publicUrl: config.publicUrl === '' ? `http://localhost:${httpPort}` : config.publicUrl }
}

/** The ways in which a start is followed and ended early. */
interface StartOptions {
  /** Ends the waits for a database that is away. */
  signal?: AbortSignal
  /** Takes a sentence before each slow step. */
  announce?: (step: string) => void
}

interface StartContext extends Required<StartOptions> {
  log: Logger
}

/**
 * Opens the database, migrates it, checks that the master keys are its own, and makes the first account. A database that cannot be
 * reached at first is an error; one that is lost later is waited for.
 */
async function prepareDatabase(config: ServiceConfig, starting: StartContext, stopFunctions: StopFunction[]) {
  const { log, announce } = starting
  const database = await openDatabase(config, log, { announce })
  stopFunctions.push(database.close)
  secureDataDirectory({ dataDir: config.dataDir, log })
  const { db, pool } = database
  const appliedMigrations = await retryWhileUnavailable(starting, async () => {
    const appliedNames = await installDatabase(pool, log, announce)
    await ensureEventPartitions(db, 3)
    return appliedNames
  })
  if (appliedMigrations.length > 0) log.info({ applied: appliedMigrations.length }, 'database migrated')
  const unknownZones = await retryWhileUnavailable(starting, () => findUnknownTimeZones(db))
  for (const unknownZone of unknownZones) log.warn(unknownZone, 'time zone unknown to the database')
  const store = await connectEventStore(db, config)
  if (store) stopFunctions.push(() => store.close())
  const now = new Date(systemClock.now())
  const masterKeys = await retryWhileUnavailable(starting, () => loadVerifiedMasterKeys(db, config, now))
  return {
    database,
    masterKeys,
    made: await retryWhileUnavailable(starting, () => bootstrapDemoAccount(db, config, now)),
  }
}

/** The HTTP server of every role. Gives its address. */
async function startHttpServer(
  { config }: ServiceContext,
  app: HttpApp,
  stopFunctions: StopFunction[],
): Promise<string> {
  stopFunctions.push(() => app.close())
  await app.listen({ host: config.httpHost, port: config.httpPort })
  const isEverywhere = ['0.0.0.0', '::', '127.0.0.1'].includes(config.httpHost)
  return `http://${isEverywhere ? 'localhost' : config.httpHost}:${config.httpPort}`
}

/** After so long without work a process that plays all roles looks for some less often. */
const IDLE_AFTER_MS = 10_000

/** Parts that the roles of a process share. */
interface RoleParts {
  played: readonly ProcessRole[]
  registry: Registry
  databaseUrl: string
  steps: ClockStepWatch
  starting: AbortSignal
}

/**
 * Starts the work of roles in addition to answering requests, one role after the other; each is loaded when it is started. Yields the
 * functions that stop them.
 */
async function* startRoles(
  context: ServiceContext,
  { played, registry, databaseUrl, steps, starting }: RoleParts,
): AsyncGenerator<StopFunction> {
  const { config, masterKeys, log } = context
  const playsAllRoles = processRoles.every((role) => played.includes(role))
  const dueWorkWatch = createDueWorkWatch(context, { steps, ...(playsAllRoles && { restsAfterMs: IDLE_AFTER_MS }) })
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
    yield startSenders({ config, masterKeys, databaseUrl }, { log, registry, watch: dueWorkWatch })
  }
  if (played.includes('api') && !played.includes('jobs')) {
    const { startLocalFilePurge } = await import('./local-files.ts')
    yield startLocalFilePurge(context)
  }
  if (played.includes('jobs')) {
    const { startJobsRole } = await import('./periodic-tasks.ts')
    yield await startJobsRole(context, databaseUrl, { registry, watch: dueWorkWatch, starting })
  }
}

/** Opens the workers that requests and roles compute with in addition to the database, and tracing. */
async function openServiceParts(config: ServiceConfig, log: Logger, stopFunctions: StopFunction[]) {
  const tracing = await openTracing(config.traces, { version: PROGRAM_VERSION, log })
  // Only the database is stopped after it: what other parts end with is traced.
  if (tracing) stopFunctions.push(() => tracing.close())
  const { buildApiServer: buildApi, createRenderPool, createSandbox } = await loadParts()
  const renderPool = createRenderPool({ threads: config.renderThreads, queueLimit: 1000 })
  stopFunctions.push(() => renderPool.close())
  const designCompiler = createDesignCompiler()
  stopFunctions.push(() => designCompiler.close())
  const scriptCores = config.scripts.cores || availableParallelism()
  const reportError = (error: unknown) => log.error({ err: error }, 'function called by a script failed')
  const sandbox = createSandbox({ ...config.scripts, cores: scriptCores, report: reportError })
  stopFunctions.push(() => sandbox.close())
  return { buildApi, tracing, renders: renderPool, designs: designCompiler, sandbox }
}

/**
 * Starts the given roles on the database of the configuration. When a part cannot start, what was started is stopped. A database that
 * is lost meanwhile is waited for until `signal` is aborted.
 */
export async function startService(
  initialConfig: ServiceConfig,
  log: Logger,
  played: readonly ProcessRole[],
  { signal = new AbortController().signal, announce = () => undefined }: StartOptions = {},
): Promise<RunningService> {
  const stopFunctions: StopFunction[] = []
  const startContext = { log, signal, announce }
  let isStarted = false
  try {
    const config = await completeConfig(initialConfig)
    const { database, masterKeys, made: demoAccount } = await prepareDatabase(config, startContext, stopFunctions)
    const { buildApi, ...parts } = await openServiceParts(config, log, stopFunctions)
    const { db, pool } = database
    const tokenKeys = createAccountTokenKeys(masterKeys)
    const context: ServiceContext = {
      db,
      pool,
      config,
      log,
      clock: systemClock,
      masterKeys,
      tokens: tokenKeys,
      ...parts,
    }
    const registry = new Registry()
    registerProcessMetrics(registry)
    if (config.metricsPort > 0) stopFunctions.push(await startMetricsListener(config, registry))
    const clockSteps = createClockStepWatch({ log, registry })
    stopFunctions.push(await retryWhileUnavailable(startContext, () => startMachineHeartbeat(context, clockSteps)))
    const app = await buildApi(context, registry, played, () => isStarted)
    const url = await startHttpServer(context, app, stopFunctions)
    const roleParts = { played, registry, databaseUrl: database.url, steps: clockSteps, starting: signal }
    for await (const stop of startRoles(context, roleParts)) stopFunctions.push(stop)
    const findSetUp = () => retryWhileUnavailable(startContext, () => createSetUpToken(db, systemClock.now()))
    const setupLink = played.includes('api') ? await findSetUp() : undefined
    isStarted = true
    return {
      url,
      made: demoAccount,
      console: `${config.publicUrl}/console/`,
      setUp: setupLink && buildConsoleLink(config.publicUrl, 'setup', setupLink),
      stop: () => stopAll(stopFunctions, log),
    }
  } catch (error) {
    await stopAll(stopFunctions, log)
    throw error
  }
}
