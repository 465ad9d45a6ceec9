import { availableParallelism } from 'node:os'
import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import { checkedMasterKeys } from '../cli/commands/master-keys.ts'
import { type Config, type Role, roles } from '../config.ts'
import type { Context } from '../context.ts'
import { openDatabase } from '../database/connection/open.ts'
import { retryWhileUnavailable } from '../database/connection/while-unavailable.ts'
import { findUnknownZones } from '../features/accounts/unknown-zones.ts'
import { createCompiler } from '../features/designs/compiler.ts'
import { ensurePartitions } from '../features/events/partitions.ts'
import { connectStore } from '../features/events/store/store-connection.ts'
import { consoleLink, makeSetUp } from '../features/people/members/links.ts'
import type { App } from '../http/app-type.ts'
import { createDueWatch } from '../jobs/due-watch.ts'
import { within } from '../lib/concurrency/within.ts'
import { tokenKeys } from '../lib/crypto/tokens.ts'
import { freePort } from '../lib/net/free-port.ts'
import { openTracing } from '../lib/telemetry/open-tracing.ts'
import { systemClock } from '../lib/time/clock.ts'
import { type ClockSteps, watchClockSteps } from '../lib/time/clock-steps.ts'
import { VERSION } from '../version.ts'
import { bootstrap } from './bootstrap.ts'
import { closeDataDirectory } from './data-directory.ts'
import { installDatabase } from './install.ts'
import { keepMachineKnown } from './machine.ts'
import { collectProcessMetrics, startMetricsListener } from './metrics.ts'

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

export interface Service {
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
      if (!(await within(index === 0 ? STOP_MS : PHASE_MS, stopped))) log.warn('a part did not stop in time: abandoned')
    }
  }
  const isInTime = await within(STOP_MS, stopInTurn())
  if (!isInTime) log.error('stopping took too long; the rest is released by lease')
  return isInTime
}

/** Fills in the port and the public address, which links need before the server listens. */
async function completeConfig(config: Config): Promise<Config> {
  const httpPort = config.httpPort === 0 ? await freePort(config.httpHost) : config.httpPort
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
async function prepare(config: Config, starting: Starting, stops: Stop[]) {
  const { log } = starting
  const database = await openDatabase(config, log)
  stops.push(database.close)
  closeDataDirectory({ dataDir: config.dataDir, log })
  const { db, pool } = database
  const applied = await retryWhileUnavailable(starting, async () => {
    const names = await installDatabase(pool, log)
    await ensurePartitions(db, 3)
    return names
  })
  if (applied.length > 0) log.info({ applied: applied.length }, 'database migrated')
  const zones = await retryWhileUnavailable(starting, () => findUnknownZones(db))
  for (const unknown of zones) log.warn(unknown, 'time zone unknown to the database')
  const store = await connectStore(db, config)
  if (store) stops.push(() => store.close())
  const now = new Date(systemClock.now())
  const masterKeys = await retryWhileUnavailable(starting, () => checkedMasterKeys(db, config, now))
  return { database, masterKeys, made: await retryWhileUnavailable(starting, () => bootstrap(db, config, now)) }
}

/** The HTTP server of every role. Gives its address. */
async function listen({ config }: Context, app: App, stops: Stop[]): Promise<string> {
  stops.push(() => app.close())
  await app.listen({ host: config.httpHost, port: config.httpPort })
  const isEverywhere = ['0.0.0.0', '::', '127.0.0.1'].includes(config.httpHost)
  return `http://${isEverywhere ? 'localhost' : config.httpHost}:${config.httpPort}`
}

/** After so long without work a process that plays all roles looks for some less often. */
const RESTS_AFTER_MS = 10_000

/** What the roles of a process share. */
interface RoleParts {
  played: readonly Role[]
  registry: Registry
  databaseUrl: string
  steps: ClockSteps
  starting: AbortSignal
}

/** Starts what roles do beside answering requests, one after the other; each is loaded when it is played. Gives how each is stopped. */
async function* startRoles(
  context: Context,
  { played, registry, databaseUrl, steps, starting }: RoleParts,
): AsyncGenerator<Stop> {
  const { config, masterKeys, log } = context
  const isWhole = roles.every((role) => played.includes(role))
  const watch = createDueWatch(context, { steps, ...(isWhole && { restsAfterMs: RESTS_AFTER_MS }) })
  if (played.includes('sender') || played.includes('jobs')) {
    const { keepWorkDue } = await import('./late-work.ts')
    yield keepWorkDue(context, steps)
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
    const { keepSwept } = await import('./local-files.ts')
    yield keepSwept(context)
  }
  if (played.includes('jobs')) {
    const { startTasks } = await import('./periodic-tasks.ts')
    yield await startTasks(context, databaseUrl, { registry, watch, starting })
  }
}

/** Opens what requests and roles compute with beside the database, and what is traced. */
async function openParts(config: Config, log: Logger, stops: Stop[]) {
  const tracing = await openTracing(config.traces, { version: VERSION, log })
  // Only the database is stopped after it: what other parts end with is traced.
  if (tracing) stops.push(() => tracing.close())
  const { buildApi, createRenderPool, createSandbox } = await loadParts()
  const renders = createRenderPool({ threads: config.renderThreads, queueLimit: 1000 })
  stops.push(() => renders.close())
  const designs = createCompiler()
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
  given: Config,
  log: Logger,
  played: readonly Role[],
  signal: AbortSignal = new AbortController().signal,
): Promise<Service> {
  const stops: Stop[] = []
  const starting = { log, signal }
  let isStarted = false
  try {
    const config = await completeConfig(given)
    const { database, masterKeys, made } = await prepare(config, starting, stops)
    const { buildApi, ...parts } = await openParts(config, log, stops)
    const { db, pool } = database
    const tokens = tokenKeys(masterKeys)
    const context: Context = { db, pool, config, log, clock: systemClock, masterKeys, tokens, ...parts }
    const registry = new Registry()
    collectProcessMetrics(registry)
    if (config.metricsPort > 0) stops.push(await startMetricsListener(config, registry))
    const steps = watchClockSteps({ log, registry })
    stops.push(await retryWhileUnavailable(starting, () => keepMachineKnown(context, steps)))
    const app = await buildApi(context, registry, played, () => isStarted)
    const url = await listen(context, app, stops)
    const roleParts = { played, registry, databaseUrl: database.url, steps, starting: signal }
    for await (const stop of startRoles(context, roleParts)) stops.push(stop)
    const findSetUp = () => retryWhileUnavailable(starting, () => makeSetUp(db, systemClock.now()))
    const setUp = played.includes('api') ? await findSetUp() : undefined
    isStarted = true
    return {
      ...{ url, made, console: `${config.publicUrl}/console/` },
      setUp: setUp && consoleLink(config.publicUrl, 'setup', setUp),
      stop: () => stopAll(stops, log),
    }
  } catch (error) {
    await stopAll(stops, log)
    throw error
  }
}
