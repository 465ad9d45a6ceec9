import { readDatabaseUrl } from './lib/net/database-url.ts'
import { readDnsServers } from './lib/net/dns.ts'
import { readEventStore } from './lib/net/event-store-url.ts'
import { readOpenHosts } from './lib/net/guarded-client.ts'
import { readIssuer, readProviderRoles, readScopes } from './lib/net/oidc-settings.ts'
import { readPushHosts } from './lib/net/push-hosts.ts'
import { readTrustedProxies } from './lib/net/trusted-proxies.ts'
import { address, integer, listed, oneOf, optional, type Setting, text } from './lib/setting.ts'

/** What the names of settings begin with in the environment. */
export const PREFIX = 'STENTOR_'

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
export const settings = {
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

/** The variables, by name. */
export type Settings = typeof settings
/** The values of settings, by the names of these. */
export type Values = { [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never }

/** Every variable with what it means; an empty fallback: none. */
export function settingList(): { name: string; help: string; fallback: string }[] {
  return Object.entries(settings).map(([name, { help, fallback = '' }]) => ({
    ...{ name: PREFIX + name, help, fallback: String(fallback) },
  }))
}
