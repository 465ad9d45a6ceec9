import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { BulkUpsertResult, FlatMap } from '../records/contact-schemas.ts'
import { toFootprint } from '../records/find.ts'
import { type FlatMapFault, identifyContactValues, parseFlatMap, pickFilledValues } from '../records/flat-map.ts'
import { type ContactWrite, upsertContacts } from '../records/upsert.ts'
import { type ContactWriteContext, runContactWrite } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'

/** The faults of a row as the interface names them. */
function formatRowFaults(faults: readonly FlatMapFault[]): BulkUpsertResult {
  const namedFaultKinds = ['unknown-field', 'unicity-missing'] as const
  const type = namedFaultKinds.find((kind) => faults.some((fault) => fault.kind === kind)) ?? 'invalid-value'
  const detail = faults.map(({ pointer, detail }) => (pointer === '' ? detail : `${pointer}: ${detail}`)).join('; ')
  return { type: 'error', value: { type, detail } }
}

function parseUpsertRow(shape: ContactShape, row: FlatMap): ContactWrite | BulkUpsertResult {
  const { patch, faults } = parseFlatMap(shape, row)
  if (faults.length > 0) return formatRowFaults(faults)
  const rowIdentity = identifyContactValues(shape, pickFilledValues(patch))
  return 'key' in rowIdentity ? { patch, ...rowIdentity } : formatRowFaults([rowIdentity])
}

/** Rows of one key become one write: later values replace earlier ones, but the first unicity stays. */
function mergeRowsByKey(shape: ContactShape, rows: readonly (ContactWrite | BulkUpsertResult)[]): ContactWrite[] {
  const writesByKey = new Map<string, ContactWrite>()
  for (const row of rows) {
    if (!('key' in row)) continue
    const firstWrite = writesByKey.get(row.key) ?? row
    const unicityPatch = Object.fromEntries(shape.unicity.map(({ id }) => [id, firstWrite.patch[id] ?? null]))
    writesByKey.set(row.key, { ...firstWrite, patch: { ...firstWrite.patch, ...row.patch, ...unicityPatch } })
  }
  return [...writesByKey.values()]
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
    const rows = maps.map((map) => parseUpsertRow(shape, map))
    const writtenContacts = await upsertContacts(tx, shape, mergeRowsByKey(shape, rows), writing)
    const reportedKeys = new Set<string>()
    return rows.map((row): BulkUpsertResult => {
      if (!('key' in row)) return row
      const contact = writtenContacts.get(row.key)
      if (!contact) throw new Error('a written contact has no outcome')
      const isCreated = contact.outcome === 'created' && !reportedKeys.has(row.key)
      reportedKeys.add(row.key)
      return { type: 'success', contact: toFootprint(contact), created: isCreated }
    })
  })
}
