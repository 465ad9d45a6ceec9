import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { BulkUpsertResult, FlatMap } from '../records/contact-schemas.ts'
import { toFootprint } from '../records/find.ts'
import { type FlatMapFault, identifyContactValues, parseFlatMap, pickFilledValues } from '../records/flat-map.ts'
import { type ContactWrite, upsertContacts } from '../records/upsert.ts'
import { type ContactWriteContext, runContactWrite } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'

/** The faults of a row as the interface names them. */
function errorItem(faults: readonly FlatMapFault[]): BulkUpsertResult {
  const known = ['unknown-field', 'unicity-missing'] as const
  const type = known.find((kind) => faults.some((fault) => fault.kind === kind)) ?? 'invalid-value'
  const detail = faults.map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`)).join('; ')
  return { type: 'error', value: { type, detail } }
}

function readRow(shape: ContactShape, row: FlatMap): ContactWrite | BulkUpsertResult {
  const { patch, faults } = parseFlatMap(shape, row)
  if (faults.length > 0) return errorItem(faults)
  const identity = identifyContactValues(shape, pickFilledValues(patch))
  return 'key' in identity ? { patch, ...identity } : errorItem([identity])
}

/** Rows of one key become one write: later values replace earlier ones, but the first unicity stays. */
function merge(shape: ContactShape, rows: readonly (ContactWrite | BulkUpsertResult)[]): ContactWrite[] {
  const byKey = new Map<string, ContactWrite>()
  for (const row of rows) {
    if (!('key' in row)) continue
    const first = byKey.get(row.key) ?? row
    const unicity = Object.fromEntries(shape.unicity.map(({ id }) => [id, first.patch[id] ?? null]))
    byKey.set(row.key, { ...first, patch: { ...first.patch, ...row.patch, ...unicity } })
  }
  return [...byKey.values()]
}

/**
 * Creates or changes a contact per row, in order: of rows with one key the first creates and the others change.
 * A row with a fault is answered with it and affects no other.
 */
export function bulkUpsertContacts(
  db: Db,
  account: AccountId,
  maps: readonly FlatMap[],
  writing: ContactWriteContext,
): Promise<BulkUpsertResult[]> {
  return runContactWrite(db, account, async (tx, shape) => {
    const rows = maps.map((map) => readRow(shape, map))
    const written = await upsertContacts(tx, shape, merge(shape, rows), writing)
    const seen = new Set<string>()
    return rows.map((row): BulkUpsertResult => {
      if (!('key' in row)) return row
      const contact = written.get(row.key)
      if (!contact) throw new Error('A written contact is not among those written.')
      const created = contact.outcome === 'created' && !seen.has(row.key)
      seen.add(row.key)
      return { type: 'success', contact: toFootprint(contact), created }
    })
  })
}
