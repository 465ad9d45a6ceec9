import { maskJsonDocument, type PersonalFields } from '../../../lib/text/masking.ts'
import type { FoundContact } from './find.ts'

/** A contact as it is shown to people who may not see addresses: what is made of it holds none, in whatever form. */
export function maskContact<Found extends Pick<FoundContact, 'fields' | 'unicity' | 'hash'>>(
  contact: Found,
  personal: PersonalFields | null | undefined,
): Found {
  if (!personal) return contact
  const { fields, unicity, hash } = contact
  return { ...contact, ...(maskJsonDocument({ fields, unicity, hash }, personal) as object) }
}
