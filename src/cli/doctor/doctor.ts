import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import { type Config, roles } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { openStore } from '../../features/events/columnar/store.ts'
import { checkVersion } from '../../features/events/columnar-copy/create.ts'
import { oldestUncopied, readStoreState } from '../../features/events/store/store-state.ts'
import type { GatewayRow } from '../../gateways/definition.ts'
import { reasonOf } from '../../lib/errors/reason.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { configuredGateways } from '../../sending/gateways/configured-gateways.ts'
import { checkGateway } from '../../sending/gateways/gateway-check.ts'
import { loadGateways } from '../../sending/gateways/gateway-rows.ts'
import { untrustedProxy } from '../../sending/senders/machines.ts'
import { checkedMasterKeys } from '../commands/master-keys.ts'
import { findPortFaults, findSettingFaults } from '../setting-faults.ts'
import type { Command } from '../usage.ts'
import { withDatabase } from '../with-database.ts'
import { checkAddresses } from './doctor-addresses.ts'
import { nameOpenApplications } from './doctor-applications.ts'
import { checkDisk, foreseeDisk } from './doctor-disk.ts'
import { checkRcsProfiles } from './doctor-rcs.ts'
import { checkSpools } from './doctor-spools.ts'
import { checkTasks } from './doctor-tasks.ts'
import { checkWork } from './doctor-work.ts'
import { checkZones } from './doctor-zones.ts'
import type { Finding } from './finding.ts'

/** Links and events carry times: a clock that is off by more misleads people and the detection of robots. */
const MAX_DRIFT_MS = 2000
/** How long a service on this machine may take to say that it runs. */
const SERVING_MS = 2000

/** What is wrong with settings, or that they can be used. */
async function checkSettings(config: Config): Promise<Finding[]> {
  const subject = 'settings'
  const faults = await findSettingFaults(config)
  if (faults.length === 0) return [{ subject, ok: true, seen: 'can be used' }]
  return faults.map((seen) => ({ subject, ok: false, seen }))
}

/** True if a service answers at the address of the settings. */
async function isServing({ httpHost, httpPort }: Config): Promise<boolean> {
  const host = isIPv6(httpHost) ? `[${httpHost}]` : httpHost
  const answer = fetch(`http://${host}:${httpPort}/health/live`, { signal: AbortSignal.timeout(SERVING_MS) })
  return answer.then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The ports of all roles, which a service that runs holds itself. */
async function checkPorts(config: Config, serves: boolean): Promise<Finding[]> {
  const subject = 'ports'
  if (serves) return [{ subject, ok: true, seen: 'in use by Stentor, which is running' }]
  const faults = await findPortFaults(config, roles)
  if (faults.length === 0) return [{ subject, ok: true, seen: 'free' }]
  return faults.map((seen) => ({ subject, ok: false, seen }))
}

async function checkGateways(config: Config, rows: Awaited<ReturnType<typeof loadGateways>>): Promise<Finding[]> {
  const all = [...rows, ...configuredGateways(config)]
  if (all.length === 0) {
    return [
      { subject: 'gateways', ok: true, seen: 'none: messages are captured below the data directory, nothing leaves' },
    ]
  }
  return Promise.all(all.map((row) => tryGateway(config, row)))
}

/** Tries a gateway as sending would. */
async function tryGateway(config: Config, row: GatewayRow): Promise<Finding> {
  const subject = `gateway ${row.name}`
  try {
    const { ok, detail } = await checkGateway(row, { config, clock: systemClock })
    return { subject, ok, seen: detail, advice: 'Look at its address, its credentials and the firewall between.' }
  } catch (error) {
    return { subject, ok: false, seen: reasonOf(error), advice: 'Correct its settings, or remove it and add it anew.' }
  }
}

/** The master key, and the gateways and RCS profiles, whose credentials it opens. */
async function checkSealed(config: Config, db: Db, asks: boolean): Promise<Finding[]> {
  const subject = 'master key'
  try {
    const keys = await checkedMasterKeys(db, config, new Date(systemClock.now()))
    const [newest] = keys
    const finding = { subject, ok: true, seen: `number ${newest?.number} seals, and is that of the database` }
    const gateways = await checkGateways(config, await loadGateways(db, keys))
    return [finding, ...gateways, ...(await checkRcsProfiles(config, db, keys, { asks }))]
  } catch (error) {
    return [{ subject, ok: false, seen: reasonOf(error) }]
  }
}

/** An event that waits for longer means that nothing copies, or that the store is away. */
const MAX_UNCOPIED_MS = 300_000

/** The column store of events, where one is configured: that it answers, and how far it is. */
async function checkEventsStore({ events, eventsHotDays }: Config, db: Db): Promise<Finding[]> {
  const subject = 'events store'
  if (!events) return []
  const store = openStore(events, eventsHotDays)
  try {
    const version = await checkVersion(store)
    const state = await readStoreState(db)
    const { ageMs } = await oldestUncopied(db)
    const age = `the oldest event that it does not have is ${Math.round(ageMs / 1000)} s old`
    return [
      {
        subject,
        ok: state !== undefined && ageMs <= MAX_UNCOPIED_MS,
        seen: `ClickHouse ${version}; ${state ? age : 'it has no tables yet'}`,
        advice: state ? 'Let the role jobs run, and look at its log.' : 'stentor events-store create',
      },
    ]
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error
    return [
      { subject, ok: false, seen: reasonOf(cause), advice: 'Look at STENTOR_EVENTS_URL and the firewall between.' },
    ]
  } finally {
    await store.close()
  }
}

/** A finding on a proxy that sent requests in the last hour without being trusted. */
async function checkProxies(db: Db): Promise<Finding[]> {
  const address = await untrustedProxy(db, systemClock.now())
  if (address === undefined) return []
  const seen = `${address} sends X-Forwarded-For and is not trusted: all visitors share its address`
  return [{ subject: 'proxy', ok: false, seen, advice: `If it is yours, set STENTOR_TRUSTED_PROXIES=${address}.` }]
}

/** What is known before the database is asked. */
interface Asked {
  /** A service runs here. */
  serves: boolean
  /** The addresses of RCS profiles are called. */
  asks: boolean
}

async function checkDatabase(config: Config, { serves, asks }: Asked): Promise<Finding[]> {
  try {
    return await withDatabase(config, async ({ db }) => {
      const { rows } = await sql<{
        version: string
        now: Date
      }>`select current_setting('server_version') as version, clock_timestamp() as now`.execute(db)
      const now = new Date(systemClock.now())
      const drift = Math.abs((rows[0]?.now.getTime() ?? 0) - now.getTime())
      return [
        { subject: 'database', ok: true, seen: `PostgreSQL ${rows[0]?.version}, up to date` },
        {
          subject: 'clock',
          ok: drift <= MAX_DRIFT_MS,
          seen: `${drift} ms from the database's`,
          advice: 'Let both machines keep time with NTP.',
        },
        ...(await foreseeDisk(config, db, now)),
        ...(await checkWork({ config, db, now }, serves)),
        ...(await checkEventsStore(config, db)),
        ...(await checkSealed(config, db, asks)),
        ...(await nameOpenApplications(db)),
        ...(await checkProxies(db)),
        ...(await checkAddresses(db)),
        ...(await checkZones(db)),
        ...(await checkTasks(db, now.getTime())),
      ]
    })
  } catch (error) {
    return [
      {
        subject: 'database',
        ok: false,
        seen: reasonOf(error),
        advice: 'Look at STENTOR_DATABASE_URL, or at the log of the embedded server in the data directory.',
      },
    ]
  }
}

/** `stentor doctor`: checks what the program needs and says what to do; exit status 1 when something is not in order.
 * With --providers it also calls the addresses of RCS profiles. */
export const doctorCommand: Command = async ({ config, options }) => {
  const settings = await checkSettings(config)
  // With settings that cannot be used no database is opened: that would make and migrate one.
  const isUsable = settings.every(({ ok }) => ok)
  const serves = await isServing(config)
  const findings: Finding[] = [
    await checkDisk(config),
    ...settings,
    ...(await checkPorts(config, serves)),
    ...(await checkSpools(config.dataDir)),
    ...(isUsable ? await checkDatabase(config, { serves, asks: options['providers'] === true }) : []),
  ]
  for (const { subject, ok, seen, advice } of findings) {
    process.stdout.write(`${ok ? 'ok  ' : 'BAD '} ${subject}: ${seen}\n${ok || !advice ? '' : `     ${advice}\n`}`)
  }
  return findings.every(({ ok }) => ok) ? 0 : 1
}
