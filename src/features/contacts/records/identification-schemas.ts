import { type Static, Type } from 'typebox'
import { ignoredMemberSchema } from '../../../lib/errors/passed-over.ts'
import { buildTypeTag } from '../../../lib/type-tags.ts'

const ContactId = Type.String({ description: 'ID of the contact, in either case.' })

export const ContactById = Type.Object({
  type: buildTypeTag('id'),
  value: ContactId,
})
export const ContactByUnicity = Type.Object({
  type: buildTypeTag('unicity'),
  value: Type.Array(Type.String(), {
    minItems: 1,
    description: 'One value per unicity field, in ascending order of field ID.',
  }),
})
export const ContactByHash = Type.Object({
  type: buildTypeTag('hash'),
  value: Type.String({ description: 'MD5 of the concatenated unicity: 32 hexadecimal digits, in either case.' }),
})

/** A contact as it is answered in few words; read back it names the contact by its id. */
export const Footprint = Type.Object({
  type: buildTypeTag('footprint'),
  id: ContactId,
  unicity: Type.String({
    description:
      'Concatenated unicity: the values of the unicity fields without a separator, in ascending order of ' +
      'field ID.',
  }),
  hash: Type.String({ description: 'MD5 of the concatenated unicity, in lower-case hexadecimal.' }),
})

/** The identification of a contact in a request. */
export const ContactIdentification = Type.Union([
  ContactById,
  ContactByUnicity,
  ContactByHash,
  Type.Object({
    type: buildTypeTag('footprint'),
    id: ContactId,
    unicity: ignoredMemberSchema,
    hash: ignoredMemberSchema,
  }),
])

export type ContactIdentification = Static<typeof ContactIdentification>
export type Footprint = Static<typeof Footprint>
