import { appendJsonPointer } from '../../lib/errors/problem.ts'
import { isJsonObject } from '../../lib/objects.ts'
import type { IdentityField } from './identity-fields.ts'
import { createLiteralMasker } from './literals.ts'
import { AUDIT_MASK } from './masking.ts'
import type { AuditChanges } from './record.ts'
import { findWrittenSecrets, maskAuditSecrets } from './secrets.ts'

/** What the service itself notes of an object: no act of who wrote it. */
const NOTED = new Set([
  'creationDate',
  'updateDate',
  'lastUpdateDate',
  'stamp',
  'statistics',
  'targetsCount',
  'targetsCountDate',
  'targetsCountExact',
])

/** A value twice: as it is, by which it is compared, and as it is told. Both have one shape. */
interface Twin {
  real: unknown
  told: unknown
}

type Found = [pointer: string, before: unknown, after: unknown]

const NOTHING: Twin = { real: null, told: null }

function memberOf({ real, told }: Twin, name: string | number): Twin {
  const at = (value: unknown): unknown => (value as Record<string | number, unknown> | null)?.[name]
  return { real: at(real) ?? null, told: at(told) ?? null }
}

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Items that both lists begin and end with are passed over, so that one that was put in between is one change. */
function differingItems(before: Twin, after: Twin, at: string): Found[] {
  const [from, to] = [before.real as unknown[], after.real as unknown[]]
  const shorter = Math.min(from.length, to.length)
  let first = 0
  while (first < shorter && isSame(from[first], to[first])) first++
  let last = 0
  while (last < shorter - first && isSame(from[from.length - 1 - last], to[to.length - 1 - last])) last++
  const longest = Math.max(from.length, to.length) - last
  return Array.from({ length: longest - first }, (_, n) => first + n).flatMap((n) =>
    differing(
      n < from.length - last ? memberOf(before, n) : NOTHING,
      n < to.length - last ? memberOf(after, n) : NOTHING,
      appendJsonPointer(at, n),
    ),
  )
}

/** The innermost values that differ. */
function differing(before: Twin, after: Twin, at = ''): Found[] {
  if (isSame(before.real, after.real)) return []
  if (Array.isArray(before.real) && Array.isArray(after.real)) return differingItems(before, after, at)
  if (!isJsonObject(before.real) || !isJsonObject(after.real)) return [[at, before.told, after.told]]
  const names = new Set([...Object.keys(before.real), ...Object.keys(after.real)])
  return [...names].flatMap((name) =>
    differing(memberOf(before, name), memberOf(after, name), appendJsonPointer(at, name)),
  )
}

/** As it is written on the wire, without what the service notes. */
function written(shown: object | null): unknown {
  if (shown === null) return null
  const whole: unknown = JSON.parse(JSON.stringify(shown))
  if (!isJsonObject(whole)) return whole
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !NOTED.has(name)))
}

/**
 * What differs between the two representations of an object, by pointer; one that is made or deleted is told by its members.
 * Secrets, and literals compared with one of the fields, are `***`: a change of one is told as `["***", "***"]`.
 */
export function diffAuditSnapshots(
  { before, after, given }: { before: object | null; after: object | null; given?: unknown },
  fields: readonly IdentityField[],
): AuditChanges {
  const mask = createLiteralMasker(fields)
  const twin = (shown: object | null): Twin => {
    const real = written(shown)
    return { real, told: mask(maskAuditSecrets(real)) }
  }
  const [from, to] = [twin(before), twin(after)]
  // Beside nothing an object is told member by member, null ones left out.
  const found = differing(
    isJsonObject(to.real) && from.real === null ? { real: {}, told: {} } : from,
    isJsonObject(from.real) && to.real === null ? { real: {}, told: {} } : to,
  )
  const secrets = findWrittenSecrets(given, to.real).map(
    (pointer): Found => [pointer, before === null ? null : AUDIT_MASK, AUDIT_MASK],
  )
  return Object.fromEntries([...found, ...secrets].map(([pointer, old, now]) => [pointer, [old, now]]))
}
