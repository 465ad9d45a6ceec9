/** Checks the address of a PostgreSQL server. Throws an Error that does not repeat it, as it holds a password. */
export function readDatabaseUrl(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw new Error('must be an address such as postgres://account:password@host:5432/database')
  return text
}
