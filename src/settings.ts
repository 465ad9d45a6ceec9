import { parseDatabaseUrl } from './lib/net/database-url.ts'
import { parseDnsServers } from './lib/net/dns.ts'
import { parseEventStoreUrl } from './lib/net/event-store-url.ts'
import { parseAllowedHosts } from './lib/net/guarded-client.ts'
import { parseOidcAccountRoles, parseOidcIssuer, parseOidcScopes } from './lib/net/oidc-settings.ts'
import { parseWebPushHosts } from './lib/net/push-hosts.ts'
import { parseTrustedProxies } from './lib/net/trusted-proxies.ts'
import {
  defineChoiceSetting,
  defineIntegerSetting,
  defineListSetting,
  defineOptionalSetting,
  defineTextSetting,
  defineUrlSetting,
  type SettingDefinition,
} from './lib/setting.ts'

/** The prefix of setting names in the environment. */
export const SETTING_PREFIX = 'STENTOR_'

const ARCHIVES_HELP =
  'where archives, media, uploads and exports are kept: s3://bucket/prefix; default: the data directory'

function parseBucketUrl(text: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? []
  if (bucket === undefined) throw new Error('must be like s3://bucket/prefix')
  const prefix = path.split('/').filter((part) => part !== '')
  if (prefix.some((part) => /^\.+$/.test(part))) throw new Error('must not have dots alone in its prefix')
  return { bucket, prefix: prefix.map((part) => `${part}/`).join('') }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Every variable the program knows. The names in the environment are STENTOR_ and the key in capitals. */
export const settingDefinitions = {
  DATA_DIR: defineTextSetting(
    'directory of the embedded database, uploads, captured mail, archives, media and journals',
    'data',
  ),
  DATABASE_URL: {
    help: 'PostgreSQL (18 or newer) to use instead of the embedded one: postgres://account:password@host:port/database',
    fallback: undefined,
    read: parseDatabaseUrl,
    secret: true,
  },
  DATABASE_POOL: defineIntegerSetting('connections of the program to the database, a process', 20, [4, 500]),
  EVENTS_URL: {
    help: 'ClickHouse that has the history of events: clickhouse://user:password@host:8123/database?cluster=NAME, or clickhouses:// for TLS; several hosts by comma; default: PostgreSQL has it all',
    fallback: undefined,
    read: parseEventStoreUrl,
    secret: true,
  },
  EVENTS_HOT_DAYS: defineIntegerSetting(
    'days that events stay in PostgreSQL where a store has them too',
    35,
    [35, 3650],
  ),
  TRUSTED_PROXIES: {
    help: 'reverse proxies whose X-Forwarded-For is believed, as addresses or ranges: 10.0.0.0/8, 192.168.1.4',
    fallback: undefined,
    read: parseTrustedProxies,
  },
  HTTP_HOST: defineTextSetting('address the HTTP server listens on', '127.0.0.1'),
  HTTP_PORT: defineIntegerSetting('port of the HTTP server; 0 takes a free one', 8080, [0, 65535]),
  SMTP_IN_HOST: defineTextSetting(
    'address the listener for bounces, complaints and unsubscribing mails listens on',
    '127.0.0.1',
  ),
  SMTP_IN_PORT: defineIntegerSetting('port of that listener; 0 takes a free one', 2525, [0, 65535]),
  SMTP_IN_CERTIFICATE: defineOptionalSetting(
    'file (PEM) with the certificate of that listener; with its key it offers STARTTLS',
  ),
  SMTP_IN_KEY: defineOptionalSetting('file (PEM) with the key of that certificate'),
  METRICS_PORT: defineIntegerSetting(
    'port of a separate listener for /metrics, without key, with the figures of the installation; 0: none. With a key /metrics has those of its account',
    0,
    [0, 65535],
  ),
  PUBLIC_URL: defineUrlSetting('address under which recipients and clients reach this service', ''),
  SMTP_URL: defineOptionalSetting(
    'relay for the mail of accounts without a gateway of their own: smtp://account:password@host:587?tls=required',
    true,
  ),
  GATEWAYS_FILE: defineOptionalSetting('JSON file with the gateways of the installation, instead of STENTOR_SMTP_URL'),
  DESTINATIONS_FILE: defineOptionalSetting('JSON file that changes the limits of destinations of direct delivery'),
  MASTER_KEY: defineOptionalSetting(
    '32 bytes in base64 that seal secrets and sign links; default: a file made in the data directory',
    true,
  ),
  ARCHIVES: { help: ARCHIVES_HELP, fallback: undefined, read: parseBucketUrl },
  S3_ENDPOINT: defineUrlSetting('address of the S3-compatible storage; default: that of Amazon in the region', ''),
  S3_REGION: defineTextSetting('its region', 'us-east-1'),
  S3_ACCESS_KEY: defineOptionalSetting('its access key'),
  S3_SECRET_KEY: defineOptionalSetting('its secret key', true),
  BOOTSTRAP_KEY: defineOptionalSetting(
    'value of the first key, made with the account DEMO001 on an empty database (default: a random one, printed once)',
    true,
  ),
  SENDER_THREADS: defineIntegerSetting(
    'sender threads; of several, one sends no campaigns; 0: one per core, and it',
    0,
    [0, 64],
  ),
  // Also read by memory.ts, before the configuration is.
  MEMORY: defineChoiceSetting('small: some 60 MB less at the peak, for slower sending', 'normal', ['normal', 'small']),
  RENDER_THREADS: defineIntegerSetting('threads for renders asked over HTTP', 1, [1, 64]),
  SCRIPT_CORES: defineIntegerSetting('scripts that compute at a time; 0: one per core', 0, [0, 64]),
  SCRIPT_THREADS: defineIntegerSetting(
    'threads for scripts, per core that these may use: most wait for the service',
    4,
    [1, 16],
  ),
  PUBLIC_WEBTASKS: defineChoiceSetting('on: webtasks that say so run at /w/{token}, without a key', 'off', [
    'on',
    'off',
  ]),
  RUN_DAYS: defineIntegerSetting('days that runs of workflows are kept after their end', 90, [1, 3650]),
  AUDIT_DAYS: defineIntegerSetting('days that the audit is kept', 400, [30, 3650]),
  LOG_LEVEL: defineChoiceSetting('least severity of what is logged', 'info', LOG_LEVELS),
  DNS_SERVERS: defineListSetting(
    'name servers asked for the records of sending domains, as addresses: 10.0.0.53, [2001:db8::53]:5353; default: those of the machine',
    parseDnsServers,
  ),
  OUTGOING_ALLOW: defineListSetting(
    'hosts that addresses given by clients may lead to though they are private or without https: files.desk.example, 10.0.0.7:8080',
    parseAllowedHosts,
  ),
  PUSH_HOSTS: defineListSetting(
    'hosts that subscriptions of browsers may have their endpoints on, a leading dot for every host below one; default: those of the browsers',
    parseWebPushHosts,
  ),
  DEVICES_PER_ADDRESS: defineIntegerSetting(
    'requests of devices that a process takes a minute of one address',
    300,
    [1, 1_000_000],
  ),
  DEVICE_PUTS: defineIntegerSetting('puts that a process takes a minute of one subscription', 10, [1, 1_000_000]),
  NEW_DEVICES: defineIntegerSetting(
    'new subscriptions of devices that a process takes a second of one application',
    100,
    [1, 1_000_000],
  ),
  ROBOTS_DIR: defineOptionalSetting(
    'directory with agents.json and ranges.json, instead of the built-in lists of robots',
  ),
  CONSOLE: defineChoiceSetting('off: nothing is served at /console/', 'on', ['on', 'off']),
  OIDC_ISSUER: {
    help: 'OpenID Connect: the issuer at which people may sign in, https or on this machine',
    fallback: undefined,
    read: parseOidcIssuer,
  },
  OIDC_CLIENT_ID: defineOptionalSetting('its id of this service'),
  OIDC_CLIENT_SECRET: defineOptionalSetting('its secret; absent: none is sent', true),
  OIDC_NAME: defineTextSetting('what people call the provider', 'OpenID Connect'),
  OIDC_SCOPES: { help: 'scopes that sign-ins ask for', fallback: 'openid email profile', read: parseOidcScopes },
  OIDC_CLAIM: defineTextSetting('the claim that holds the values of STENTOR_OIDC_ROLES', 'groups'),
  OIDC_TRUST_EMAIL: defineChoiceSetting(
    'whether emails count as verified where the provider does not say; on only for a provider that gives addresses to their owners alone',
    'off',
    ['off', 'on'],
  ),
  OIDC_ROLES: {
    help: 'roles by value of that claim, as JSON: {"marketing": ["ACME001:sender"]}; default: only invited people come in',
    fallback: undefined,
    read: parseOidcAccountRoles,
  },
  URL: defineUrlSetting('of "stentor mcp": the service it asks', ''),
  KEY: defineOptionalSetting('of "stentor mcp": its key', true),
  MODE: defineChoiceSetting('development shows captured mail at /captured; production does not', 'development', [
    'development',
    'production',
  ]),
} as const satisfies Record<string, SettingDefinition<unknown>>

/** The variables, by name. */
export type SettingDefinitions = typeof settingDefinitions
/** The values of settings, by the names of these. */
export type SettingValues = {
  [K in keyof SettingDefinitions]: SettingDefinitions[K] extends SettingDefinition<infer T> ? T : never
}

/** Every variable with what it means; an empty fallback: none. */
export function listSettings(): { name: string; help: string; fallback: string }[] {
  return Object.entries(settingDefinitions).map(([name, { help, fallback = '' }]) => ({
    name: SETTING_PREFIX + name,
    help,
    fallback: String(fallback),
  }))
}
