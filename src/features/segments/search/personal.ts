import { isAddressType } from '../../../channels/facts.ts'
import { Problem } from '../../../lib/errors/problem.ts'
import type { ContactShape } from '../../contacts/values/contact-shape.ts'
import type { Criteria } from '../criteria/criteria-types.ts'
import type { Sorting } from './sorting.ts'

/** Who asks, and when (milliseconds). `masked`: this person sees masked addresses, and must not find them out otherwise. */
export interface Personal {
  masked: boolean
  now: number
}

/** The fields that criteria compare. */
function fieldsOf(criteria: Criteria): number[] {
  if ('all' in criteria) return criteria.all.flatMap(fieldsOf)
  if ('any' in criteria) return criteria.any.flatMap(fieldsOf)
  if ('none' in criteria) return criteria.none.flatMap(fieldsOf)
  return criteria.type === 'field' ? [criteria.field] : []
}

/** Throws 403 where criteria or an order would tell addresses that are masked. */
export function refusePersonal(
  { fields }: ContactShape,
  { criteria, sorting }: { criteria: Criteria | null; sorting?: Sorting },
): void {
  const hidden = new Set(fields.flatMap(({ id, type }) => (isAddressType(type) ? [id] : [])))
  const compared = [...(criteria ? fieldsOf(criteria) : []), ...(sorting?.field ? [sorting.field.id] : [])]
  if (compared.some((field) => hidden.has(field)))
    throw new Problem(403, 'masked', 'Addresses are masked for you: compare and sort by other fields.')
}
