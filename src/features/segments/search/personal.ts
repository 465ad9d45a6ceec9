import { isAddressFieldType } from '../../../channels/channel-traits.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { SegmentCriteria } from '../criteria/criteria-types.ts'
import type { ContactSorting } from './sorting.ts'

/**
 * The searcher and the time (milliseconds). `masked`: this person sees masked addresses, and must not be able to find them out otherwise.
 */
export interface ContactSearchViewer {
  masked: boolean
  now: number
}

/** The fields that criteria compare. */
function listComparedFields(criteria: SegmentCriteria): number[] {
  if ('all' in criteria) return criteria.all.flatMap(listComparedFields)
  if ('any' in criteria) return criteria.any.flatMap(listComparedFields)
  if ('none' in criteria) return criteria.none.flatMap(listComparedFields)
  return criteria.type === 'field' ? [criteria.field] : []
}

/** Throws 403 where criteria or an order would tell addresses that are masked. */
export function assertUnmaskedSearch(
  { fields }: ContactShape,
  { criteria, sorting }: { criteria: SegmentCriteria | null; sorting?: ContactSorting },
): void {
  const maskedFieldIds = new Set(fields.flatMap(({ id, type }) => (isAddressFieldType(type) ? [id] : [])))
  const comparedFieldIds = [
    ...(criteria ? listComparedFields(criteria) : []),
    ...(sorting?.field ? [sorting.field.id] : []),
  ]
  if (comparedFieldIds.some((field) => maskedFieldIds.has(field)))
    throw new Problem(403, 'masked', 'Addresses are masked for your role. Compare and sort by other fields.')
}
