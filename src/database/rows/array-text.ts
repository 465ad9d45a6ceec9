/**
 * The text of a PostgreSQL array whose elements need no quotes (numbers, uuids, timestamps, words), written several times
 * faster than by pg. Undefined becomes null.
 */
export function formatPostgresArray(
  elements: readonly (string | number | boolean | Date | null | undefined)[],
): string {
  return `{${elements.map((element) => (element instanceof Date ? element.toISOString() : (element ?? 'null'))).join(',')}}`
}
