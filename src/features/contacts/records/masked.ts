import { maskDocument, type Personal } from '../../../lib/text/masking.ts'
import type { FoundContact } from './find.ts'

/** A contact as it is shown to people who may not see addresses: what is made of it holds none, in whatever form. */
export function maskedContact<Found extends Pick<FoundContact, 'fields' | 'unicity' | 'hash'>>(
  contact: Found,
  personal: Personal | null | undefined,
): Found {
  if (!personal) return contact
  const { fields, unicity, hash } = contact
  return { ...contact, ...(maskDocument({ fields, unicity, hash }, personal) as object) }
}
