import { resolve } from 'node:path'
import { OperatorError } from './lib/errors/operator-error.ts'
import type { EventStoreAddress } from './lib/net/event-store-url.ts'
import type { OidcConfig } from './lib/net/oidc-settings.ts'
import { WEB_PUSH_HOSTS } from './lib/net/push-hosts.ts'
import type { S3Location } from './lib/net/s3.ts'
import type { SettingDefinition } from './lib/setting.ts'
import { readTraceSettings, type TraceSettings } from './lib/telemetry/trace-settings.ts'
import { findNearestWord } from './lib/text/nearest.ts'
import { SETTING_PREFIX, type SettingDefinitions, type SettingValues, settingDefinitions } from './settings.ts'

export const processRoles = ['api', 'tracking', 'inbound', 'jobs', 'sender'] as const
export type ProcessRole = (typeof processRoles)[number]

/** The configuration, read once; `dataDir` is absolute. */
export interface ServiceConfig {
  dataDir: string
  databaseUrl: string | undefined
  databasePool: number
  /** The column store that has the history of events; undefined: PostgreSQL has it all. */
  events: EventStoreAddress | undefined
  /** Days that events stay in PostgreSQL too. */
  eventsHotDays: number
  trustedProxies: string | undefined
  httpHost: string
  httpPort: number
  smtpInHost: string
  smtpInPort: number
  smtpInCertificate: string | undefined
  smtpInKey: string | undefined
  metricsPort: number
  /** Without a trailing slash; empty until the port is known when none is configured. */
  publicUrl: string
  smtpUrl: string | undefined
  gatewaysFile: string | undefined
  destinationsFile: string | undefined
  masterKey: string | undefined
  /** The location of archives, media, uploads and exports; undefined means the data directory. */
  archives: S3Location | undefined
  bootstrapKey: string | undefined
  senderThreads: number
  /** Less memory rather than speed. */
  isSmall: boolean
  renderThreads: number
  /** Limits for scripts; 0 cores means as many as the machine has. */
  scripts: { cores: number; threadsPerCore: number }
  /** Webtasks that say so run on a public path. */
  publicWebtasks: boolean
  /** Days for which finished workflow runs are retained. */
  runDays: number
  auditDays: number
  logLevel: SettingValues['LOG_LEVEL']
  dnsServers: string[] | undefined
  /** Hosts, or hosts with a port, that the operator allows in addresses given by clients. */
  outgoingAllow: string[]
  /** The hosts allowed for the push endpoints of browsers. */
  pushHosts: readonly string[]
  /** The number of device requests that a process accepts. */
  deviceLimits: { perAddress: number; perSubscription: number; newPerSecond: number }
  robotsDir: string | undefined
  /** True if the console is served. */
  console: boolean
  oidc: OidcConfig | undefined
  /** The extent of tracing, set by the standard variables of OpenTelemetry. */
  traces: TraceSettings | undefined
  development: boolean
  /** For commands that call a service: its address and their key. */
  service: { url: string; key: string | undefined }
}

/** Settings that are wrong, one a line: shown without a stack. */
export class ConfigError extends OperatorError {}

function findUnknownSettings(environment: NodeJS.ProcessEnv): string[] {
  const knownNames = Object.keys(settingDefinitions)
  return Object.keys(environment)
    .filter((name) => name.startsWith(SETTING_PREFIX) && !name.startsWith(`${SETTING_PREFIX}TEST_`))
    .filter((name) => !knownNames.includes(name.slice(SETTING_PREFIX.length)))
    .map(
      (name) =>
        `${name} is not a setting. Did you mean ${SETTING_PREFIX}${findNearestWord(name.slice(SETTING_PREFIX.length), knownNames)}?`,
    )
}

function readSetting<T>(name: string, setting: SettingDefinition<T>, rawValue: string | undefined): T {
  if (rawValue === undefined || rawValue === '') return setting.fallback
  try {
    return setting.read(rawValue)
  } catch (error) {
    const valueText = setting.secret ? 'its value' : `"${rawValue}"`
    throw new ConfigError(`${SETTING_PREFIX}${name}: ${valueText} ${error instanceof Error ? error.message : error}.`)
  }
}

type SettingReader = <K extends keyof SettingDefinitions>(name: K) => SettingValues[K]

function readArchiveLocation(get: SettingReader): S3Location | undefined {
  const bucketLocation = get('ARCHIVES')
  if (!bucketLocation) return undefined
  const [region, accessKey, secretKey] = [get('S3_REGION'), get('S3_ACCESS_KEY'), get('S3_SECRET_KEY')]
  if (accessKey === undefined || secretKey === undefined)
    throw new ConfigError(
      `${SETTING_PREFIX}ARCHIVES requires ${SETTING_PREFIX}S3_ACCESS_KEY and ${SETTING_PREFIX}S3_SECRET_KEY.`,
    )
  const endpoint = get('S3_ENDPOINT') || `https://s3.${region}.amazonaws.com`
  return { ...bucketLocation, endpoint, region, accessKey, secretKey }
}

function readOidcConfig(get: SettingReader): OidcConfig | undefined {
  const [issuer, clientId] = [get('OIDC_ISSUER'), get('OIDC_CLIENT_ID')]
  if (issuer === undefined) return undefined
  if (clientId === undefined)
    throw new ConfigError(`${SETTING_PREFIX}OIDC_ISSUER requires ${SETTING_PREFIX}OIDC_CLIENT_ID.`)
  const [name, claim, scopes] = [get('OIDC_NAME'), get('OIDC_CLAIM'), get('OIDC_SCOPES')]
  const [clientSecret, roles] = [get('OIDC_CLIENT_SECRET'), get('OIDC_ROLES')]
  return { issuer, clientId, clientSecret, name, claim, scopes, trustsEmail: get('OIDC_TRUST_EMAIL') === 'on', roles }
}

/** Reads and checks the environment. Throws ConfigError naming each variable that is wrong, and what to change. */
export function readConfig(environment: NodeJS.ProcessEnv): ServiceConfig {
  const faults = findUnknownSettings(environment)
  function collectFault<T>(readValue: () => T, fallback: T): T {
    try {
      return readValue()
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      faults.push(error.message)
      return fallback
    }
  }
  const get: SettingReader = (name) => {
    const setting: SettingDefinition<unknown> = settingDefinitions[name]
    const parseSetting = () => readSetting(name, setting, environment[`${SETTING_PREFIX}${name}`])
    return collectFault(parseSetting, setting.fallback) as SettingValues[typeof name]
  }
  const config = buildConfig(get, {
    archives: collectFault(() => readArchiveLocation(get), undefined),
    oidc: collectFault(() => readOidcConfig(get), undefined),
    traces: collectFault(() => readTraceSettings(environment), undefined),
  })
  if (faults.length > 0) throw new ConfigError([...new Set(faults)].join('\n'))
  return config
}

function buildConfig(
  get: SettingReader,
  parsedSections: Pick<ServiceConfig, 'archives' | 'oidc' | 'traces'>,
): ServiceConfig {
  return {
    ...parsedSections,
    dataDir: resolve(get('DATA_DIR')),
    databaseUrl: get('DATABASE_URL'),
    databasePool: get('DATABASE_POOL'),
    events: get('EVENTS_URL'),
    eventsHotDays: get('EVENTS_HOT_DAYS'),
    trustedProxies: get('TRUSTED_PROXIES'),
    httpHost: get('HTTP_HOST'),
    httpPort: get('HTTP_PORT'),
    smtpInHost: get('SMTP_IN_HOST'),
    smtpInPort: get('SMTP_IN_PORT'),
    smtpInCertificate: get('SMTP_IN_CERTIFICATE'),
    smtpInKey: get('SMTP_IN_KEY'),
    metricsPort: get('METRICS_PORT'),
    publicUrl: get('PUBLIC_URL'),
    smtpUrl: get('SMTP_URL'),
    gatewaysFile: get('GATEWAYS_FILE'),
    destinationsFile: get('DESTINATIONS_FILE'),
    masterKey: get('MASTER_KEY'),
    bootstrapKey: get('BOOTSTRAP_KEY'),
    senderThreads: get('SENDER_THREADS'),
    isSmall: get('MEMORY') === 'small',
    renderThreads: get('RENDER_THREADS'),
    scripts: { cores: get('SCRIPT_CORES'), threadsPerCore: get('SCRIPT_THREADS') },
    publicWebtasks: get('PUBLIC_WEBTASKS') === 'on',
    runDays: get('RUN_DAYS'),
    auditDays: get('AUDIT_DAYS'),
    logLevel: get('LOG_LEVEL'),
    dnsServers: get('DNS_SERVERS'),
    outgoingAllow: get('OUTGOING_ALLOW') ?? [],
    pushHosts: get('PUSH_HOSTS') ?? WEB_PUSH_HOSTS,
    deviceLimits: {
      perAddress: get('DEVICES_PER_ADDRESS'),
      perSubscription: get('DEVICE_PUTS'),
      newPerSecond: get('NEW_DEVICES'),
    },
    robotsDir: get('ROBOTS_DIR'),
    console: get('CONSOLE') === 'on',
    development: get('MODE') === 'development',
    service: { url: get('URL'), key: get('KEY') },
  }
}
