import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import { processRoles, type ServiceConfig } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { openEventStore } from '../../features/events/columnar/store.ts'
import { requireClickHouseVersion } from '../../features/events/columnar-copy/create.ts'
import { readEventStoreState, readStoreCopyLag } from '../../features/events/store/store-state.ts'
import type { GatewayRow } from '../../gateways/definition.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { listConfiguredGateways } from '../../sending/gateway-registry/configured-gateways.ts'
import { checkGatewayConnection } from '../../sending/gateway-registry/gateway-check.ts'
import { loadGateways } from '../../sending/gateway-registry/gateway-rows.ts'
import { findUntrustedProxy } from '../../sending/senders/machines.ts'
import { loadVerifiedMasterKeys } from '../commands/master-keys.ts'
import { findPortFaults, findSettingFaults } from '../setting-faults.ts'
import type { CliCommand } from '../usage.ts'
import { withDatabase } from '../with-database.ts'
import { checkAddressKeys } from './doctor-addresses.ts'
import { checkOpenApplications } from './doctor-applications.ts'
import { checkDiskForecast, checkDiskSpace } from './doctor-disk.ts'
import { checkRcsProfiles } from './doctor-rcs.ts'
import { checkSpoolFiles } from './doctor-spools.ts'
import { checkFailingTasks } from './doctor-tasks.ts'
import { checkServiceWork } from './doctor-work.ts'
import { checkTimeZones } from './doctor-zones.ts'
import type { DoctorFinding } from './finding.ts'

/** Links and events carry times: a clock that is off by more misleads people and the detection of robots. */
const MAX_CLOCK_DRIFT_MS = 2000
/** The longest time that a service on this machine may take to respond that it runs. */
const LIVENESS_TIMEOUT_MS = 2000

/** The faults in the settings, or a finding that they are usable. */
async function checkSettings(config: ServiceConfig): Promise<DoctorFinding[]> {
  const subject = 'settings'
  const faults = await findSettingFaults(config)
  if (faults.length === 0) return [{ subject, ok: true, seen: 'valid' }]
  return faults.map((faultText) => ({ subject, ok: false, seen: faultText }))
}

/** True if a service answers at the address of the settings. */
async function isServing({ httpHost, httpPort }: ServiceConfig): Promise<boolean> {
  const host = isIPv6(httpHost) ? `[${httpHost}]` : httpHost
  const answer = fetch(`http://${host}:${httpPort}/health/live`, { signal: AbortSignal.timeout(LIVENESS_TIMEOUT_MS) })
  return answer.then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The ports of all roles, which a service that runs holds itself. */
async function checkPorts(config: ServiceConfig, isServiceRunning: boolean): Promise<DoctorFinding[]> {
  const subject = 'ports'
  if (isServiceRunning) return [{ subject, ok: true, seen: 'in use by Stentor, which is running' }]
  const faults = await findPortFaults(config, processRoles)
  if (faults.length === 0) return [{ subject, ok: true, seen: 'free' }]
  return faults.map((faultText) => ({ subject, ok: false, seen: faultText }))
}

async function checkGateways(
  config: ServiceConfig,
  rows: Awaited<ReturnType<typeof loadGateways>>,
): Promise<DoctorFinding[]> {
  const allGateways = [...rows, ...listConfiguredGateways(config)]
  if (allGateways.length === 0) {
    return [{ subject: 'gateways', ok: true, seen: 'none: messages are captured in the data directory and not sent' }]
  }
  return Promise.all(allGateways.map((row) => checkGateway(config, row)))
}

/** Tries a gateway as sending would. */
async function checkGateway(config: ServiceConfig, row: GatewayRow): Promise<DoctorFinding> {
  const subject = `gateway ${row.name}`
  try {
    const { ok, detail } = await checkGatewayConnection(row, { config, clock: systemClock })
    return { subject, ok, seen: detail, advice: 'Check its address, its credentials and the firewall in between.' }
  } catch (error) {
    return {
      subject,
      ok: false,
      seen: formatErrorReason(error),
      advice: 'Correct its settings, or remove it and add it again.',
    }
  }
}

/** The master key, and the gateways and RCS profiles, whose credentials it opens. */
async function checkSealedSecrets(config: ServiceConfig, db: Db, asks: boolean): Promise<DoctorFinding[]> {
  const subject = 'master key'
  try {
    const keys = await loadVerifiedMasterKeys(db, config, new Date(systemClock.now()))
    const [newestKey] = keys
    const finding = { subject, ok: true, seen: `number ${newestKey?.number} is in use and matches the database` }
    const gatewayFindings = await checkGateways(config, await loadGateways(db, keys))
    return [finding, ...gatewayFindings, ...(await checkRcsProfiles(config, db, keys, { asks }))]
  } catch (error) {
    return [{ subject, ok: false, seen: formatErrorReason(error) }]
  }
}

/** An event that waits for longer means that nothing copies, or that the store is away. */
const MAX_COPY_LAG_MS = 300_000

/** The column store of events, where one is configured: that it answers, and how far it is. */
async function checkEventsStore({ events, eventsHotDays }: ServiceConfig, db: Db): Promise<DoctorFinding[]> {
  const subject = 'events store'
  if (!events) return []
  const store = openEventStore(events, eventsHotDays)
  try {
    const version = await requireClickHouseVersion(store)
    const state = await readEventStoreState(db)
    const { ageMs } = await readStoreCopyLag(db)
    const lagText = `the oldest event not copied is ${Math.round(ageMs / 1000)} s old`
    return [
      {
        subject,
        ok: state !== undefined && ageMs <= MAX_COPY_LAG_MS,
        seen: `ClickHouse ${version}; ${state ? lagText : 'its tables do not exist yet'}`,
        advice: state ? 'Start a process with the role jobs, or check its log.' : 'Run "stentor events-store create".',
      },
    ]
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error
    return [
      {
        subject,
        ok: false,
        seen: formatErrorReason(cause),
        advice: 'Check STENTOR_EVENTS_URL and the firewall in between.',
      },
    ]
  } finally {
    await store.close()
  }
}

/** A finding on a proxy that sent requests in the last hour without being trusted. */
async function checkProxies(db: Db): Promise<DoctorFinding[]> {
  const address = await findUntrustedProxy(db, systemClock.now())
  if (address === undefined) return []
  const proxyText = `${address} sends X-Forwarded-For but is not trusted, so all visitors appear to share its address`
  return [
    {
      subject: 'proxy',
      ok: false,
      seen: proxyText,
      advice: `If it is your proxy, set STENTOR_TRUSTED_PROXIES=${address}.`,
    },
  ]
}

/** The state that is known before the database is queried. */
interface DoctorScope {
  /** A service runs here. */
  serves: boolean
  /** The addresses of RCS profiles are called. */
  asks: boolean
}

async function checkDatabase(
  config: ServiceConfig,
  { serves: isServiceRunning, asks }: DoctorScope,
): Promise<DoctorFinding[]> {
  try {
    return await withDatabase(config, async ({ db }) => {
      const { rows } = await sql<{
        version: string
        now: Date
      }>`select current_setting('server_version') as version, clock_timestamp() as now`.execute(db)
      const now = new Date(systemClock.now())
      const driftMs = Math.abs((rows[0]?.now.getTime() ?? 0) - now.getTime())
      return [
        { subject: 'database', ok: true, seen: `PostgreSQL ${rows[0]?.version}, up to date` },
        {
          subject: 'clock',
          ok: driftMs <= MAX_CLOCK_DRIFT_MS,
          seen: `${driftMs} ms off the clock of the database`,
          advice: 'Synchronise the clocks of both machines with NTP.',
        },
        ...(await checkDiskForecast(config, db, now)),
        ...(await checkServiceWork({ config, db, now }, isServiceRunning)),
        ...(await checkEventsStore(config, db)),
        ...(await checkSealedSecrets(config, db, asks)),
        ...(await checkOpenApplications(db)),
        ...(await checkProxies(db)),
        ...(await checkAddressKeys(db)),
        ...(await checkTimeZones(db)),
        ...(await checkFailingTasks(db, now.getTime())),
      ]
    })
  } catch (error) {
    return [
      {
        subject: 'database',
        ok: false,
        seen: formatErrorReason(error),
        advice: 'Check STENTOR_DATABASE_URL, or the log of the embedded server in the data directory.',
      },
    ]
  }
}

/** `stentor doctor`: checks what the program needs and says what to do; exit status 1 when something is not in order.
 * With --providers it also calls the addresses of RCS profiles. */
export const doctorCommand: CliCommand = async ({ config, options }) => {
  const settingFindings = await checkSettings(config)
  // With settings that cannot be used no database is opened: that would make and migrate one.
  const isUsable = settingFindings.every(({ ok }) => ok)
  const isServiceRunning = await isServing(config)
  const findings: DoctorFinding[] = [
    await checkDiskSpace(config),
    ...settingFindings,
    ...(await checkPorts(config, isServiceRunning)),
    ...(await checkSpoolFiles(config.dataDir)),
    ...(isUsable ? await checkDatabase(config, { serves: isServiceRunning, asks: options['providers'] === true }) : []),
  ]
  for (const { subject, ok, seen: findingText, advice } of findings) {
    process.stdout.write(
      `${ok ? 'ok  ' : 'BAD '} ${subject}: ${findingText}\n${ok || !advice ? '' : `     ${advice}\n`}`,
    )
  }
  return findings.every(({ ok }) => ok) ? 0 : 1
}
