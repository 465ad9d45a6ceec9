/** Bytes of JSON that the changes of one row may take. */
export const MAX_AUDIT_CHANGE_BYTES = 16 * 1024
/** A value longer than this gives way when not all changes fit. */
const LONG_BYTES = 512

/** What stands for a value that is too long: how many bytes of JSON it has. */
export interface OmittedAuditValue {
  omitted: number
}

type Pairs = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? 'null')

function shortened(value: unknown): unknown {
  const bytes = bytesOf(value)
  return bytes > LONG_BYTES ? ({ omitted: bytes } satisfies OmittedAuditValue) : value
}

/** As many changes as fit into 16 KiB of JSON, and the number of the others. Long values give way first, to their lengths. */
export function truncateAuditChanges(changes: Pairs): { kept: Pairs; omitted: number } {
  if (bytesOf(changes) <= MAX_AUDIT_CHANGE_BYTES) return { kept: changes, omitted: 0 }
  const entries = Object.entries(changes)
  const kept: [string, readonly [unknown, unknown]][] = []
  let bytes = 2
  for (const [pointer, [before, after]] of entries) {
    const pair = [shortened(before), shortened(after)] as const
    // Quotes and colon are in it; a comma follows.
    const more = bytesOf({ [pointer]: pair }) - 1
    if (bytes + more > MAX_AUDIT_CHANGE_BYTES) continue
    bytes += more
    kept.push([pointer, pair])
  }
  return { kept: Object.fromEntries(kept), omitted: entries.length - kept.length }
}
