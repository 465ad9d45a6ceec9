/** Where the history of events is kept beside PostgreSQL: a ClickHouse, by its HTTP interface. */
export interface EventStoreAddress {
  /** http or https addresses, tried in turn. */
  urls: string[]
  username: string
  password: string
  database: string
  /** Whose nodes have replicated and distributed tables; undefined: one server. */
  cluster: string | undefined
}

const FORM = 'must be like clickhouse://user:password@host:8123/database'
const NAME = /^[A-Za-z_]\w{0,62}$/

const PORTS = { clickhouse: 8123, clickhouses: 8443 } as const

/** Reads `clickhouse://user:password@host:8123,host2:8123/database?cluster=NAME`; `clickhouses://` is TLS. Throws what is wrong. */
export function parseEventStoreUrl(text: string): EventStoreAddress {
  const parts = /^(clickhouses?):\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?@]+)\/([^/?]+)(?:\?(.*))?$/.exec(text)
  if (!parts) throw new Error(FORM)
  const [, scheme, username = 'default', password = '', hosts = '', database = '', query = ''] = parts
  const parameters = new URLSearchParams(query)
  const unknown = [...parameters.keys()].find((name) => name !== 'cluster')
  if (unknown !== undefined) throw new Error(`must have no parameter but cluster, not ${unknown}`)
  const cluster = parameters.get('cluster') ?? undefined
  for (const name of [database, ...(cluster === undefined ? [] : [cluster])])
    if (!NAME.test(name)) throw new Error('must name its database and its cluster by letters, digits and underscores')
  const urls = hosts.split(',').map((host) => addressOf(scheme as keyof typeof PORTS, host))
  return { urls, username: decodeURIComponent(username), password: decodeURIComponent(password), database, cluster }
}

function addressOf(scheme: keyof typeof PORTS, host: string): string {
  const address = `${scheme === 'clickhouses' ? 'https' : 'http'}://${host}`
  if (!URL.canParse(address) || host === '') throw new Error(FORM)
  return /:\d+$/.test(host) ? address : `${address}:${PORTS[scheme]}`
}
