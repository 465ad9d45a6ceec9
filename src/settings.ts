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
  'storage for archives, media, uploads and exports: s3://bucket/prefix; default: the data directory'

function parseBucketUrl(text: string): { bucket: string; prefix: string } | undefined {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? []
  if (bucket === undefined) throw new Error('must be a URL such as s3://bucket/prefix')
  const prefix = path.split('/').filter((part) => part !== '')
  if (prefix.some((part) => /^\.+$/.test(part)))
    throw new Error('must not have a path segment of only dots in its prefix')
  return { bucket, prefix: prefix.map((part) => `${part}/`).join('') }
}

/** A key as a header holds it. */
function parseServiceKey(text: string): string | undefined {
  if (!/^[!-~]+$/.test(text)) throw new Error('must be printable ASCII characters without spaces')
  return text
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Every variable the program knows. The names in the environment are STENTOR_ and the key in capitals. */
export const settingDefinitions = {
  DATA_DIR: defineTextSetting(
    'directory for the embedded database, uploads, captured email, archives, media and journals',
    'data',
  ),
  DATABASE_URL: {
    help: 'PostgreSQL server (18 or newer) to use instead of the embedded one: postgres://user:password@host:port/database',
    fallback: undefined,
    read: parseDatabaseUrl,
    secret: true,
  },
  DATABASE_POOL: defineIntegerSetting('maximum database connections per process', 20, [4, 500]),
  EVENTS_URL: {
    help: 'ClickHouse server for event history: clickhouse://user:password@host:8123/database?cluster=NAME, or clickhouses:// for TLS; separate several hosts by commas; default: all history is in PostgreSQL',
    fallback: undefined,
    read: parseEventStoreUrl,
    secret: true,
  },
  EVENTS_HOT_DAYS: defineIntegerSetting(
    'days for which events stay in PostgreSQL when they are also in ClickHouse',
    35,
    [35, 3650],
  ),
  TRUSTED_PROXIES: {
    help: 'reverse proxies whose X-Forwarded-For header is trusted, as addresses or ranges: 10.0.0.0/8, 192.168.1.4',
    fallback: undefined,
    read: parseTrustedProxies,
  },
  HTTP_HOST: defineTextSetting('address that the HTTP server listens on', '127.0.0.1'),
  HTTP_PORT: defineIntegerSetting('port of the HTTP server; 0 picks a free port', 8080, [0, 65535]),
  SMTP_IN_HOST: defineTextSetting(
    'address that the inbound mail listener (bounces, complaints, unsubscribe requests) listens on',
    '127.0.0.1',
  ),
  SMTP_IN_PORT: defineIntegerSetting('port of the inbound mail listener; 0 picks a free port', 2525, [0, 65535]),
  SMTP_IN_CERTIFICATE: defineOptionalSetting(
    'certificate file (PEM) of the inbound mail listener; with a key, it offers STARTTLS',
  ),
  SMTP_IN_KEY: defineOptionalSetting('private key file (PEM) of that certificate'),
  METRICS_PORT: defineIntegerSetting(
    'port of a separate listener that serves /metrics of the whole installation without a key; 0 disables it. /metrics on the main port needs a key and covers its account',
    0,
    [0, 65535],
  ),
  PUBLIC_URL: defineUrlSetting('public URL at which recipients and clients reach the service', ''),
  SMTP_URL: defineOptionalSetting(
    'SMTP relay for accounts without a gateway of their own: smtp://user:password@host:587?tls=required',
    true,
  ),
  GATEWAYS_FILE: defineOptionalSetting(
    'JSON file that lists the gateways of the installation, instead of STENTOR_SMTP_URL',
  ),
  DESTINATIONS_FILE: defineOptionalSetting('JSON file that overrides the limits per destination of direct delivery'),
  MASTER_KEY: defineOptionalSetting(
    'key that encrypts secrets and signs links, 32 bytes in base64; default: a generated file in the data directory',
    true,
  ),
  ARCHIVES: { help: ARCHIVES_HELP, fallback: undefined, read: parseBucketUrl },
  S3_ENDPOINT: defineUrlSetting('URL of the S3-compatible storage; default: Amazon S3 in the region', ''),
  S3_REGION: defineTextSetting('region of the storage', 'us-east-1'),
  S3_ACCESS_KEY: defineOptionalSetting('access key of the storage'),
  S3_SECRET_KEY: defineOptionalSetting('secret key of the storage', true),
  BOOTSTRAP_KEY: defineOptionalSetting(
    'API key of the account DEMO001 that is created in an empty database; default: a random key, printed once',
    true,
  ),
  SENDER_THREADS: defineIntegerSetting(
    'sender threads; if there are several, one sends only single messages; 0 means one per core plus that one',
    0,
    [0, 64],
  ),
  // Also read by memory.ts, before the configuration is.
  MEMORY: defineChoiceSetting('small uses about 60 MB less memory at peak, but sends more slowly', 'normal', [
    'normal',
    'small',
  ]),
  RENDER_THREADS: defineIntegerSetting('threads for renders requested over HTTP', 1, [1, 64]),
  SCRIPT_CORES: defineIntegerSetting('scripts that run code at the same time; 0 means one per core', 0, [0, 64]),
  SCRIPT_THREADS: defineIntegerSetting('script threads per script core; most of them wait for the service', 4, [1, 16]),
  PUBLIC_WEBTASKS: defineChoiceSetting('on: public webtasks can be called at /w/{token} without a key', 'off', [
    'on',
    'off',
  ]),
  RUN_DAYS: defineIntegerSetting('days for which workflow runs are retained after they end', 90, [1, 3650]),
  AUDIT_DAYS: defineIntegerSetting('days for which audit entries are retained', 400, [30, 3650]),
  LOG_LEVEL: defineChoiceSetting('minimum level of log lines', 'info', LOG_LEVELS),
  DNS_SERVERS: defineListSetting(
    'name servers for checks of sending domains, as addresses: 10.0.0.53, [2001:db8::53]:5353; default: those of the machine',
    parseDnsServers,
  ),
  OUTGOING_ALLOW: defineListSetting(
    'hosts that URLs given by clients may use although they are private or without https: files.desk.example, 10.0.0.7:8080',
    parseAllowedHosts,
  ),
  PUSH_HOSTS: defineListSetting(
    'hosts allowed for web push endpoints; a leading dot allows all subdomains; default: the hosts of the browser vendors',
    parseWebPushHosts,
  ),
  DEVICES_PER_ADDRESS: defineIntegerSetting(
    'requests from devices that a process accepts per minute and address',
    300,
    [1, 1_000_000],
  ),
  DEVICE_PUTS: defineIntegerSetting(
    'PUT requests that a process accepts per minute and subscription',
    10,
    [1, 1_000_000],
  ),
  NEW_DEVICES: defineIntegerSetting(
    'new device subscriptions that a process accepts per second and application',
    100,
    [1, 1_000_000],
  ),
  ROBOTS_DIR: defineOptionalSetting('directory with agents.json and ranges.json, instead of the built-in bot lists'),
  CONSOLE: defineChoiceSetting('off: the console at /console/ is not served', 'on', ['on', 'off']),
  OIDC_ISSUER: {
    help: 'OpenID Connect issuer that users can sign in with; an https URL, or one on this machine',
    fallback: undefined,
    read: parseOidcIssuer,
  },
  OIDC_CLIENT_ID: defineOptionalSetting('client ID of this service at the OpenID Connect provider'),
  OIDC_CLIENT_SECRET: defineOptionalSetting('client secret; if not set, none is sent', true),
  OIDC_NAME: defineTextSetting('name of the provider as users see it', 'OpenID Connect'),
  OIDC_SCOPES: {
    help: 'scopes that are requested at sign-in',
    fallback: 'openid email profile',
    read: parseOidcScopes,
  },
  OIDC_CLAIM: defineTextSetting('claim that holds the values mapped by STENTOR_OIDC_ROLES', 'groups'),
  OIDC_TRUST_EMAIL: defineChoiceSetting(
    'on: treat email addresses as verified if the provider does not say; only for a provider that gives an address to its owner alone',
    'off',
    ['off', 'on'],
  ),
  OIDC_ROLES: {
    help: 'roles for each value of that claim, as JSON: {"marketing": ["ACME001:sender"]}; default: only invited users can sign in',
    fallback: undefined,
    read: parseOidcAccountRoles,
  },
  URL: defineUrlSetting('for "stentor mcp" and "stentor wait": URL of the service', ''),
  KEY: {
    help: 'for "stentor mcp" and "stentor wait": API key',
    fallback: undefined,
    read: parseServiceKey,
    secret: true,
  },
  MODE: defineChoiceSetting('development shows captured messages at /captured; production does not', 'development', [
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
