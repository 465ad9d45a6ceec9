/** Encodings in which files are served. */
export type ContentEncoding = 'br' | 'gzip'

/** The best encoding that a client takes of those that are there (RFC 9110, 12.5.3); undefined: the file as it is. */
export function chooseContentEncoding(
  accepted: string | undefined,
  available: readonly ContentEncoding[],
): ContentEncoding | undefined {
  const qualities = new Map(
    (accepted ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
      const quality = parameters.find((word) => word.startsWith('q='))?.slice(2)
      return [name, quality === undefined ? 1 : Number(quality)] as const
    }),
  )
  return available.find((encoding) => (qualities.get(encoding) ?? qualities.get('*') ?? 0) > 0)
}
