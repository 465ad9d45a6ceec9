/** The store of event history in addition to PostgreSQL: a ClickHouse server, by its HTTP interface. */
export interface EventStoreAddress {
  /** http or https addresses, tried in turn. */
  urls: string[]
  username: string
  password: string
  database: string
  /** The cluster whose nodes have replicated and distributed tables; undefined means one server. */
  cluster: string | undefined
}

const FORM_HINT = 'must be a URL such as clickhouse://user:password@host:8123/database'
const NAME_PATTERN = /^[A-Za-z_]\w{0,62}$/

const DEFAULT_PORTS = { clickhouse: 8123, clickhouses: 8443 } as const

/** Reads `clickhouse://user:password@host:8123,host2:8123/database?cluster=NAME`; `clickhouses://` is TLS. Throws what is wrong. */
export function parseEventStoreUrl(text: string): EventStoreAddress {
  const parts = /^(clickhouses?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?@]+)\/([^/?]+)(?:\?(.*))?$/.exec(text)
  if (!parts) throw new Error(FORM_HINT)
  const [, scheme, username = 'default', password = '', hosts = '', database = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  const unknownParameter = [...parameters.keys()].find((name) => name !== 'cluster')
  if (unknownParameter !== undefined)
    throw new Error(`must not have a parameter other than cluster, such as ${unknownParameter}`)
  const cluster = parameters.get('cluster') ?? undefined
  for (const name of [database, ...(cluster === undefined ? [] : [cluster])])
    if (!NAME_PATTERN.test(name))
      throw new Error('must name its database and its cluster by letters, digits and underscores')
  const urls = hosts.split(',').map((host) => buildServerUrl(scheme as keyof typeof DEFAULT_PORTS, host))
  return { urls, username: decodeURIComponent(username), password: decodeURIComponent(password), database, cluster }
}

function buildServerUrl(scheme: keyof typeof DEFAULT_PORTS, host: string): string {
  const address = `${scheme === 'clickhouses' ? 'https' : 'http'}://${host}`
  if (!URL.canParse(address) || host === '') throw new Error(FORM_HINT)
  return /:\d+$/.test(host) ? address : `${address}:${DEFAULT_PORTS[scheme]}`
}
