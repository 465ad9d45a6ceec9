import { appendJsonPointer } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import type { IdentityField } from './identity-fields.ts'
import { createLiteralMasker } from './literals.ts'
import { AUDIT_MASK } from './masking.ts'
import type { AuditChanges } from './record-audit.ts'
import { findWrittenSecrets, maskAuditSecrets } from './secrets.ts'

/** Members that the service itself maintains: they are not changes made by a caller. */
const SERVICE_MEMBERS = new Set([
  'creationDate',
  'updateDate',
  'lastUpdateDate',
  'stamp',
  'statistics',
  'targetsCount',
  'targetsCountDate',
  'targetsCountExact',
])

/** A value in two forms: unmasked, for comparison, and masked, as it is recorded. Both have the same shape. */
interface MaskedPair {
  real: unknown
  told: unknown
}

type FoundChange = [pointer: string, before: unknown, after: unknown]

const EMPTY_PAIR: MaskedPair = { real: null, told: null }

function readPairMember({ real, told: maskedValue }: MaskedPair, name: string | number): MaskedPair {
  const readMember = (value: unknown): unknown => (value as Record<string | number, unknown> | null)?.[name]
  return { real: readMember(real) ?? null, told: readMember(maskedValue) ?? null }
}

const isJsonEqual = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Items that both lists begin and end with are passed over, so that one that was put in between is one change. */
function diffItems(before: MaskedPair, after: MaskedPair, at: string): FoundChange[] {
  const [oldItems, newItems] = [before.real as unknown[], after.real as unknown[]]
  const shorter = Math.min(oldItems.length, newItems.length)
  let prefixLength = 0
  while (prefixLength < shorter && isJsonEqual(oldItems[prefixLength], newItems[prefixLength])) prefixLength++
  let suffixLength = 0
  while (
    suffixLength < shorter - prefixLength &&
    isJsonEqual(oldItems[oldItems.length - 1 - suffixLength], newItems[newItems.length - 1 - suffixLength])
  )
    suffixLength++
  const changedEnd = Math.max(oldItems.length, newItems.length) - suffixLength
  return Array.from({ length: changedEnd - prefixLength }, (_, n) => prefixLength + n).flatMap((n) =>
    diffPairs(
      n < oldItems.length - suffixLength ? readPairMember(before, n) : EMPTY_PAIR,
      n < newItems.length - suffixLength ? readPairMember(after, n) : EMPTY_PAIR,
      appendJsonPointer(at, n),
    ),
  )
}

/** The innermost values that differ. */
function diffPairs(before: MaskedPair, after: MaskedPair, at = ''): FoundChange[] {
  if (isJsonEqual(before.real, after.real)) return []
  if (Array.isArray(before.real) && Array.isArray(after.real)) return diffItems(before, after, at)
  if (!isJsonObject(before.real) || !isJsonObject(after.real)) return [[at, before.told, after.told]]
  const names = new Set([...Object.keys(before.real), ...Object.keys(after.real)])
  return [...names].flatMap((name) =>
    diffPairs(readPairMember(before, name), readPairMember(after, name), appendJsonPointer(at, name)),
  )
}

/** As it is written on the wire, without what the service notes. */
function toWireValue(representation: object | null): unknown {
  if (representation === null) return null
  const wireObject: unknown = JSON.parse(JSON.stringify(representation))
  if (!isJsonObject(wireObject)) return wireObject
  return Object.fromEntries(Object.entries(wireObject).filter(([name]) => !SERVICE_MEMBERS.has(name)))
}

/**
 * Returns the differences between two representations of an object, by pointer. An object that is created or deleted is recorded member by
 * member. Secrets, and literals compared with one of the fields, are `***`: a change of one is recorded as `["***", "***"]`.
 */
export function diffAuditSnapshots(
  { before, after, given: requestBody }: { before: object | null; after: object | null; given?: unknown },
  fields: readonly IdentityField[],
): AuditChanges {
  const maskLiterals = createLiteralMasker(fields)
  const buildPair = (snapshot: object | null): MaskedPair => {
    const wireValue = toWireValue(snapshot)
    return { real: wireValue, told: maskLiterals(maskAuditSecrets(wireValue)) }
  }
  const [oldPair, newPair] = [buildPair(before), buildPair(after)]
  // An object with no counterpart is recorded member by member, without its null members.
  const foundChanges = diffPairs(
    isJsonObject(newPair.real) && oldPair.real === null ? { real: {}, told: {} } : oldPair,
    isJsonObject(oldPair.real) && newPair.real === null ? { real: {}, told: {} } : newPair,
  )
  const secretChanges = findWrittenSecrets(requestBody, newPair.real).map(
    (pointer): FoundChange => [pointer, before === null ? null : AUDIT_MASK, AUDIT_MASK],
  )
  return Object.fromEntries(
    [...foundChanges, ...secretChanges].map(([pointer, oldValue, now]) => [pointer, [oldValue, now]]),
  )
}
