/** Bytes of JSON that the changes of one row may take. */
export const MAX_AUDIT_CHANGE_BYTES = 16 * 1024
/** A value longer than this gives way when not all changes fit. */
const LONG_VALUE_BYTES = 512

/** Replaces a value that is too long: its size in bytes of JSON. */
export interface OmittedAuditValue {
  omitted: number
}

type ChangePairs = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

const countJsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null')

function omitLongValue(value: unknown): unknown {
  const valueBytes = countJsonBytes(value)
  return valueBytes > LONG_VALUE_BYTES ? ({ omitted: valueBytes } satisfies OmittedAuditValue) : value
}

/** As many changes as fit into 16 KiB of JSON, and the number of the others. Long values give way first, to their lengths. */
export function truncateAuditChanges(changes: ChangePairs): { kept: ChangePairs; omitted: number } {
  if (countJsonBytes(changes) <= MAX_AUDIT_CHANGE_BYTES) return { kept: changes, omitted: 0 }
  const entries = Object.entries(changes)
  const includedChanges: [string, readonly [unknown, unknown]][] = []
  let totalBytes = 2
  for (const [pointer, [before, after]] of entries) {
    const pair = [omitLongValue(before), omitLongValue(after)] as const
    // Quotes and colon are in it; a comma follows.
    const entryBytes = countJsonBytes({ [pointer]: pair }) - 1
    if (totalBytes + entryBytes > MAX_AUDIT_CHANGE_BYTES) continue
    totalBytes += entryBytes
    includedChanges.push([pointer, pair])
  }
  return { kept: Object.fromEntries(includedChanges), omitted: entries.length - includedChanges.length }
}
