/**
 * The text of an array for PostgreSQL whose elements need no quotes, as pg would write it in several times the time:
 * numbers, uuids, instants, words. What is missing is null.
 */
export function arrayText(elements: readonly (string | number | boolean | Date | null | undefined)[]): string {
  return `{${elements.map((one) => (one instanceof Date ? one.toISOString() : (one ?? 'null'))).join(',')}}`
}
