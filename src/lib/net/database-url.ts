/** The names that libpq uses for its TLS modes. */
const TLS_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type DatabaseTlsMode = (typeof TLS_MODES)[number]

/** Words of an address that name files, which are read at each connection. */
const FILE_PARAMETERS = ['sslrootcert', 'sslcert', 'sslkey'] as const

/** The files that an address of a database names, by the words of libpq. */
export function listDatabaseUrlFiles(url: string): Partial<Record<(typeof FILE_PARAMETERS)[number], string>> {
  const { searchParams } = new URL(url)
  return Object.fromEntries(
    FILE_PARAMETERS.flatMap((name) => {
      const file = searchParams.get(name)
      return file && file !== 'system' ? [[name, file]] : []
    }),
  )
}

/** The TLS mode of a database address, in the meaning of libpq: the authorities of the system are for `verify-full` alone. */
export function parseDatabaseTlsMode({ searchParams }: URL): DatabaseTlsMode {
  const defaultMode = searchParams.get('sslrootcert') === 'system' ? 'verify-full' : 'prefer'
  return (searchParams.get('sslmode') ?? defaultMode) as DatabaseTlsMode
}

/** Checks the address of a PostgreSQL server. Throws an Error that does not repeat it, as it holds a password. */
export function parseDatabaseUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new Error('must be an address such as postgres://account:password@host:5432/database')
  const tlsMode = parseDatabaseTlsMode(url)
  if (!TLS_MODES.includes(tlsMode))
    throw new Error(`has the sslmode ${tlsMode}, which must be one of ${TLS_MODES.join(', ')}`)
  const authority = url.searchParams.get('sslrootcert')
  if (authority === 'system' && tlsMode !== 'verify-full')
    throw new Error('has sslrootcert=system, which requires sslmode=verify-full')
  if (tlsMode === 'verify-ca' && !authority) throw new Error('has sslmode=verify-ca, which requires sslrootcert')
  if (url.searchParams.has('sslcert') !== url.searchParams.has('sslkey'))
    throw new Error('has only one of sslcert and sslkey: both are required')
  return text
}
