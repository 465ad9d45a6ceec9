/** What libpq calls the ways to use TLS. */
const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type DatabaseTlsMode = (typeof MODES)[number]

/** Words of an address that name files, which are read at each connection. */
const FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const

/** The files that an address of a database names, by the words of libpq. */
export function listDatabaseUrlFiles(url: string): Partial<Record<(typeof FILES)[number], string>> {
  const { searchParams } = new URL(url)
  return Object.fromEntries(
    FILES.flatMap((name) => {
      const file = searchParams.get(name)
      return file && file !== 'system' ? [[name, file]] : []
    }),
  )
}

/** How an address of a database uses TLS, as libpq means it: the authorities of the system are for `verify-full` alone. */
export function parseDatabaseTlsMode({ searchParams }: URL): DatabaseTlsMode {
  const fallback = searchParams.get('sslrootcert') === 'system' ? 'verify-full' : 'prefer'
  return (searchParams.get('sslmode') ?? fallback) as DatabaseTlsMode
}

/** Checks the address of a PostgreSQL server. Throws an Error that does not repeat it, as it holds a password. */
export function parseDatabaseUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new Error('must be an address such as postgres://account:password@host:5432/database')
  const mode = parseDatabaseTlsMode(url)
  if (!MODES.includes(mode)) throw new Error(`has the sslmode ${mode}, which must be one of ${MODES.join(', ')}`)
  const authority = url.searchParams.get('sslrootcert')
  if (authority === 'system' && mode !== 'verify-full')
    throw new Error('has sslrootcert=system, which needs sslmode=verify-full')
  if (mode === 'verify-ca' && !authority) throw new Error('has sslmode=verify-ca, which needs sslrootcert')
  if (url.searchParams.has('sslcert') !== url.searchParams.has('sslkey'))
    throw new Error('has one of sslcert and sslkey: they need each other')
  return text
}
