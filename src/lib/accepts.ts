/** One document of JSON a line. */
export const NDJSON_MEDIA_TYPE = 'application/x-ndjson'

/** Returns true if a request accepts a media type. */
export function acceptsMediaType(
  { headers }: { headers: Readonly<Record<string, string | string[] | undefined>> },
  type: string,
): boolean {
  return String(headers['accept'] ?? '')
    .toLowerCase()
    .includes(type)
}
