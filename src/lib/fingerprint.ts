import { createHash } from 'node:crypto'

/** SHA-256 of plain JSON, whatever the order of its members. */
export function fingerprintJson(parts: unknown): Buffer {
  const sortMembers = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return createHash('sha256').update(JSON.stringify(parts, sortMembers)).digest()
}
