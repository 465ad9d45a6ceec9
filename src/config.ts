import { resolve } from 'node:path'
import { readDatabaseUrl } from './lib/database-url.ts'
import { readDnsServers } from './lib/dns.ts'
import { type EventStoreAddress, readEventStore } from './lib/event-store-url.ts'
import { readOpenHosts } from './lib/guarded-client.ts'
import { nearest } from './lib/nearest.ts'
import { type OidcConfig, readIssuer, readProviderRoles, readScopes } from './lib/oidc-settings.ts'
import { OperatorError } from './lib/operator-error.ts'
import { PUSH_HOSTS, readPushHosts } from './lib/push-hosts.ts'
import type { S3Place } from './lib/s3.ts'
import { address, integer, listed, oneOf, optional, type Setting, text } from './lib/setting.ts'
import { readTraceSettings, type TraceSettings } from './lib/trace-settings.ts'
import { readTrustedProxies } from './lib/trusted-proxies.ts'

export const roles = ['api', 'tracking', 'inbound', 'jobs', 'sender'] as const
export type Role = (typeof roles)[number]

const ARCHIVES_HELP =
  'where archives, media, uploads and exports are kept: s3://bucket/prefix; default: the data directory'

function readBucket(text: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? []
  if (bucket === undefined) throw new Error('must be like s3://bucket/prefix')
  const prefix = path.split('/').filter((part) => part !== '')
  if (prefix.some((part) => /^\.+$/.test(part))) throw new Error('must not have dots alone in its prefix')
  return { bucket, prefix: prefix.map((part) => `${part}/`).join('') }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Every variable the program knows. The names in the environment are STENTOR_ and the key in capitals. */
const settings = {
  DATA_DIR: text('directory of the embedded database, uploads, captured mail, archives, media and journals', 'data'),
  DATABASE_URL: {
    help: 'PostgreSQL (18 or newer) to use instead of the embedded one: postgres://account:password@host:port/database',
    fallback: undefined,
    read: readDatabaseUrl,
    secret: true,
  },
  DATABASE_POOL: integer('connections of the program to the database, a process', 20, [4, 500]),
  EVENTS_URL: {
    help: 'ClickHouse that has the history of events: clickhouse://user:password@host:8123/database?cluster=NAME, or clickhouses:// for TLS; several hosts by comma; default: PostgreSQL has it all',
    fallback: undefined,
    read: readEventStore,
    secret: true,
  },
  EVENTS_HOT_DAYS: integer('days that events stay in PostgreSQL where a store has them too', 35, [35, 3650]),
  TRUSTED_PROXIES: {
    help: 'reverse proxies whose X-Forwarded-For is believed, as addresses or ranges: 10.0.0.0/8, 192.168.1.4',
    fallback: undefined,
    read: readTrustedProxies,
  },
  HTTP_HOST: text('address the HTTP server listens on', '127.0.0.1'),
  HTTP_PORT: integer('port of the HTTP server; 0 takes a free one', 8080, [0, 65535]),
  SMTP_IN_HOST: text('address the listener for bounces, complaints and unsubscribing mails listens on', '127.0.0.1'),
  SMTP_IN_PORT: integer('port of that listener; 0 takes a free one', 2525, [0, 65535]),
  SMTP_IN_CERTIFICATE: optional('file (PEM) with the certificate of that listener; with its key it offers STARTTLS'),
  SMTP_IN_KEY: optional('file (PEM) with the key of that certificate'),
  METRICS_PORT: integer(
    'port of a separate listener for /metrics, without key, with the figures of the installation; 0: none. With a key /metrics has those of its account',
    0,
    [0, 65535],
  ),
  PUBLIC_URL: address('address under which recipients and clients reach this service', ''),
  SMTP_URL: optional(
    'relay for the mail of accounts without a gateway of their own: smtp://account:password@host:587?tls=required',
    true,
  ),
  GATEWAYS_FILE: optional('JSON file with the gateways of the installation, instead of STENTOR_SMTP_URL'),
  DESTINATIONS_FILE: optional('JSON file that changes the limits of destinations of direct delivery'),
  MASTER_KEY: optional(
    '32 bytes in base64 that seal secrets and sign links; default: a file made in the data directory',
    true,
  ),
  ARCHIVES: { help: ARCHIVES_HELP, fallback: undefined, read: readBucket },
  S3_ENDPOINT: address('address of the S3-compatible storage; default: that of Amazon in the region', ''),
  S3_REGION: text('its region', 'us-east-1'),
  S3_ACCESS_KEY: optional('its access key'),
  S3_SECRET_KEY: optional('its secret key', true),
  BOOTSTRAP_KEY: optional(
    'value of the first key, made with the account DEMO001 on an empty database (default: a random one, printed once)',
    true,
  ),
  SENDER_THREADS: integer('sender threads; of several, one sends no campaigns; 0: one per core, and it', 0, [0, 64]),
  // Also read by memory.ts, before the configuration is.
  MEMORY: oneOf('small: some 60 MB less at the peak, for slower sending', 'normal', ['normal', 'small']),
  RENDER_THREADS: integer('threads for renders asked over HTTP', 1, [1, 64]),
  SCRIPT_CORES: integer('scripts that compute at a time; 0: one per core', 0, [0, 64]),
  SCRIPT_THREADS: integer('threads for scripts, per core that these may use: most wait for the service', 4, [1, 16]),
  PUBLIC_WEBTASKS: oneOf('on: webtasks that say so run at /w/{token}, without a key', 'off', ['on', 'off']),
  RUN_DAYS: integer('days that runs of workflows are kept after their end', 90, [1, 3650]),
  AUDIT_DAYS: integer('days that the audit is kept', 400, [30, 3650]),
  LOG_LEVEL: oneOf('least severity of what is logged', 'info', LOG_LEVELS),
  DNS_SERVERS: listed(
    'name servers asked for the records of sending domains, as addresses: 10.0.0.53, [2001:db8::53]:5353; default: those of the machine',
    readDnsServers,
  ),
  OUTGOING_ALLOW: listed(
    'hosts that addresses given by clients may lead to though they are private or without https: files.desk.example, 10.0.0.7:8080',
    readOpenHosts,
  ),
  PUSH_HOSTS: listed(
    'hosts that subscriptions of browsers may have their endpoints on, a leading dot for every host below one; default: those of the browsers',
    readPushHosts,
  ),
  DEVICES_PER_ADDRESS: integer('requests of devices that a process takes a minute of one address', 300, [1, 1_000_000]),
  DEVICE_PUTS: integer('puts that a process takes a minute of one subscription', 10, [1, 1_000_000]),
  NEW_DEVICES: integer(
    'new subscriptions of devices that a process takes a second of one application',
    100,
    [1, 1_000_000],
  ),
  ROBOTS_DIR: optional('directory with agents.json and ranges.json, instead of the built-in lists of robots'),
  CONSOLE: oneOf('off: nothing is served at /console/', 'on', ['on', 'off']),
  OIDC_ISSUER: {
    help: 'OpenID Connect: the issuer at which people may sign in, https or on this machine',
    fallback: undefined,
    read: readIssuer,
  },
  OIDC_CLIENT_ID: optional('its id of this service'),
  OIDC_CLIENT_SECRET: optional('its secret; absent: none is sent', true),
  OIDC_NAME: text('what people call the provider', 'OpenID Connect'),
  OIDC_SCOPES: { help: 'scopes that sign-ins ask for', fallback: 'openid email profile', read: readScopes },
  OIDC_CLAIM: text('the claim that holds the values of STENTOR_OIDC_ROLES', 'groups'),
  OIDC_TRUST_EMAIL: oneOf(
    'whether emails count as verified where the provider does not say; on only for a provider that gives addresses to their owners alone',
    'off',
    ['off', 'on'],
  ),
  OIDC_ROLES: {
    help: 'roles by value of that claim, as JSON: {"marketing": ["ACME001:sender"]}; default: only invited people come in',
    fallback: undefined,
    read: readProviderRoles,
  },
  URL: address('of "stentor mcp": the service it asks', ''),
  KEY: optional('of "stentor mcp": its key', true),
  MODE: oneOf('development shows captured mail at /captured; production does not', 'development', [
    'development',
    'production',
  ]),
} as const satisfies Record<string, Setting<unknown>>

type Settings = typeof settings
type Values = { [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }

/** The configuration, read once; `dataDir` is absolute. */
export interface Config {
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
  /** Where archives, media, uploads and exports are kept; undefined: the data directory. */
  archives: S3Place | undefined
  bootstrapKey: string | undefined
  senderThreads: number
  /** Less memory rather than speed. */
  isSmall: boolean
  renderThreads: number
  /** Of scripts; 0 cores: as many as the machine has. */
  scripts: { cores: number; threadsPerCore: number }
  /** Webtasks that say so run on a public path. */
  publicWebtasks: boolean
  /** How long runs of workflows are kept after their end. */
  runDays: number
  auditDays: number
  logLevel: Values['LOG_LEVEL']
  dnsServers: string[] | undefined
  /** Hosts, or hosts with a port, that the operator allows in addresses given by clients. */
  outgoingAllow: string[]
  /** Where endpoints of browsers may be. */
  pushHosts: readonly string[]
  /** How many requests of devices a process takes. */
  deviceLimits: { perAddress: number; perSubscription: number; newPerSecond: number }
  robotsDir: string | undefined
  /** Whether the console is served. */
  console: boolean
  oidc: OidcConfig | undefined
  /** How much is traced, by the standard variables of OpenTelemetry. */
  traces: TraceSettings | undefined
  development: boolean
  /** Of commands that ask a service: where it is, and their key. */
  service: { url: string; key: string | undefined }
}

const PREFIX = 'STENTOR_'

/** Settings that are wrong, one a line: shown without a stack. */
export class ConfigError extends OperatorError {}

function unknownSettings(environment: NodeJS.ProcessEnv): string[] {
  const known = Object.keys(settings)
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(`${PREFIX}TEST_`))
    .filter((name) => !known.includes(name.slice(PREFIX.length)))
    .map((name) => `${name} is not a setting. Did you mean ${PREFIX}${nearest(name.slice(PREFIX.length), known)}?`)
}

function readSetting<T>(name: string, setting: Setting<T>, given: string | undefined): T {
  if (given === undefined || given === '') return setting.fallback
  try {
    return setting.read(given)
  } catch (error) {
    const shown = setting.secret ? 'its value' : `"${given}"`
    throw new ConfigError(`${PREFIX}${name}: ${shown} ${error instanceof Error ? error.message : error}.`)
  }
}

type Get = <K extends keyof Settings>(name: K) => Values[K]

function readArchives(get: Get): S3Place | undefined {
  const place = get('ARCHIVES')
  if (!place) return undefined
  const [region, accessKey, secretKey] = [get('S3_REGION'), get('S3_ACCESS_KEY'), get('S3_SECRET_KEY')]
  if (accessKey === undefined || secretKey === undefined)
    throw new ConfigError(`${PREFIX}ARCHIVES needs ${PREFIX}S3_ACCESS_KEY and ${PREFIX}S3_SECRET_KEY.`)
  const endpoint = get('S3_ENDPOINT') || `https://s3.${region}.amazonaws.com`
  return { ...place, endpoint, region, accessKey, secretKey }
}

function readOidc(get: Get): OidcConfig | undefined {
  const [issuer, clientId] = [get('OIDC_ISSUER'), get('OIDC_CLIENT_ID')]
  if (issuer === undefined) return undefined
  if (clientId === undefined) throw new ConfigError(`${PREFIX}OIDC_ISSUER needs ${PREFIX}OIDC_CLIENT_ID.`)
  const [name, claim, scopes] = [get('OIDC_NAME'), get('OIDC_CLAIM'), get('OIDC_SCOPES')]
  const [clientSecret, roles] = [get('OIDC_CLIENT_SECRET'), get('OIDC_ROLES')]
  return { issuer, clientId, clientSecret, name, claim, scopes, trustsEmail: get('OIDC_TRUST_EMAIL') === 'on', roles }
}

/** Reads and checks the environment. Throws ConfigError naming each variable that is wrong, and what to change. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const faults = unknownSettings(environment)
  function attempt<T>(read: () => T, fallback: T): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error
      faults.push(error.message)
      return fallback
    }
  }
  const get: Get = (name) => {
    const setting: Setting<unknown> = settings[name]
    const read = () => readSetting(name, setting, environment[`${PREFIX}${name}`])
    return attempt(read, setting.fallback) as Values[typeof name]
  }
  const config = configOf(get, {
    archives: attempt(() => readArchives(get), undefined),
    oidc: attempt(() => readOidc(get), undefined),
    traces: attempt(() => readTraceSettings(environment), undefined),
  })
  if (faults.length > 0) throw new ConfigError([...new Set(faults)].join('\n'))
  return config
}

function configOf(get: Get, read: Pick<Config, 'archives' | 'oidc' | 'traces'>): Config {
  return {
    ...read,
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
    pushHosts: get('PUSH_HOSTS') ?? PUSH_HOSTS,
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

/** Every variable with what it means; an empty fallback: none. */
export function settingList(): { name: string; help: string; fallback: string }[] {
  return Object.entries(settings).map(([name, { help, fallback = '' }]) => ({
    ...{ name: PREFIX + name, help, fallback: String(fallback) },
  }))
}
