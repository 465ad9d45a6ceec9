import { isAddressFieldType } from '../../../channels/facts.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { SegmentCriteria } from '../criteria/criteria-types.ts'
import type { ContactSorting } from './sorting.ts'

/** Who asks, and when (milliseconds). `masked`: this person sees masked addresses, and must not find them out otherwise. */
export interface ContactSearchViewer {
  masked: boolean
  now: number
}

/** The fields that criteria compare. */
function fieldsOf(criteria: SegmentCriteria): number[] {
  if ('all' in criteria) return criteria.all.flatMap(fieldsOf)
  if ('any' in criteria) return criteria.any.flatMap(fieldsOf)
  if ('none' in criteria) return criteria.none.flatMap(fieldsOf)
  return criteria.type === 'field' ? [criteria.field] : []
}

/** Throws 403 where criteria or an order would tell addresses that are masked. */
export function assertUnmaskedSearch(
  { fields }: ContactShape,
  { criteria, sorting }: { criteria: SegmentCriteria | null; sorting?: ContactSorting },
): void {
  const hidden = new Set(fields.flatMap(({ id, type }) => (isAddressFieldType(type) ? [id] : [])))
  const compared = [...(criteria ? fieldsOf(criteria) : []), ...(sorting?.field ? [sorting.field.id] : [])]
  if (compared.some((field) => hidden.has(field)))
    throw new Problem(403, 'masked', 'Addresses are masked for you: compare and sort by other fields.')
}
